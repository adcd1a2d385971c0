// The logs of the two cells of a move have partitions of other days, and workers drop what is old while the move runs.
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
import { disconnect } from "@/server/db/client";
import { asOwnerOf } from "@/server/db/testing/move-by-hand";
import { openTwoCells, type TwoCells } from "@/server/db/testing/second-cell";
import { type Cell, inCell, inEachCell } from "@/server/platform/cell";
import { idBoundAt } from "@/server/platform/ids";
import { reachEveryMerchant } from "@/server/platform/reach";
import { requireInvariants } from "@/server/testing/invariants";
import { makeLiveMerchant } from "@/server/testing/merchant";
import { catchStandardError } from "@/server/testing/standard-error";

vi.setConfig({ testTimeout: 180_000 });

const DAY_MS = 86_400_000;
const KEPT_DAYS = 7;
const ROWS = 50;

let cells: TwoCells;
let first: Cell;
let second: Cell;
/** Runs at each line that a move says. */
let atLine: (line: string) => unknown = () => undefined;

beforeAll(async () => {
  reachEveryMerchant();
  catchStandardError((line) => atLine(line));
  cells = await openTwoCells();
  ({ first, second } = cells);
});
afterAll(async () => {
  await inEachCell(requireInvariants);
  await disconnect();
  await cells.end();
});

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);
const move = (merchantId: string, to: Cell) =>
  runCommand("merchants", "move", "--merchant", merchantId, "--to", to.name, "--experimental");

/** What a worker of the cell does with the API log at that time; returns how much it changed. */
const keepAt = (cell: Cell, at: Date) =>
  asOwnerOf(cell, async (client) => {
    const sql = "SELECT keep_log_partitions_at('api_log', $1, $2) AS changed";
    return Number((await client.query<{ changed: number }>(sql, [KEPT_DAYS, at])).rows[0]?.changed);
  });

/** Requests of that time, with ids of that time. */
const logAt = (cell: Cell, merchantId: string, at: Date) =>
  asOwnerOf(cell, (client) =>
    client.query(
      `INSERT INTO api_log (merchant_id, environment, id, api_key_id, method, route, path, status, duration_us, address, created_at)
       SELECT $1, 'live', $2 || lpad(n::text, 16, '0'), 'key_1', 'GET', '', '/', 200, 1, '', $3 FROM generate_series(1, $4) AS n`,
      [merchantId, idBoundAt("request", at), at, ROWS],
    ),
  );

const countIn = (cell: Cell, merchantId: string) =>
  asOwnerOf(cell, async (client) => {
    const sql = "SELECT count(*)::int AS count FROM api_log WHERE merchant_id = $1";
    return (await client.query<{ count: number }>(sql, [merchantId])).rows[0]?.count;
  });

it("rows that one cell would drop sooner than the other are moved, and go after the move", async () => {
  const { merchantId } = await inCell(first, makeLiveMerchant);
  await logAt(first, merchantId, inDays(-KEPT_DAYS - 1));
  // The second cell has no partition of that day any more, the first one still has.
  expect(await keepAt(second, inDays(KEPT_DAYS + 3))).toBeGreaterThan(0);
  let ending = false;
  const failures: unknown[] = [];
  const worker = (async () => {
    while (!ending) await keepAt(second, new Date()).catch((error: unknown) => failures.push(error));
  })();
  const said: string[] = [];
  atLine = (line) => said.push(line);
  const done = await move(merchantId, second);
  ending = true;
  await worker;
  expect(done).toMatchObject({ phase: "done" });
  expect(said.filter((line) => /stays open|[1-9]\d* differed/.test(line))).toEqual([]);
  expect(failures).toEqual([]);
  await keepAt(second, new Date());
  expect(await countIn(second, merchantId)).toBe(0);
});

it("rows whose partition would go in the old cell during the move stay for so long", async () => {
  const { merchantId } = await inCell(first, makeLiveMerchant);
  await logAt(first, merchantId, inDays(-1));
  const changed: number[] = [];
  const work: Promise<unknown>[] = [];
  atLine = (line) => {
    if (/^(following|comparing|compared|pausing)/.test(line))
      work.push(keepAt(first, inDays(KEPT_DAYS + 3)).then((count) => changed.push(count)));
  };
  const done = await move(merchantId, second);
  atLine = () => undefined;
  await Promise.all(work);
  expect(work.length).toBeGreaterThan(3);
  expect(done).toMatchObject({ phase: "done", rows: { api_log: ROWS } });
  // Partitions of the next days were made meanwhile.
  expect(changed.some((count) => count > 0)).toBe(true);
  expect(await keepAt(first, inDays(KEPT_DAYS + 3))).toBeGreaterThan(0);
});

it("an aborted move lets the logs of both cells go on", async () => {
  const { merchantId } = await inCell(first, makeLiveMerchant);
  const at = inDays(KEPT_DAYS + 20);
  await logAt(first, merchantId, at);
  const stop = new Error("stopped");
  atLine = (line) => {
    if (line.startsWith("comparing")) throw stop;
  };
  expect(await move(merchantId, second)).toMatchObject({ code: "internal_error" });
  atLine = () => undefined;
  const until = inDays(2 * KEPT_DAYS + 25);
  await keepAt(first, until);
  expect(await countIn(first, merchantId)).toBe(ROWS);
  expect(await runCommand("merchants", "move", "--merchant", merchantId, "--abort")).toMatchObject({
    phase: "aborted",
  });
  await keepAt(first, until);
  expect(await countIn(first, merchantId)).toBe(0);
});
