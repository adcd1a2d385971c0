// A command that stands still while its merchant is closed, as a process that is stopped: its sessions end after 30 idle seconds.
import { describe, expect, it, vi } from "vitest";
import { sizeOf } from "@/e2e/support/tier";
import { allCells, type Cell, inEachCell } from "@/server/platform/cell";
import { settleAbandonedMoves } from "./abandoned";
import { holdMover } from "./testing/killed-mover";
import { fenceIn } from "./testing/rows";
import { eu2, killedAt, makeOne, move, threeCells } from "./testing/three-cells";

threeCells();

/** How many of the moments of each test are played: every one takes half a minute. */
const PLAYED = sizeOf({ representative: 1, deep: 2 });

const MOMENTS = [
  ["leaves", /SET state = 'left', stay/, 0],
  ["opens", /SELECT open_arrival/, 1],
] as const;

const KILLS = [
  ["left", /SET state = 'left', stay/],
  ["not left", /SET state = 'ready'/],
] as const;

describe("a mover that is stopped, such as by Ctrl-Z,", () => {
  it.each(MOMENTS.slice(0, PLAYED))("before the merchant %s does not keep it closed", async (_, statement, home) => {
    const merchantId = await makeOne();
    const setOwn = globalThis.setTimeout;
    // A stopped process runs no timers: not that of the pause either.
    const timers = vi
      .spyOn(globalThis, "setTimeout")
      .mockImplementation(((run: () => void, ms: number) => setOwn(ms === 30_000 ? () => {} : run, ms)) as never);
    const mover = holdMover(statement);
    const moving = move(merchantId, eu2());
    try {
      await mover.held;
      timers.mockRestore();
      await vi.waitFor(
        async () => {
          await inEachCell(settleAbandonedMoves);
          expect(await fenceIn(allCells()[home] as Cell, merchantId)).toBeNull();
        },
        { timeout: 75_000, interval: 2_000 },
      );
    } finally {
      timers.mockRestore();
      mover.goOn();
      await moving;
      mover.restore();
    }
    expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
  });
});

/** The second look for the open record: the first one after the locks. */
function afterTheLocks(): RegExp {
  let looks = 0;
  return {
    test: (text: string) => text.includes("FROM merchant_move WHERE merchant = $1") && (looks += 1) === 2,
  } as RegExp;
}

describe("a command that goes on with a killed move and stands still before it opens the merchant", () => {
  it.each(KILLS.slice(0, PLAYED))("does not keep a merchant closed that had %s", async (_, killedStatement) => {
    const merchantId = await makeOne();
    await killedAt(killedStatement, merchantId, eu2());
    const mover = holdMover(afterTheLocks());
    const moving = move(merchantId, eu2());
    try {
      await mover.held;
      const isOpen = async () => {
        await inEachCell(settleAbandonedMoves);
        const [main, other] = await Promise.all(allCells().map((cell) => fenceIn(cell, merchantId)));
        return main === null || other === null;
      };
      await vi.waitFor(async () => expect(await isOpen()).toBe(true), { timeout: 45_000, interval: 2_000 });
    } finally {
      mover.goOn();
      await moving;
      mover.restore();
    }
  });
});
