import { afterAll, expect, it } from "vitest";
import { disconnect, query } from "@/server/db/client";
import type { Actor } from "@/server/domain/scope";
import { now } from "@/server/platform/clock";
import { newId } from "@/server/platform/ids";
import { makeMerchant, type TestMerchant } from "@/server/testing/merchant";
import { queryAsOwner } from "@/server/testing/owner";
import { rowsReadBy } from "../testing/rows-read";
import { type LogFilter, listLogEntries, logStatement } from "./log";
import { recordEvent } from "./record";

afterAll(() => disconnect());

/** Entries about an object in these environments, oldest first; gives their ids, newest first. */
async function write(merchant: TestMerchant, objectId: string, environments: readonly (string | null)[]) {
  const ids = environments.map((_, index) => `aud_${objectId}_${String(index).padStart(4, "0")}`);
  await query(
    `INSERT INTO audit_entry (merchant_id, id, environment, actor_type, actor_id, action, object_id, created_at)
     SELECT $1, id, environment, 'operator', 'cli', 'thing.touch', $2, now()
     FROM unnest($3::text[], $4::text[]) AS given(id, environment)`,
    merchant.merchantId,
    objectId,
    ids,
    environments,
  );
  return ids.reverse();
}

/** Every page from the first to the last. */
async function readAll(
  { scope }: TestMerchant,
  objectId: string,
  count: number,
  lookedAt: number,
): Promise<string[][]> {
  const pages: string[][] = [];
  let after: Parameters<typeof listLogEntries>[2] = null;
  do {
    const page = await listLogEntries(scope, { objectId }, after, count, lookedAt);
    pages.push(page.entries.map(({ id }) => id));
    after = page.next;
  } while (after !== null);
  return pages;
}

it.each([1, 2, 3, 5, 100])("shows each entry of the environment and of the merchant once, looking at %i", async (n) => {
  const merchant = await makeMerchant();
  const environments = ["test", "live", null, "test", "live", "live", "live", "test"];
  const thing = newId("audit");
  const ids = await write(merchant, thing, environments);
  const shown = ids.filter((_, index) => environments.toReversed()[index] !== "live");
  for (const count of [1, 2, 3, 100]) {
    expect((await readAll(merchant, thing, count, n)).flat()).toEqual(shown);
  }
});

it("without an object shows everything of this merchant and nothing of another", async () => {
  const [own, other] = [await makeMerchant(), await makeMerchant()];
  const mine = await write(own, newId("audit"), ["test", null]);
  const theirs = await write(other, newId("audit"), ["test", null]);
  const { entries } = await listLogEntries(own.scope, {}, null, 100);
  const ids = entries.map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(mine));
  expect(ids.filter((id) => theirs.includes(id))).toEqual([]);
});

it("filters by group of actions, actor and time", async () => {
  const { merchantId, scope, context } = await makeMerchant();
  const at = now();
  const act = (actor: Actor) => ({ ...context, actor, at });
  const eva = { type: "member", id: newId("member") } as const;
  const record = (action: string, actor: Actor) =>
    recordEvent({ merchantId, environment: null, action, objectId: "thing", before: null, after: null }, act(actor));
  await record("member.sign_in_refused", { type: "worker", id: "sign-in" });
  await record("api_key.revoke", eva);
  await record("export.begin", eva);
  const actions = async (filter: LogFilter) => {
    const { entries } = await listLogEntries(scope, { objectId: "thing", ...filter }, null, 10);
    return entries.map(({ action }) => action).sort();
  };
  expect(await actions({ group: "refusals" })).toEqual(["member.sign_in_refused"]);
  expect(await actions({ group: "keys" })).toEqual(["api_key.revoke"]);
  expect(await actions({ actorType: "member" })).toEqual(["api_key.revoke", "export.begin"]);
  expect(await actions({ actorId: eva.id, group: "exports" })).toEqual(["export.begin"]);
  expect(await actions({ createdAfter: new Date(at.getTime() + 3_600_000) })).toEqual([]);
  expect(await actions({ createdBefore: new Date(at.getTime() + 3_600_000) })).toHaveLength(3);
});

it("a page reads only the entries that it shows; if none matches, it stops at its limit", async () => {
  const { merchantId, scope } = await makeMerchant();
  await queryAsOwner(`
    SET session_replication_role = replica;
    INSERT INTO audit_entry (merchant_id, id, environment, actor_type, actor_id, action, object_id, created_at)
    SELECT '${merchantId}', 'aud_' || lpad(n::text, 26, '0'), 'test', 'operator', 'cli', 'thing.touch', 'thing', now()
    FROM generate_series(1, 30000) n;
    ANALYZE audit_entry`);
  const [shown, lookedAt] = [25, 1_000];
  const all = logStatement(scope, {}, null, shown, lookedAt);
  // The scan, the counting, both limits and what lies between them.
  const nodes = 8;
  expect((await rowsReadBy(all.sql, ...all.values)).read).toBeLessThan(nodes * (shown + 1));
  const none = logStatement(scope, { actorId: "nobody" }, null, shown, lookedAt);
  expect((await rowsReadBy(none.sql, ...none.values)).read).toBeLessThan(nodes * lookedAt);
});
