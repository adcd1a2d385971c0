// Lines of the operator's settlement files move with their merchant: whenever a file is imported, nothing is settled twice and
// nothing is lost.
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
import { disconnect, query } from "@/server/db/client";
import { openPlainCells, type PlainCells } from "@/server/db/testing/plain-owners";
import { type Cell, inCell, inEachCell } from "@/server/platform/cell";
import { reachEveryMerchant } from "@/server/platform/reach";
import { requireInvariants } from "@/server/testing/invariants";
import { makeMerchant, payment, type TestMerchant } from "@/server/testing/merchant";
import { catchStandardError } from "@/server/testing/standard-error";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { reconcile } from "../reconciliation/reconcile";
import { simulate } from "../sandbox/simulate";
import { fenceIn } from "./testing/rows";

// The time these tests set is what the service takes for the database's.
vi.mock("@/server/platform/clock", async (original) => ({ ...(await original<object>()), now: () => new Date() }));
vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

const DAY = 24 * 60 * 60_000;
let day = Date.UTC(2027, 7, 1);
let cells: PlainCells;
let first: Cell;
let second: Cell;
/** Lives in the first cell at the beginning of each test. */
let moving: TestMerchant;
/** Lives in the first cell, and in the second one, throughout. */
let neighbors: readonly [TestMerchant, TestMerchant];
/** Where the moving merchant is. */
let here: Cell;

beforeAll(async () => {
  reachEveryMerchant();
  catchStandardError();
  cells = await openPlainCells();
  ({ first, second } = cells);
});
beforeEach(async () => {
  day += DAY;
  vi.useFakeTimers({ toFake: ["Date"], now: day + 9 * 60 * 60_000 });
  moving = await inCell(first, () => makeMerchant());
  neighbors = [await inCell(first, () => makeMerchant()), await inCell(second, () => makeMerchant())];
  here = first;
});
afterEach(async () => {
  vi.useRealTimers();
  await inEachCell(requireInvariants);
});
afterAll(async () => {
  await disconnect();
  await cells.end();
});

async function move(): Promise<void> {
  const to = here === first ? second : first;
  const { merchantId } = moving;
  const done = await runCommand("merchants", "move", "--merchant", merchantId, "--to", to.name, "--experimental");
  expect(done).toMatchObject({ phase: "done" });
  expect(await fenceIn(to, merchantId)).toBeNull();
  here = to;
}

/** A paid payment of 1,050; returns its id. */
function paid(cell: Cell, { context }: TestMerchant): Promise<string> {
  return inCell(cell, async () => {
    const { id } = (await createPaymentIntent(context, payment(), withoutIdempotency())).intent;
    await simulate(context, id, "succeeded");
    return id;
  });
}

type Row = readonly [kind: string, reference: string, amount: number, fee?: number];

/** A file of the day whose lines have ids of their own. */
function fileOf(name: string, rows: readonly Row[]): () => ReturnType<typeof reconcile> {
  const lines = rows.map(([kind, reference, amount, fee = 0], n) =>
    [
      `${day}-${name}-${n}`,
      kind,
      reference,
      `${name}-${n}`,
      amount,
      "BRL",
      fee,
      new Date(day + n).toISOString(),
      name,
    ].join(),
  );
  const header = "line_id,kind,reference,provider_reference,amount,currency,fee,settled_at,batch";
  const bytes = new TextEncoder().encode([header, ...lines, ""].join("\n"));
  const bounds = { from: new Date(day), to: new Date(day + DAY) };
  return () => reconcile({ provider: "sandbox", environment: "test", name: `${name}.csv`, bytes, ...bounds });
}

/** What a cell has of the moving merchant: its settled lines with the names of their files, its fees and its bank transfers. */
async function settledIn(cell: Cell): Promise<{ lines: string[]; fees: number; transfers: number }> {
  return inCell(cell, async () => {
    const lines = await query<{ line: string }>(
      `SELECT f.name || ' ' || l.row || ' ' || l.verdict AS line
       FROM settlement_line l JOIN settlement_file f ON (f.provider, f.id) = (l.provider, l.file_id)
       WHERE l.merchant_id = $1 ORDER BY 1`,
      moving.merchantId,
    );
    const booked = await query<{ reason: string; n: number }>(
      "SELECT reason, count(*)::int AS n FROM ledger_transaction WHERE merchant_id = $1 GROUP BY reason",
      moving.merchantId,
    );
    const count = (reason: string) => booked.find((one) => one.reason === reason)?.n ?? 0;
    return {
      lines: lines.map(({ line }) => line),
      fees: count("provider_fee"),
      transfers: count("provider_settlement"),
    };
  });
}

/** Of both cells, only the one that the merchant is in has something. */
async function settled(): ReturnType<typeof settledIn> {
  expect(await settledIn(here === first ? second : first)).toEqual({ lines: [], fees: 0, transfers: 0 });
  return settledIn(here);
}

/** Lines of the day in both cells together, without those of merchants. */
async function operatorsLines(): Promise<number> {
  const sql = "SELECT count(*)::int AS n FROM settlement_line WHERE line_id LIKE $1 AND merchant_id IS NULL";
  const counts = await inEachCell(() => query<{ n: number }>(sql, `${day}-%`));
  return counts.flat().reduce((sum, one) => sum + (one as { n: number }).n, 0);
}

it("a file that was imported before both moves is known after each of them", async () => {
  const rows: Row[] = [
    ["payment", await paid(first, moving), 1050, 10],
    ["payment", await paid(first, neighbors[0]), 1050, 20],
    ["payment", await paid(second, neighbors[1]), 1050, 30],
    ["bank_credit", "", 3 * 1050 - 60],
  ];
  const file = fileOf("before", rows);
  const imported = await file();
  expect([imported.isKnown, imported.feesBooked, imported.failedCells]).toEqual([false, 3, []]);
  const expected = { lines: ["before.csv 2 matched"], fees: 1, transfers: 1 };
  expect(await settled()).toEqual(expected);
  for (let at = 0; at < 2; at += 1) {
    await move();
    expect(await settled()).toEqual(expected);
    const again = await file();
    expect([again.isKnown, again.feesBooked, again.linesBanked, again.unsettled]).toEqual([true, 0, 0, []]);
    expect(again.lines.map(({ verdict }) => verdict)).toEqual(["matched", "matched", "matched", "bank"]);
    expect(await settled()).toEqual(expected);
    expect(await operatorsLines()).toBe(1);
  }
});

it("files that are imported after each move settle payments of either cell once", async () => {
  const old = await paid(first, moving);
  await move();
  const there = await paid(second, moving);
  const after = fileOf("after", [
    ["payment", old, 1050, 10],
    ["payment", there, 1050, 20],
    ["payment", await paid(first, neighbors[0]), 1050, 30],
    ["bank_credit", "", 3 * 1050 - 60],
  ]);
  const imported = await after();
  expect(imported.lines.map(({ verdict }) => verdict)).toEqual(["matched", "matched", "matched", "bank"]);
  expect([imported.feesBooked, imported.unsettled]).toEqual([3, []]);
  const one = { lines: ["after.csv 2 matched", "after.csv 3 matched"], fees: 2, transfers: 2 };
  expect(await settled()).toEqual(one);

  await move();
  expect(await settled()).toEqual(one);
  const again = await after();
  expect([again.isKnown, again.feesBooked, again.linesBanked, again.unsettled]).toEqual([true, 0, 0, []]);
  expect(await settled()).toEqual(one);

  // A payment that was made in the second cell, and one that is settled only after the way back.
  const back = fileOf("back", [
    ["payment", await paid(first, moving), 1050, 5],
    ["payment", await paid(second, neighbors[1]), 1050, 5],
    ["bank_credit", "", 2 * 1050 - 10],
  ]);
  const later = await back();
  expect(later.lines.map(({ verdict }) => verdict)).toEqual(["matched", "matched", "bank"]);
  expect([later.feesBooked, later.unsettled]).toEqual([2, []]);
  const both = { lines: [...one.lines, "back.csv 2 matched"], fees: 3, transfers: 3 };
  expect(await settled()).toEqual(both);

  await move();
  expect(await settled()).toEqual(both);
  for (const file of [after, back]) {
    const known = await file();
    expect([known.isKnown, known.feesBooked, known.linesBanked, known.unsettled]).toEqual([true, 0, 0, []]);
  }
  expect(await settled()).toEqual(both);
  expect(await operatorsLines()).toBe(2);
});

it("a line whose payment is settled already is settled only once, wherever the merchant is", async () => {
  const id = await paid(first, moving);
  await fileOf("one", [["payment", id, 1050, 10]])();
  for (const name of ["two", "three"]) {
    await move();
    const { lines, feesBooked } = await fileOf(name, [["payment", id, 1050, 10]])();
    expect([name, lines.map(({ verdict }) => verdict), feesBooked]).toEqual([name, ["duplicate"], 0]);
  }
  expect((await settled()).fees).toBe(1);
});
