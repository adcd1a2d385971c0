// A cell that is restored to an earlier time, or failed over to a replica that is behind, lacks a move: whose merchants were open in
// two cells or in none. Copies of whole databases stand for backups. The owner of the tables is a plain role.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
import { disconnect } from "@/server/db/client";
import { noteDatabaseIdentity } from "@/server/db/dispatch-pauses";
import { isMerchantAway } from "@/server/db/failures";
import { createCellBackups } from "@/server/db/testing/cell-backups";
import { asOwnerOf } from "@/server/db/testing/move-by-hand";
import { openPlainCells, type PlainCells } from "@/server/db/testing/plain-owners";
import { configureCells, SECOND_CELL } from "@/server/db/testing/second-cell";
import { allCells, type Cell, inCell, inEachCell } from "@/server/platform/cell";
import { reachEveryMerchant, withinMerchant } from "@/server/platform/reach";
import { withoutIdempotency } from "@/server/services/idempotency/completion";
import { settleAbandonedMoves } from "@/server/services/moves/abandoned";
import { type KilledMover, killMover } from "@/server/services/moves/testing/killed-mover";
import { fenceIn, rowsOf, tracesIn } from "@/server/services/moves/testing/rows";
import { createPaymentIntent } from "@/server/services/payments/create";
import { workExposition } from "@/server/services/work-metrics";
import { makeMerchant, payment, type TestMerchant } from "@/server/testing/merchant";
import { catchStandardError } from "@/server/testing/standard-error";
import { cellOfMerchant } from "./moved";
import { settleStays, settleStaysAtStart, settleStaysOfWorker } from "./settle-stays";

// Bounds for what hangs: two cores may be shared.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

let cells: PlainCells;
/** The addresses of both cells as they were opened. */
let own: { readonly main: string; readonly eu2: string };
let merchant: TestMerchant;
let merchantId: string;
let mover: KilledMover | null = null;
const backups = createCellBackups();
const backUp = backups.take;

const main = () => allCells()[0];
const eu2 = () => allCells()[1] as Cell;

/** Points the cells to databases. */
async function useDatabases(urls: Partial<typeof own>): Promise<void> {
  await disconnect();
  process.env.DATABASE_URL = urls.main ?? own.main;
  configureCells([{ ...SECOND_CELL, url: urls.eu2 ?? own.eu2 }]);
}

beforeAll(async () => {
  reachEveryMerchant();
  catchStandardError();
  cells = await openPlainCells();
  own = { main: cells.first.databaseUrl ?? "", eu2: cells.second.databaseUrl ?? "" };
  // As each start does: from then on a restore shows.
  await inEachCell(noteDatabaseIdentity);
});
beforeEach(async () => {
  merchant = await inCell(main(), makeMerchant);
  ({ merchantId } = merchant);
});
afterEach(async () => {
  mover?.restore();
  mover = null;
  await useDatabases({});
});
afterAll(async () => {
  await backups.drop();
  await useDatabases({});
  await cells.end();
});

const move = (to: Cell) => runCommand("merchants", "move", "--merchant", merchantId, "--to", to.name, "--experimental");
const abort = () => runCommand("merchants", "move", "--merchant", merchantId, "--abort");
const drop = (from: Cell) => runCommand("merchants", "drop-copy", "--merchant", merchantId, "--from", from.name);
const resume = () => runCommand("dispatch", "resume", "--reason", "Reconciled");
const work = () => inEachCell(settleStays);
const fences = async () => [await fenceIn(main(), merchantId), await fenceIn(eu2(), merchantId)];
const pay = (cell: Cell) =>
  inCell(cell, () =>
    withinMerchant(merchantId, () => createPaymentIntent(merchant.context, payment(), withoutIdempotency())),
  );
const pays = (cell: Cell) =>
  pay(cell).then(
    () => true,
    (error: unknown) => {
      if (isMerchantAway(error)) return false;
      throw error;
    },
  );
/** What the first cell notes about the merchant. */
async function noted(): Promise<string> {
  const sql = `SELECT concat_ws(' ', CASE WHEN overtaken_at IS NOT NULL THEN 'overtaken' END,
                 CASE WHEN lost_since IS NOT NULL THEN 'lost' END) AS noted FROM merchant_fence WHERE merchant = $1`;
  const { rows } = await asOwnerOf(main(), (client) => client.query<{ noted: string }>(sql, [merchantId]));
  return rows[0]?.noted ?? "";
}

/** Two looks in a row at all cells: a busy machine may take longer than a connection waits. */
const untilLost = () =>
  vi.waitFor(async () => {
    await work();
    expect(await noted()).toBe("lost");
  }, 120_000);

describe("the old cell restored to a time before the move", () => {
  let restored: string;
  beforeEach(async () => {
    restored = await backUp(main());
    await move(eu2());
    await pay(eu2());
    await useDatabases({ main: restored });
  });

  it("is closed for the merchant at the start of a process, and nothing of the newer cell is lost", async () => {
    expect(await fences()).toEqual([null, null]);
    // What it takes before that.
    expect(await pays(main())).toBe(true);
    const newer = await rowsOf(eu2(), merchantId);
    expect(await move(eu2())).toMatchObject({ message: expect.stringContaining("is open in main and eu2") as string });
    await settleStaysAtStart();
    expect(await fences()).toEqual(["left eu2", null]);
    expect([await pays(main()), await pays(eu2())]).toEqual([false, true]);
    expect((await cellOfMerchant(main(), merchantId)).name).toBe("eu2");
    expect(await noted()).toBe("overtaken");
    const sample = 'sluice_merchants_misplaced{trouble="in_two_cells",cell="main"} 1';
    await vi.waitFor(async () => expect((await workExposition()).split("\n")).toContain(sample), 60_000);

    const older = await rowsOf(main(), merchantId);
    expect(older["payment_intent"]).toHaveLength(1);
    expect(await move(main())).toMatchObject({ message: expect.stringContaining("merchants drop-copy") as string });
    expect(await drop(eu2())).toMatchObject({ code: "validation_failed" });
    expect(await drop(main())).toMatchObject({ removed_from: "main", cell: "eu2" });
    expect(await drop(main())).toMatchObject({ code: "validation_failed" });
    expect([await rowsOf(main(), merchantId), await tracesIn(main())]).toEqual([{}, []]);
    expect(await noted()).toBe("");
    expect((await rowsOf(eu2(), merchantId))["payment_intent"]).toHaveLength(
      (newer["payment_intent"]?.length ?? 0) + 1,
    );
    await resume();
    expect(await move(main())).toMatchObject({ phase: "done" });
    expect(await fences()).toEqual([null, "left main"]);
  });

  it("is closed by a worker, whose loop of its first cell looks at all cells", async () => {
    await inCell(eu2(), settleStaysOfWorker);
    expect(await fences()).toEqual([null, null]);
    await inCell(main(), settleStaysOfWorker);
    expect(await fences()).toEqual(["left eu2", null]);
  });

  it("sends no payout again before the other cell has answered", async () => {
    await useDatabases({ main: restored, eu2: "postgresql://nobody:x@127.0.0.1:1/none" });
    const refused = await resume();
    expect(JSON.stringify(refused)).toContain("The cell eu2 does not answer");
    const paused = async () => {
      const sql = "SELECT database_identity <> current_database_identity() AS paused FROM installation";
      return (await asOwnerOf(main(), (client) => client.query<{ paused: boolean }>(sql))).rows[0]?.paused;
    };
    expect(await paused()).toBe(true);
    await useDatabases({ main: restored });
    await resume();
    expect([await paused(), ...(await fences())]).toEqual([false, "left eu2", null]);
  });

  it("lifts no fence of a killed move while the other cell does not answer", async () => {
    const leaving = "INSERT INTO merchant_fence (merchant, state, other_cell) VALUES ($1, 'leaving', 'eu2')";
    await asOwnerOf(main(), (client) => client.query(leaving, [merchantId]));
    await useDatabases({ main: restored, eu2: "postgresql://nobody:x@127.0.0.1:1/none" });
    await inCell(main(), settleAbandonedMoves);
    expect(await fenceIn(main(), merchantId)).toBe("leaving eu2");
    await useDatabases({ main: restored });
    await inCell(main(), settleAbandonedMoves);
    expect(await fences()).toEqual(["left eu2", null]);
  });
});

it("an older copy stays while the cell that has the merchant was itself restored to an earlier stay", async () => {
  await move(eu2());
  const earlier = await backUp(eu2());
  await move(main());
  const older = await backUp(main());
  expect(await move(eu2())).toMatchObject({ phase: "done" });
  await useDatabases({ main: older });
  await work();
  expect(await fences()).toEqual(["left eu2", null]);
  await useDatabases({ main: older, eu2: earlier });
  const rows = await rowsOf(main(), merchantId);
  expect(await drop(main())).toMatchObject({ code: "validation_failed" });
  expect(await rowsOf(main(), merchantId)).toEqual(rows);
});

it("an older copy stays while its cell does not say for which stay it was closed", async () => {
  await move(eu2());
  const older = await backUp(eu2());
  expect(await move(main())).toMatchObject({ phase: "done" });
  await useDatabases({ eu2: older });
  await work();
  expect(await fences()).toEqual([null, "left main"]);
  const rows = await rowsOf(eu2(), merchantId);
  await disconnect();
  configureCells([{ ...SECOND_CELL, url: "postgresql://nobody:x@127.0.0.1:1/none", direct_url: older }]);
  expect(await drop(eu2())).toMatchObject({ message: "The cell eu2 does not answer." });
  await useDatabases({ eu2: older });
  expect(await rowsOf(eu2(), merchantId)).toEqual(rows);
  expect(await drop(eu2())).toMatchObject({ removed_from: "eu2", cell: "main" });
});

describe("the old cell restored to the middle of the move", () => {
  it.each([
    ["while it copied", /UPDATE merchant_move SET rows_copied/],
    ["right before it left", /SET state = 'left', stay/],
  ])("%s: neither the command nor --abort touches the newer rows", async (_, statement) => {
    mover = killMover(statement, false);
    expect(await move(eu2())).toMatchObject({ code: "service_unavailable" });
    mover.restore();
    const restored = await backUp(main());
    expect(await move(eu2())).toMatchObject({ phase: "done" });
    expect(await pays(eu2())).toBe(true);
    const newer = await rowsOf(eu2(), merchantId);
    await useDatabases({ main: restored });

    for (const attempt of [() => move(eu2()), abort, () => move(eu2())])
      expect(await attempt()).toMatchObject({ code: "validation_failed" });
    expect(await rowsOf(eu2(), merchantId)).toEqual(newer);
    await work();
    expect(await fences()).toEqual(["left eu2", null]);
    expect(await move(eu2())).toMatchObject({ message: expect.stringContaining("merchants drop-copy") as string });
    expect(await abort()).toMatchObject({ code: "validation_failed" });
    expect(await drop(main())).toMatchObject({ cell: "eu2" });
    expect(await rowsOf(eu2(), merchantId)).toEqual(newer);
    expect([await rowsOf(main(), merchantId), await tracesIn(main())]).toEqual([{}, []]);
    await resume();
    expect(await move(main())).toMatchObject({ phase: "done" });
  });
});

describe("the new cell restored to a time before the merchant arrived", () => {
  it("is found, no row of the old cell is removed, and the owner can open the merchant there", async () => {
    const restored = await backUp(eu2());
    // Killed after the merchant has opened, before its rows are removed.
    mover = killMover(/UPDATE merchant_move SET paused_ms/, true);
    expect(await move(eu2())).toMatchObject({ code: "service_unavailable" });
    mover.restore();
    expect(await fences()).toEqual(["left eu2", null]);
    const rows = await rowsOf(main(), merchantId);
    await useDatabases({ eu2: restored });

    await work();
    expect(await noted()).toBe("");
    await untilLost();
    expect(await move(eu2())).toMatchObject({ code: "validation_failed" });
    expect(await rowsOf(main(), merchantId)).toEqual(rows);

    await asOwnerOf(main(), async (client) => {
      await client.query(
        `UPDATE merchant_fence SET state = 'arriving', stay = NULL, opening = NULL, overtaken_at = NULL, lost_since = NULL
         WHERE merchant = $1`,
        [merchantId],
      );
      await client.query("DELETE FROM merchant_fence WHERE merchant = $1", [merchantId]);
      await client.query("UPDATE merchant_move SET phase = 'done', ended_at = now() WHERE merchant = $1", [merchantId]);
    });
    expect(await noted()).toBe("");
    expect(await pays(main())).toBe(true);
    await resume();
    expect(await move(eu2())).toMatchObject({ phase: "done" });
  });

  it("is not reported any more once a later backup is restored", async () => {
    const restored = await backUp(eu2());
    expect(await move(eu2())).toMatchObject({ phase: "done" });
    await useDatabases({ eu2: restored });
    await untilLost();
    await useDatabases({ eu2: "postgresql://nobody:x@127.0.0.1:1/none" });
    await inCell(main(), settleStays);
    expect(await noted()).toBe("lost");
    await useDatabases({});
    await work();
    expect([await noted(), ...(await fences())]).toEqual(["", "left eu2", null]);
  });

  it("and of an earlier stay: that is not served as if it were the last", async () => {
    expect(await move(eu2())).toMatchObject({ phase: "done" });
    const earlier = await backUp(eu2());
    expect(await move(main())).toMatchObject({ phase: "done" });
    mover = killMover(/UPDATE merchant_move SET paused_ms/, true);
    expect(await move(eu2())).toMatchObject({ code: "service_unavailable" });
    mover.restore();
    const rows = await rowsOf(main(), merchantId);
    await useDatabases({ eu2: earlier });
    await untilLost();
    expect(await move(eu2())).toMatchObject({ code: "validation_failed" });
    expect(await rowsOf(main(), merchantId)).toEqual(rows);
  });
});
