// What a merchant has left behind goes as a whole, and only while the new cell has it.
import { readFile } from "node:fs/promises";
import { expect, it, vi } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
import { inEachCell } from "@/server/platform/cell";
import { settleStays } from "../cells/settle-stays";
import { holdMover } from "./testing/killed-mover";
import { fenceIn, rowsOf } from "./testing/rows";
import { eu2, killedAt, main, makePaid, move, sql, threeCells } from "./testing/three-cells";

const cells = threeCells();

const OPENED = /UPDATE merchant_move SET paused_ms/;

const lostSince = (merchantId: string) =>
  sql(main(), "SELECT FROM merchant_fence WHERE merchant = $1 AND lost_since IS NOT NULL", merchantId);

async function untilLost(merchantId: string): Promise<void> {
  await vi.waitFor(async () => {
    await inEachCell(settleStays);
    expect(await lostSince(merchantId)).toHaveLength(1);
  }, 60_000);
}

it("what docs/operating.md says of a move in `removing` opens no merchant without its ledger", async () => {
  const before = await cells.backUp(eu2());
  const merchantId = await makePaid();
  await killedAt(OPENED, merchantId, eu2());
  const whole = await rowsOf(main(), merchantId);
  // The command is killed in the transaction that removes the old rows.
  await killedAt(/^DELETE FROM merchant t WHERE/, merchantId, eu2());
  await cells.pointTo([null, before]);
  await untilLost(merchantId);
  const moves = (await runCommand("merchants", "moves"))["data"] as readonly Record<string, unknown>[];
  expect(moves.find((one) => one["merchant_id"] === merchantId)).toMatchObject({ phase: "removing" });

  const text = await readFile("docs/operating.md", "utf8");
  const block = /A merchant is in no cell[\s\S]*?```sql\n([\s\S]*?)```/.exec(text)?.[1] ?? "";
  await sql(main(), block.replaceAll("mer_…", merchantId));
  expect(await fenceIn(main(), merchantId)).toBeNull();
  const { dispatch_pause: pauses, ...rows } = await rowsOf(main(), merchantId);
  expect([rows, pauses?.length]).toEqual([whole, 1]);
});

it("the last rows of a merchant are not removed once the new cell has lost it, in the middle of the removal", async () => {
  const before = await cells.backUp(eu2());
  const merchantId = await makePaid();
  await killedAt(OPENED, merchantId, eu2());
  const mover = holdMover(/^DELETE FROM api_key t WHERE/);
  const moving = move(merchantId, eu2());
  let kept: Awaited<ReturnType<typeof rowsOf>>;
  try {
    await mover.held;
    kept = await rowsOf(main(), merchantId);
    expect(kept["ledger_entry"]?.length).toBeGreaterThan(0);
    // A restore ends all sessions of the database.
    await sql(
      eu2(),
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
    );
    await cells.pointTo([null, before]);
    await untilLost(merchantId);
  } finally {
    mover.goOn();
    await moving;
    mover.restore();
  }
  expect(await rowsOf(eu2(), merchantId)).toEqual({});
  expect(await rowsOf(main(), merchantId)).toEqual(kept);
});
