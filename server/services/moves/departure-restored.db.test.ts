// The old cell of a move that is done is restored to the moment between the departure and the removal of the rows.
import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
import { type Cell, inEachCell } from "@/server/platform/cell";
import { settleStays } from "../cells/settle-stays";
import { settleAbandonedMoves } from "./abandoned";
import { removeLeftTriggers } from "./leftovers";
import { fenceIn, rowsOf, tracesIn } from "./testing/rows";
import { eu2, eu3, killedAt, main, makeOne, move, sql, threeCells } from "./testing/three-cells";

const cells = threeCells();

const HAS_SWITCHED = /UPDATE merchant_move SET paused_ms/;
const drop = (merchantId: string, from: Cell) =>
  runCommand("merchants", "drop-copy", "--merchant", merchantId, "--from", from.name);
const keepsLogs = async () => (await sql(eu2(), "SELECT logs_lose_nothing() AS keeps"))[0]?.["keeps"];

/** A merchant that has moved from eu2 to main; eu2 has its rows again. */
async function withRestoredDeparture(): Promise<string> {
  const merchantId = await makeOne(eu2());
  await killedAt(HAS_SWITCHED, merchantId, main());
  const between = await cells.backUp(eu2());
  expect(await move(merchantId, main())).toMatchObject({ phase: "done" });
  await cells.pointTo([null, between]);
  for (const round of [settleStays, settleStays, settleAbandonedMoves, removeLeftTriggers])
    await inEachCell<unknown>(round);
  expect(await fenceIn(eu2(), merchantId)).toBe("left main");
  return merchantId;
}

it("drop-copy removes the rows and the notes of the move, so that the logs of the cell lose what is old again", async () => {
  const merchantId = await withRestoredDeparture();
  const newer = await rowsOf(main(), merchantId);
  expect((await rowsOf(eu2(), merchantId))["merchant"]).toHaveLength(1);
  expect(await keepsLogs()).toBe(true);
  const select = /SELECT f\.merchant[^;]*;/.exec(await readFile("docs/operating.md", "utf8"))?.[0] ?? "";
  expect(await sql(eu2(), select)).toEqual([{ merchant: merchantId, other_cell: "main" }]);
  expect(await drop(merchantId, eu2())).toMatchObject({ removed_from: "eu2", cell: "main" });
  expect([await rowsOf(eu2(), merchantId), await tracesIn(eu2()), await keepsLogs()]).toEqual([{}, [], false]);
  expect([await fenceIn(eu2(), merchantId), await rowsOf(main(), merchantId)]).toEqual(["left main", newer]);
  // Nothing is left to remove.
  expect(await drop(merchantId, eu2())).toMatchObject({ code: "validation_failed" });
});

it("drop-copy ends the notes of the move also where it was killed after it had removed the rows", async () => {
  const merchantId = await withRestoredDeparture();
  const [noting] = await sql(eu2(), "SELECT move_id FROM merchant_move_noting WHERE merchant = $1", merchantId);
  expect(await drop(merchantId, eu2())).toMatchObject({ cell: "main" });
  const note = "INSERT INTO merchant_move_noting (move_id, merchant) VALUES ($1, $2)";
  await sql(eu2(), note, noting?.["move_id"], merchantId);
  expect(await drop(merchantId, eu2())).toMatchObject({ cell: "main" });
  expect([await tracesIn(eu2()), await keepsLogs()]).toEqual([[], false]);
});

it("drop-copy leaves the rows to an open move, which removes them itself", async () => {
  const merchantId = await makeOne(eu2());
  await killedAt(HAS_SWITCHED, merchantId, main());
  const rows = await rowsOf(eu2(), merchantId);
  expect(await drop(merchantId, eu2())).toMatchObject({ code: "validation_failed" });
  expect(await rowsOf(eu2(), merchantId)).toEqual(rows);
  expect(await move(merchantId, main())).toMatchObject({ phase: "done" });
});

it("drop-copy leaves the rows while the cell that has the merchant is away, or was restored to an earlier stay", async () => {
  const merchantId = await makeOne(main());
  expect(await move(merchantId, eu3())).toMatchObject({ phase: "done" });
  const earlier = await cells.backUp(eu3());
  expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
  await killedAt(HAS_SWITCHED, merchantId, eu3());
  const between = await cells.backUp(eu2());
  expect(await move(merchantId, eu3())).toMatchObject({ phase: "done" });
  for (const third of ["postgresql://nobody:x@127.0.0.1:1/none", earlier]) {
    await cells.pointTo([null, between, third]);
    expect(await drop(merchantId, eu2())).toMatchObject({ code: "validation_failed" });
    expect(Object.keys(await rowsOf(eu2(), merchantId))).toContain("merchant");
  }
});
