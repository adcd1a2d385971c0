// Cells that were restored to before, into or after a move, and what docs/operating.md says about them.
import { readFile } from "node:fs/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
import { allCells, inEachCell } from "@/server/platform/cell";
import { reachEveryMerchant } from "@/server/platform/reach";
import { catchStandardError } from "@/server/testing/standard-error";
import { settleStays } from "../cells/settle-stays";
import { fenceIn, rowsOf, tracesIn } from "./testing/rows";
import {
  abort,
  eu2,
  eu3,
  killedAt,
  main,
  makeOne,
  move,
  openThreeCells,
  sql,
  type ThreeCells,
} from "./testing/three-cells";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

let cells: ThreeCells;

beforeAll(async () => {
  reachEveryMerchant();
  catchStandardError();
  cells = await openThreeCells();
});
afterEach(async () => {
  await cells.pointTo();
});
afterAll(() => cells.end());

it("drop-copy leaves nothing of the move in the new cell, whose logs would never lose anything again", async () => {
  const merchantId = await makeOne(eu2());
  const earlier = await cells.backUp(eu2());
  await killedAt(/UPDATE merchant_move SET paused_ms/, merchantId, eu3());
  await cells.pointTo([null, earlier]);
  await inEachCell(settleStays);
  expect(await fenceIn(eu2(), merchantId)).toBe("left eu3");
  const dropped = await runCommand("merchants", "drop-copy", "--merchant", merchantId, "--from", "eu2");
  expect(dropped).not.toHaveProperty("code");
  expect([await tracesIn(eu2()), await tracesIn(eu3())]).toEqual([[], []]);
});

it("what docs/operating.md says cleans a cell that was restored to the middle of an arrival", async () => {
  const merchantId = await makeOne();
  await killedAt(/count\(\*\)::int AS count FROM api_key/, merchantId, eu2());
  const middle = await cells.backUp(eu2());
  expect(await abort(merchantId)).toMatchObject({ phase: "aborted" });
  await cells.pointTo([null, middle]);
  const noting = async () =>
    (await sql(eu2(), "SELECT FROM merchant_move_noting WHERE merchant = $1 AND ended_at IS NULL", merchantId)).length;
  expect([await fenceIn(eu2(), merchantId), await noting()]).toEqual(["arriving main", 1]);
  await killedAt(/INSERT INTO merchant_fence AS f/, merchantId, eu2());
  expect(await abort(merchantId)).toMatchObject({ phase: "aborted" });
  expect([await fenceIn(eu2(), merchantId), await noting()]).toEqual([null, 0]);
  expect(await rowsOf(eu2(), merchantId)).toEqual({});
});

describe("what docs/operating.md says about a merchant in no cell", () => {
  /** The statements for opening it in the old cell again. */
  async function statements(merchantId: string): Promise<string> {
    const text = await readFile("docs/operating.md", "utf8");
    const block = /A merchant is in no cell[\s\S]*?```sql\n([\s\S]*?)```/.exec(text)?.[1] ?? "";
    expect(block).toContain("DELETE FROM merchant_fence");
    return block.replaceAll("mer_…", merchantId);
  }
  it("leaves no noting behind, for which the logs of all merchants would grow", async () => {
    const merchantId = await makeOne();
    const before = await cells.backUp(eu2());
    await killedAt(/UPDATE merchant_move SET paused_ms/, merchantId, eu2());
    await cells.pointTo([null, before]);
    await sql(main(), await statements(merchantId));
    const open = "SELECT merchant FROM merchant_move_noting WHERE merchant = $1 AND ended_at IS NULL";
    expect(await sql(main(), open, merchantId)).toEqual([]);
  });

  it("makes the old cell the newer one, so that a later restore of the other does not close it", async () => {
    const merchantId = await makeOne();
    const before = await cells.backUp(eu2());
    await killedAt(/UPDATE merchant_move SET paused_ms/, merchantId, eu2());
    const later = await cells.backUp(eu2());
    await cells.pointTo([null, before]);
    await sql(main(), await statements(merchantId));
    await sql(main(), "UPDATE merchant SET name = 'Went on' WHERE id = $1", merchantId);
    // Somebody has found a later backup.
    await cells.pointTo([null, later]);
    await inEachCell(settleStays);
    const fences = [await fenceIn(main(), merchantId), await fenceIn(eu2(), merchantId)];
    expect(fences).toEqual([null, "left main"]);
  });
});

it("a merchant opens in its new cell although a third one was restored to an earlier stay", async () => {
  const merchantId = await makeOne();
  const earlier = await cells.backUp(main());
  expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
  await killedAt(/SET state = 'left', stay/, merchantId, eu3());
  await cells.pointTo([earlier]);
  await vi.waitFor(
    async () => {
      await inEachCell(settleStays);
      const fences = await Promise.all(allCells().map((cell) => fenceIn(cell, merchantId)));
      expect(fences).toEqual(["left eu3", "left eu3", null]);
    },
    { timeout: 20_000, interval: 1_000 },
  );
});
