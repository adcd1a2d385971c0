// Millions of rows of a merchant may change while it is copied: the mover reads them in parts, and swaps of names stay right.
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
import { disconnect } from "@/server/db/client";
import { MOVER_NAME } from "@/server/db/moves/owner";
import { asOwnerOf } from "@/server/db/testing/move-by-hand";
import { openPlainCells, type PlainCells } from "@/server/db/testing/plain-owners";
import { type Cell, inCell, inEachCell } from "@/server/platform/cell";
import { reachEveryMerchant } from "@/server/platform/reach";
import { requireInvariants } from "@/server/testing/invariants";
import { makeLiveMerchant } from "@/server/testing/merchant";
import { catchStandardError } from "@/server/testing/standard-error";
import { ROWS_AT_ONCE } from "./move";
import { rowsOf, tracesIn } from "./testing/rows";

vi.setConfig({ testTimeout: 3_600_000 });

/** More than fit in a few parts. NOTES=1000000 with --max-old-space-size shows that the number does not matter. */
const NOTES = Number(process.env["NOTES"] ?? 5_500);

let cells: PlainCells;
let first: Cell;
let second: Cell;
let atLine: (line: string) => unknown = () => undefined;

beforeAll(async () => {
  reachEveryMerchant();
  catchStandardError((line) => atLine(line));
  cells = await openPlainCells();
  ({ first, second } = cells);
});
afterEach(() => {
  atLine = () => undefined;
});
afterAll(async () => {
  await inEachCell(requireInvariants);
  await disconnect();
  await cells.end();
});

/** Counts what each statement of a move reads and sends at most. */
function watchMover() {
  const own = Client.prototype.query as (this: Client, ...given: unknown[]) => Promise<{ rows?: unknown[] }>;
  const most = { read: 0, sent: 0 };
  const spy = vi.spyOn(Client.prototype, "query").mockImplementation(function (this: Client, ...given: unknown[]) {
    const { application_name } = (this as unknown as { connectionParameters: { application_name?: string } })
      .connectionParameters;
    const answer = own.apply(this, given);
    if (application_name !== MOVER_NAME) return answer as never;
    for (const value of (given[1] as unknown[] | undefined) ?? [])
      if (Array.isArray(value)) most.sent = Math.max(most.sent, value.length);
    return answer.then((result) => {
      most.read = Math.max(most.read, result.rows?.length ?? 0);
      return result;
    }) as never;
  } as never);
  return { most, restore: () => spy.mockRestore() };
}

const terms = (from: number, to: number) => `
  INSERT INTO search_term (merchant_id, environment, kind, field, term, rank, object_id)
  SELECT $1, 'live', 'payment_intent', 'reference', 'term-' || n, -n, 'dord_' || n FROM generate_series(${from}, ${to}) AS n`;

it("notes of many rows are read in parts, and what they say is copied", async () => {
  const { merchantId } = await inCell(first, makeLiveMerchant);
  const asOwner = (sql: string) => asOwnerOf(first, (client) => client.query(sql, [merchantId]));
  await asOwner(terms(1, 10));
  const change: Promise<unknown>[] = [];
  atLine = (line) => {
    if (line.startsWith("following")) change.push(asOwner(terms(11, NOTES + 10)));
  };
  const watch = watchMover();
  let heap = 0;
  const sampler = setInterval(() => {
    heap = Math.max(heap, process.memoryUsage().heapUsed);
  }, 50);
  const begun = performance.now();
  const done = await runCommand("merchants", "move", "--merchant", merchantId, "--to", second.name, "--experimental");
  clearInterval(sampler);
  watch.restore();
  await Promise.all(change);
  expect(change).toHaveLength(1);
  expect(done).toMatchObject({ phase: "done", rows: { search_term: NOTES + 10 } });
  expect(watch.most).toEqual({ read: ROWS_AT_ONCE, sent: ROWS_AT_ONCE });
  expect([await rowsOf(first, merchantId), await tracesIn(first)]).toEqual([{}, []]);
  if (process.env["NOTES"]) {
    const [seconds, megabytes] = [Math.round((performance.now() - begun) / 1_000), Math.round(heap / 1e6)];
    process.stdout.write(`${NOTES} notes: ${seconds} s, heap up to ${megabytes} MB\n`);
  }
});

it("names that go from row to row among many changed rows do not collide", async () => {
  const { merchantId } = await inCell(first, makeLiveMerchant);
  const count = 2_500;
  const asOwner = (sql: string) => asOwnerOf(first, (client) => client.query(sql, [merchantId]));
  // Each email becomes that of the next member: a table with a name that is unique.
  await asOwner(`INSERT INTO member (merchant_id, id, email, password_hash, roles)
    SELECT $1, 'mem_' || lpad(n::text, 26, '0'), 'p' || lpad(n::text, 6, '0') || '@shop.example', 'none', ARRAY['finance']
    FROM generate_series(1, ${count}) AS n`);
  const change: Promise<unknown>[] = [];
  atLine = (line) => {
    if (!line.startsWith("following")) return;
    const work = async () => {
      const ours = "WHERE merchant_id = $1 AND email LIKE";
      await asOwner(`UPDATE member SET email = 'x' || email ${ours} 'p______@shop.example'`);
      const next = `lpad((((substr(email, 3, 6)::int) % ${count}) + 1)::text, 6, '0')`;
      await asOwner(`UPDATE member SET email = 'p' || ${next} || '@shop.example' ${ours} 'xp______@shop.example'`);
    };
    change.push(work());
  };

  const done = await runCommand("merchants", "move", "--merchant", merchantId, "--to", second.name, "--experimental");
  await Promise.all(change);
  expect(done).toMatchObject({ phase: "done" });
  const emails = await asOwnerOf(second, (client) =>
    client.query<{ id: string; email: string }>(
      "SELECT id, email FROM member WHERE merchant_id = $1 AND email LIKE 'p______@shop.example' ORDER BY id",
      [merchantId],
    ),
  );
  expect(emails.rows).toHaveLength(count);
  expect(emails.rows.slice(0, 2).map(({ email }) => email)).toEqual(["p000002@shop.example", "p000003@shop.example"]);
  expect(emails.rows.at(-1)?.email).toBe("p000001@shop.example");
  expect(await rowsOf(first, merchantId)).toEqual({});
});
