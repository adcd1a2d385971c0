// Deciding on several exceptions: each by itself, with an audit entry of its own and a result that says what failed.
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { disconnect, query } from "@/server/db/client";
import { openException } from "@/server/db/exceptions";
import { stuckException } from "@/server/domain/exceptions";
import { newId } from "@/server/platform/ids";
import { withoutIdempotency } from "@/server/services/idempotency/completion";
import { createPaymentIntent } from "@/server/services/payments/create";
import { simulate } from "@/server/services/sandbox/simulate";
import { makeMember, makeMerchant, payment, type TestMerchant } from "@/server/testing/merchant";
import { queryAsOwner } from "@/server/testing/owner";
import { createCaller } from "./router";

const inEnglish = () => Promise.resolve("en" as const);

let merchant: TestMerchant;
let memberId: string;
let exceptions: ReturnType<typeof createCaller>["exceptions"];
beforeEach(async () => {
  merchant = await makeMerchant();
  memberId = await makeMember(merchant.merchantId, `${merchant.merchantId}@shop.example`, "finance");
  const member = { id: memberId, email: "a@shop.example", roles: ["finance"], testRoles: null, name: null };
  const merchantOf = { merchantId: merchant.merchantId, merchantName: "M" };
  const session = {
    ...merchantOf,
    sessionId: newId("session"),
    member: { ...member, ...merchantOf },
    mustEnrol: false,
  };
  exceptions = createCaller({ session, requestId: newId("request"), address: null, language: inEnglish }).exceptions;
});
afterAll(disconnect);

const openIds = async (scope = merchant.scope) => {
  const rows = await query<{ id: string }>(
    "SELECT id FROM exception WHERE merchant_id = $1 ORDER BY id",
    scope.merchantId,
  );
  return rows.map(({ id }) => id);
};

/** Opens an exception without money in suspense; returns its id. */
async function opened(scope = merchant.scope): Promise<string> {
  const before = await openIds(scope);
  await openException(
    { ...stuckException(newId("paymentIntent"), "standstill", "A test says so."), scope },
    new Date(),
  );
  return (await openIds(scope)).find((id) => !before.includes(id)) ?? "";
}

/** A payment paid after its end: its money is in suspense; returns its exception. */
async function suspended(): Promise<string> {
  const before = await openIds();
  const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
  for (const outcome of ["expired", "succeeded"] as const) await simulate(merchant.context, intent.id, outcome);
  return (await openIds()).find((id) => !before.includes(id)) ?? "";
}

const audited = async (action: string) => {
  const rows = await query<{ object_id: string }>(
    "SELECT object_id FROM audit_entry WHERE merchant_id = $1 AND actor_id = $2 AND action = $3",
    merchant.merchantId,
    memberId,
    action,
  );
  return rows.map(({ object_id: id }) => id).sort();
};

it("a mixed result names what failed and why; every decided exception has an audit entry of its own", async () => {
  const [one, two, money] = [await opened(), await opened(), await suspended()];
  const theirs = await opened((await makeMerchant()).scope);
  await exceptions.resolve({ environment: "test", id: two, resolution: "Before." });
  const ids = [one, two, money, theirs, one];
  const results = await exceptions.resolveMany({ environment: "test", ids, resolution: "Corrected." });
  expect(results).toEqual([
    { id: one, done: true, message: null },
    { id: two, done: false, message: "This exception is already resolved" },
    { id: money, done: false, message: "This exception's money is in suspense; settle it instead" },
    { id: theirs, done: false, message: "There is no such exception." },
  ]);
  expect(await audited("exception.resolve")).toEqual([one, two].sort());
});

const colleague = (role: string, merchantId = merchant.merchantId) =>
  makeMember(merchantId, `${newId("request")}@shop.example`, role);
const owned = async (owner: string) =>
  (await exceptions.list({ environment: "test", owner })).data.map(({ id }) => id).sort();

describe("assigning", () => {
  it("gives each to a colleague, also those with money in suspense; lists and counts are of an owner", async () => {
    const ana = await colleague("admin");
    const ids = [await opened(), await suspended()];
    const [mine, left] = [await opened(), await opened()];
    expect(await exceptions.assignMany({ environment: "test", ids, member_id: ana })).toEqual(
      ids.map((id) => ({ id, done: true, message: null })),
    );
    await exceptions.take({ environment: "test", id: mine });
    expect(await audited("exception.assign")).toEqual([...ids].sort());
    expect(await owned(ana)).toEqual([...ids].sort());
    expect(await owned("me")).toEqual([mine]);
    expect(await owned("nobody")).toEqual([left]);
    expect(await exceptions.count({ environment: "test", owner: ana })).toMatchObject({ open: 2, resolved: 0 });
    expect(await exceptions.count({ environment: "test", owner: "nobody" })).toMatchObject({ open: 1 });
  });

  it("to nobody puts it back", async () => {
    const id = await opened();
    await exceptions.take({ environment: "test", id });
    await exceptions.assignMany({ environment: "test", ids: [id], member_id: null });
    expect(await owned("nobody")).toEqual([id]);
    expect(await audited("exception.assign")).toEqual([id]);
  });

  it("is refused to a role that may not decide, to the disabled, to another merchant's member, and of what is resolved", async () => {
    const gone = await colleague("finance");
    await query("UPDATE member SET disabled_at = now() WHERE id = $1", gone);
    const foreign = await colleague("owner", (await makeMerchant()).merchantId);
    const [id, resolved] = [await opened(), await opened()];
    await exceptions.resolve({ environment: "test", id: resolved, resolution: "Seen." });
    const refusal = "member_id must name an active member who decides on exceptions";
    const nobodys = [
      await colleague("approver"),
      await colleague("developer"),
      gone,
      foreign,
      newId("member"),
      "'; --",
      "",
    ];
    for (const member of nobodys) {
      const results = await exceptions.assignMany({ environment: "test", ids: [id], member_id: member });
      expect(results).toEqual([{ id, done: false, message: refusal }]);
    }
    const results = await exceptions.assignMany({ environment: "test", ids: [resolved], member_id: memberId });
    expect(results).toEqual([{ id: resolved, done: false, message: "This exception is already resolved" }]);
    expect(await audited("exception.assign")).toEqual([]);
    expect(await owned("nobody")).toEqual([id]);
  });

  it("counts the roles of the environment", async () => {
    const tester = await colleague("developer");
    await query("UPDATE member SET test_roles = '{finance}' WHERE id = $1", tester);
    const inLive = await opened({ ...merchant.scope, environment: "live" });
    const inTest = await opened();
    const [live] = await exceptions.assignMany({ environment: "live", ids: [inLive], member_id: tester });
    const [test] = await exceptions.assignMany({ environment: "test", ids: [inTest], member_id: tester });
    expect([live?.done, test?.done]).toEqual([false, true]);
  });

  it("again to the same member changes nothing; of two at once, the audit log says whom the second took it from", async () => {
    const [ana, bea] = [await colleague("admin"), await colleague("owner")];
    const id = await opened();
    const assign = (member: string) => exceptions.assignMany({ environment: "test", ids: [id], member_id: member });
    await Promise.all([assign(ana), assign(bea), assign(ana), assign(bea)]);
    const [last] = (await exceptions.list({ environment: "test" })).data;
    await assign(last?.owner?.id ?? "");
    const steps = await query<{ was: string | null; is: string }>(
      `SELECT before->>'owner_id' AS was, after->>'owner_id' AS is FROM audit_entry
       WHERE merchant_id = $1 AND action = 'exception.assign'`,
      merchant.merchantId,
    );
    expect(new Set(steps.map(({ was }) => was)).size).toBe(new Set(steps.map(({ was, is }) => `${was} ${is}`)).size);
    expect(steps.filter(({ was }) => was === null)).toHaveLength(1);
    for (const { was, is } of steps) expect(was).not.toBe(is);
  });

  it("owners are those who may decide, and others while they own open ones", async () => {
    const ana = await colleague("admin");
    const others = [await colleague("developer"), await colleague("owner", (await makeMerchant()).merchantId)];
    const gone = await colleague("finance");
    const id = await opened();
    await exceptions.assignMany({ environment: "test", ids: [id], member_id: gone });
    await query("UPDATE member SET disabled_at = now() WHERE id = $1", gone);
    const owners = async () =>
      Object.fromEntries((await exceptions.owners({ environment: "test" })).map((one) => [one.id, one.may_own]));
    const before = await owners();
    expect(before).toMatchObject({ [memberId]: true, [ana]: true, [gone]: false });
    for (const other of others) expect(before).not.toHaveProperty(other);
    await exceptions.assignMany({ environment: "test", ids: [id], member_id: ana });
    expect(await owners()).not.toHaveProperty(gone);
  });

  it("finds an owner's few open ones, and nobody's, without reading the others", async () => {
    await query(
      `INSERT INTO exception (merchant_id, id, environment, kind, object_id, fact, detail, opened_at, owner_id)
       SELECT $1, 'exc_' || n || $1, 'test', 'stuck', 'o' || n, 'stuck:o' || n, '{}', now() - n * interval '1 s',
              CASE WHEN n % 1000 = 0 THEN $2 WHEN n % 10 = 1 THEN NULL ELSE 'mem_other' END
       FROM generate_series(1, 20000) n`,
      merchant.merchantId,
      memberId,
    );
    await queryAsOwner("ANALYZE exception");
    for (const owner of [memberId, null]) {
      const condition = owner === null ? "owner_id IS NULL" : `owner_id = '${owner}'`;
      const [row] = await query<{ "QUERY PLAN": [{ Plan: object }] }>(
        `EXPLAIN (ANALYZE, FORMAT JSON) SELECT id FROM exception WHERE merchant_id = '${merchant.merchantId}'
         AND environment = 'test' AND resolved_at IS NULL AND ${condition} ORDER BY opened_at DESC, id DESC LIMIT 26`,
      );
      const plan = JSON.stringify(row?.["QUERY PLAN"]);
      expect(plan).not.toMatch(/"Rows Removed by Filter":[1-9]/);
      expect(plan).not.toContain('"Sort"');
    }
  });
});

it("of two who resolve the same at once, each exception is resolved once", async () => {
  const ids = await Promise.all([1, 2, 3].map(() => opened())).then(() => openIds());
  const input = { environment: "test" as const, ids };
  const both = await Promise.all(
    ["Mine.", "Yours."].map((resolution) => exceptions.resolveMany({ ...input, resolution })),
  );
  for (const id of ids) expect(both.flat().filter((result) => result.id === id && result.done)).toHaveLength(1);
  expect(await audited("exception.resolve")).toEqual([...ids].sort());
});

it("at most 50 at once", async () => {
  const ids = Array.from({ length: 51 }, () => newId("exception"));
  await expect(exceptions.assignMany({ environment: "test", ids, member_id: memberId })).rejects.toMatchObject({
    code: "BAD_REQUEST",
  });
});
