// A provider's settlement file with lines about merchants of two cells.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { disconnect, query } from "@/server/db/client";
import { fence, moveByHand } from "@/server/db/testing/move-by-hand";
import { type CellsOfTest, openCellsWithMerchants, type Resident, whileAway } from "@/server/db/testing/residents";
import { type Cell, inCell, inEachCell } from "@/server/platform/cell";
import { requireInvariants } from "@/server/testing/invariants";
import { payment } from "@/server/testing/merchant";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { simulate } from "../sandbox/simulate";
import { type Reconciliation, reconcile } from "./reconcile";

// The time these tests set is what the service takes for the database's.
vi.mock("@/server/platform/clock", async (original) => ({ ...(await original<object>()), now: () => new Date() }));

const DAY = 24 * 60 * 60_000;
/** Every test has a day of its own, so that one sandbox serves them all. */
let day = Date.UTC(2027, 5, 1);
let cells: CellsOfTest;
let residents: readonly Resident[];

beforeAll(async () => {
  cells = await openCellsWithMerchants("test");
  residents = [cells.ours, cells.theirs];
});
beforeEach(() => {
  day += DAY;
  vi.useFakeTimers({ toFake: ["Date"], now: day + 9 * 60 * 60_000 });
});
afterEach(async () => {
  vi.useRealTimers();
  await inEachCell(requireInvariants);
});
afterAll(async () => {
  await disconnect();
  await cells.end();
});

/** A paid payment of 1,050; returns its id. */
function paid(resident: Resident): Promise<string> {
  return inCell(resident.cell, async () => {
    const { context } = resident.merchant;
    const { id } = (await createPaymentIntent(context, payment(), withoutIdempotency())).intent;
    await simulate(context, id, "succeeded");
    return id;
  });
}

type Row = readonly [kind: string, reference: string, amount: number, fee?: number, batch?: string];

function importFile(rows: readonly Row[]): Promise<Reconciliation> {
  const lines = rows.map(([kind, reference, amount, fee = 0, batch = ""], n) =>
    [`${day}-${n}`, kind, reference, `px-${n}`, amount, "BRL", fee, new Date(day + n).toISOString(), batch].join(","),
  );
  const header = "line_id,kind,reference,provider_reference,amount,currency,fee,settled_at,batch";
  const bytes = new TextEncoder().encode([header, ...lines, ""].join("\n"));
  const bounds = { from: new Date(day), to: new Date(day + DAY) };
  return reconcile({ provider: "sandbox", environment: "test", name: "day.csv", bytes, ...bounds });
}

const verdicts = ({ lines }: Reconciliation) => lines.map(({ verdict }) => verdict);
const storedIn = (cell: Cell) =>
  inCell(cell, () =>
    query<{ row: number; verdict: string; merchant_id: string | null }>(
      `SELECT l.row, l.verdict, l.merchant_id FROM settlement_line l WHERE l.line_id LIKE $1 ORDER BY l.row`,
      `${day}-%`,
    ),
  );
const bookedIn = async ({ cell, merchant }: Resident, reason: string) => {
  const sql = `SELECT count(*)::int AS n FROM ledger_transaction WHERE merchant_id = $1 AND reason = $2
    AND created_at >= $3::timestamptz AND created_at < $4::timestamptz`;
  const values = [merchant.merchantId, reason, new Date(day), new Date(day + DAY)];
  return (await inCell(cell, () => query<{ n: number }>(sql, ...values)))[0]?.n;
};
const openIn = (cell: Cell) =>
  inCell(cell, () =>
    query<{ kind: string; merchant_id: string | null }>(
      "SELECT kind, merchant_id FROM exception WHERE resolved_at IS NULL AND opened_at >= $1::timestamptz ORDER BY kind",
      new Date(day),
    ),
  );

describe("the operator's file", () => {
  it("is settled line by line in the cells of its references, fees and bank transfer included, once", async () => {
    const [ours, theirs] = await Promise.all(residents.map(paid));
    const rows: Row[] = [
      ["payment", ours ?? "", 1050, 12],
      ["payment", theirs ?? "", 1050, 20],
      ["fee", "", 5],
      ["bank_credit", "", 2063],
    ];
    const first = await importFile(rows);
    expect(verdicts(first)).toEqual(["matched", "matched", "fee", "bank"]);
    expect([first.feesBooked, first.linesBanked, first.failedCells]).toEqual([2, 2, []]);
    expect(first.elsewhere).toEqual([{ cell: "eu2", id: expect.stringMatching(/^stf_.{11}e2/) as string }]);
    const { merchantId } = cells.theirs.merchant;
    expect((await storedIn(cells.first)).map(({ row, verdict }) => [row, verdict])).toEqual([
      [2, "matched"],
      [4, "fee"],
      [5, "bank"],
    ]);
    expect(await storedIn(cells.second)).toEqual([{ row: 3, verdict: "matched", merchant_id: merchantId }]);
    for (const resident of residents) expect(await bookedIn(resident, "provider_fee")).toBe(1);
    for (const resident of residents) expect(await bookedIn(resident, "provider_settlement")).toBe(1);
    const again = await importFile(rows);
    expect([again.isKnown, again.feesBooked, again.linesBanked]).toEqual([true, 0, 0]);
    expect(again.unsettled).toEqual([]);
    expect(await openIn(cells.second)).toEqual([]);
  });

  it("that lacks a payment of one cell opens its exception there", async () => {
    const [ours] = await Promise.all(residents.map(paid));
    const done = await importFile([["payment", ours ?? "", 1050]]);
    expect(done.unsettled.map(({ merchantId }) => merchantId)).toEqual([cells.theirs.merchant.merchantId]);
    expect(await openIn(cells.first)).toEqual([]);
    expect(await openIn(cells.second)).toMatchObject([{ merchant_id: cells.theirs.merchant.merchantId }]);
  });

  it("with forged tags settles nothing, and each such line is an unknown reference of one cell", async () => {
    const [ours, theirs] = await Promise.all(residents.map(paid));
    const forged = [
      (theirs ?? "").replace(/^(dord_.{11})e2/, "$1zz"),
      (theirs ?? "").replace(/^(dord_.{11})e2/, "$1E2"),
      (ours ?? "").replace(/^(dord_.{10}).../, "$1ge2"),
    ];
    const done = await importFile(forged.map((reference): Row => ["payment", reference, 1050]));
    expect(verdicts(done)).toEqual(["missing_internal", "missing_internal", "missing_internal"]);
    expect((await storedIn(cells.first)).map(({ row }) => row)).toEqual([2, 3]);
    expect((await storedIn(cells.second)).map(({ row }) => row)).toEqual([4]);
    expect(done.unsettled).toHaveLength(2);
  });

  it("is imported without a cell that is away; importing it again does the rest, and nothing twice", async () => {
    const [ours, theirs] = await Promise.all(residents.map(paid));
    const rows: Row[] = [
      ["payment", ours ?? "", 1050, 12],
      ["payment", theirs ?? "", 1050, 20],
      ["bank_credit", "", 2068],
    ];
    await whileAway(cells, async () => {
      const partly = await importFile(rows);
      // Without a batch, the bank line would never settle the other cell's line.
      expect(verdicts(partly)).toEqual(["matched"]);
      expect([partly.feesBooked, partly.linesBanked, partly.failedCells]).toEqual([1, 0, ["eu2"]]);
    });
    const whole = await importFile(rows);
    expect(verdicts(whole)).toEqual(["matched", "matched", "bank"]);
    expect([whole.feesBooked, whole.linesBanked, whole.failedCells]).toEqual([1, 2, []]);
    for (const resident of residents) expect(await bookedIn(resident, "provider_settlement")).toBe(1);
  });

  it("is banked while a cell is away that none of its lines belongs to", async () => {
    const [ours] = await Promise.all(residents.map(paid));
    const rows: Row[] = [
      ["payment", ours ?? "", 1050],
      ["bank_credit", "", 1020],
      ["fee", ours ?? "", 30],
    ];
    expect(verdicts(await importFile(rows.slice(0, 2)))).toEqual(["matched", "missing_internal"]);
    await whileAway(cells, async () => {
      const partly = await importFile(rows);
      expect([verdicts(partly), partly.linesBanked]).toEqual([["matched", "bank", "fee"], 2]);
    });
    const whole = await importFile(rows);
    expect([verdicts(whole), whole.linesBanked]).toEqual([["matched", "bank", "fee"], 0]);
  });

  it("of two imports at once books nothing twice", async () => {
    const [ours, theirs] = await Promise.all(residents.map(paid));
    const rows: Row[] = [
      ["payment", ours ?? "", 1050, 12],
      ["payment", theirs ?? "", 1050, 20],
      ["bank_credit", "", 2068],
    ];
    const both = await Promise.all([importFile(rows), importFile(rows)]);
    for (const one of both) expect(verdicts(one)).toEqual(["matched", "matched", "bank"]);
    expect(both.reduce((sum, one) => sum + one.feesBooked, 0)).toBe(2);
    for (const resident of residents) expect(await bookedIn(resident, "provider_settlement")).toBe(1);
  });

  it("with a batch that does not add up over both cells banks nothing in either", async () => {
    const [ours, theirs] = await Promise.all(residents.map(paid));
    const done = await importFile([
      ["payment", ours ?? "", 1050],
      ["payment", theirs ?? "", 1050],
      ["bank_credit", "", 1050],
    ]);
    expect(verdicts(done)).toEqual(["matched", "matched", "missing_internal"]);
    expect(done.linesBanked).toBe(0);
    for (const resident of residents) expect(await bookedIn(resident, "provider_settlement")).toBe(0);
  });

  it("that is faulty is stored in no cell", async () => {
    await expect(importFile([["payment", "dord_1", 0]])).rejects.toMatchObject({ code: "validation_failed" });
    for (const { cell } of residents) expect(await storedIn(cell)).toEqual([]);
  });
});

describe("the operator's file after a move", () => {
  it("is settled where the merchant is now, and not at all while it moves", async () => {
    const { cell, merchant } = cells.ours;
    const id = await paid(cells.ours);
    await fence(cell, merchant.merchantId, "leaving", cells.second);
    await expect(importFile([["payment", id, 1050]])).rejects.toMatchObject({ code: "service_unavailable" });
    expect(await storedIn(cell)).toEqual([]);
    await moveByHand(cell, cells.second, merchant.merchantId);
    const done = await importFile([["payment", id, 1050]]);
    expect(verdicts(done)).toEqual(["matched"]);
    expect(done.unsettled).toEqual([]);
    expect(await storedIn(cell)).toEqual([]);
    expect(await storedIn(cells.second)).toMatchObject([{ verdict: "matched", merchant_id: merchant.merchantId }]);
  });
});
