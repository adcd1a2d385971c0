// The instant at which one cell gives a merchant to the other: wherever the command is killed or stopped, the merchant opens in one
// cell without it, and never in two. The owner of the tables is a plain role.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
import { disconnect, queryAcrossMerchants } from "@/server/db/client";
import { lockMove } from "@/server/db/moves/fences";
import { openOwner } from "@/server/db/moves/owner";
import { asOwnerOf } from "@/server/db/testing/move-by-hand";
import { openPlainCells, type PlainCells } from "@/server/db/testing/plain-owners";
import { type Cell, inCell, inEachCell } from "@/server/platform/cell";
import { reachEveryMerchant } from "@/server/platform/reach";
import { requireInvariants } from "@/server/testing/invariants";
import { makeLiveMerchant } from "@/server/testing/merchant";
import { catchStandardError } from "@/server/testing/standard-error";
import { cellOfMerchant } from "../cells/moved";
import { settleAbandonedMoves } from "./abandoned";
import { type HeldMover, holdMover, type KilledMover, killMover } from "./testing/killed-mover";
import { fenceIn, rowsOf, tracesIn } from "./testing/rows";

// Bounds for what hangs: two cores may be shared.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

let cells: PlainCells;
let first: Cell;
let second: Cell;
let merchantId: string;
let mover: KilledMover | HeldMover | null = null;

beforeAll(async () => {
  reachEveryMerchant();
  catchStandardError();
  cells = await openPlainCells();
  ({ first, second } = cells);
});
beforeEach(async () => {
  ({ merchantId } = await inCell(first, makeLiveMerchant));
});
afterEach(() => {
  mover?.restore();
  mover = null;
});
afterAll(async () => {
  await inEachCell(requireInvariants);
  await disconnect();
  await cells.end();
});

const move = (to = second) =>
  runCommand("merchants", "move", "--merchant", merchantId, "--to", to.name, "--experimental");
const work = () => inEachCell(settleAbandonedMoves);
const fences = async () => [await fenceIn(first, merchantId), await fenceIn(second, merchantId)];
const stays = async (cell: Cell) =>
  (await asOwnerOf(cell, (client) => client.query<{ number: number }>("SELECT number FROM merchant_stay"))).rows.length;

/** Lets a move run until it is killed at that statement. */
async function killAt(statement: RegExp, isExecuted: boolean): Promise<void> {
  mover = killMover(statement, isExecuted);
  expect(await move()).toMatchObject({ code: "service_unavailable" });
  mover.restore();
}

const READY = /SET state = 'ready'/;
const LEFT = /SET state = 'left', stay/;
const OPENED = /SELECT open_arrival/;

describe.each([
  ["before the copy is complete", READY, false, "main"],
  ["behind that", READY, true, "main"],
  ["before the merchant leaves", LEFT, false, "main"],
  ["right after it has left", LEFT, true, "eu2"],
  ["before it opens", OPENED, false, "eu2"],
  ["right after it has opened", OPENED, true, "eu2"],
] as const)("a move that is killed %s", (_, statement, isExecuted, expected) => {
  it(`opens the merchant in ${expected} without the command, and goes on when it runs again`, async () => {
    const before = await rowsOf(first, merchantId);
    await killAt(statement, isExecuted);
    await vi.waitFor(async () => {
      await work();
      expect((await cellOfMerchant(first, merchantId)).name).toBe(expected);
    }, 60_000);
    const open = (await fences()).map((fence) => fence === null);
    expect(open).toEqual([expected === "main", expected === "eu2"]);
    expect((await runCommand("merchants", "moves"))["data"]).toContainEqual(
      expect.objectContaining({ merchant_id: merchantId, ended_at: null }),
    );
    await work();
    expect((await fences()).map((fence) => fence === null)).toEqual(open);

    expect(await move()).toMatchObject({ phase: "done", to: "eu2" });
    expect(await fences()).toEqual(["left eu2", null]);
    expect([await rowsOf(first, merchantId), await tracesIn(first)]).toEqual([{}, []]);
    const { audit_entry: _entries, audit_pending: _pending, ...rows } = before;
    expect(await rowsOf(second, merchantId)).toMatchObject(rows);
  });
});

describe("a merchant that has left", () => {
  beforeEach(() => killAt(LEFT, true));

  it("is not opened by a worker while the move is alive, and by one of several afterwards", async () => {
    const other = await openOwner(second);
    expect(await lockMove(other, merchantId)).toBe(true);
    await Promise.all([work(), work()]);
    expect(await fences()).toEqual(["left eu2", "ready main"]);
    await other.end();
    const before = await stays(second);
    await vi.waitFor(async () => {
      await Promise.all([work(), work(), work()]);
      expect(await fences()).toEqual(["left eu2", null]);
    }, 60_000);
    expect(await stays(second)).toBe(before + 1);
    expect(await move()).toMatchObject({ phase: "done" });
  });

  it("is opened by a worker that serves its new cell only", async () => {
    await vi.waitFor(async () => {
      await inCell(second, settleAbandonedMoves);
      expect(await fences()).toEqual(["left eu2", null]);
    }, 60_000);
    expect(await move()).toMatchObject({ phase: "done" });
  });

  it("stays closed while its old cell cannot say so", async () => {
    const [row] = await asOwnerOf(first, async (client) => {
      const words = await client.query<{ opening: string }>("SELECT opening FROM merchant_fence WHERE merchant = $1", [
        merchantId,
      ]);
      await client.query("UPDATE merchant_fence SET opening = repeat('0', 64) WHERE merchant = $1", [merchantId]);
      return words.rows;
    });
    for (let round = 0; round < 5; round += 1) await work();
    expect(await fences()).toEqual(["left eu2", "ready main"]);
    await asOwnerOf(first, (client) =>
      client.query("UPDATE merchant_fence SET opening = $2 WHERE merchant = $1", [merchantId, row?.opening]),
    );
    expect(await move()).toMatchObject({ phase: "done" });
  });
});

describe("a merchant whose fence was lifted before it left", () => {
  it("never opens in the new cell, and its next move takes the complete copy back", async () => {
    await killAt(LEFT, false);
    await vi.waitFor(async () => {
      await work();
      expect(await fences()).toEqual([null, "ready main"]);
    }, 60_000);
    // It changes in the old cell: the complete copy is not that any more.
    const changed = "UPDATE merchant SET name = 'Renamed' WHERE id = $1";
    await asOwnerOf(first, (client) => client.query(changed, [merchantId]));
    for (let round = 0; round < 3; round += 1) await work();
    expect(await fences()).toEqual([null, "ready main"]);
    const held = holdMover(/INSERT INTO merchant_fence \(merchant, state, other_cell, since\)/);
    mover = held;
    const moved = move();
    await held.held;
    expect(await fences()).toEqual([null, "arriving main"]);
    held.restore();
    held.goOn();
    expect(await moved).toMatchObject({ phase: "done" });
    expect((await rowsOf(second, merchantId))["merchant"]?.join()).toContain("Renamed");
  });

  /** Runs a move that is stopped right before the merchant leaves, and goes on after the work. */
  async function whileStopped(meanwhile: () => Promise<void>) {
    const held = holdMover(LEFT);
    mover = held;
    const moved = move();
    await held.held;
    await work();
    const closed = await fences();
    await meanwhile();
    held.restore();
    held.goOn();
    return { closed, result: await moved };
  }
  const CLOSED = ["leaving eu2", "ready main"];

  it("is not left by a stopped mover that goes on after its sessions have ended", async () => {
    const { closed, result } = await whileStopped(async () => {
      const sessions = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'sluice move'";
      await cells.asSuperuser(sessions);
      await vi.waitFor(async () => {
        await work();
        expect(await fences()).toEqual([null, "ready main"]);
      }, 60_000);
    });
    expect([closed, result]).toEqual([CLOSED, expect.objectContaining({ code: "service_unavailable" })]);
    await work();
    expect(await fences()).toEqual([null, "ready main"]);
    expect(await move()).toMatchObject({ phase: "done" });
  });

  it("is not left by a stopped mover whose fence somebody has lifted: it tries again", async () => {
    const sql = "DELETE FROM merchant_fence WHERE merchant = $1";
    const { closed, result } = await whileStopped(
      async () => void (await asOwnerOf(first, (client) => client.query(sql, [merchantId]))),
    );
    expect([closed, result]).toEqual([CLOSED, expect.objectContaining({ phase: "done" })]);
    expect(await fences()).toEqual(["left eu2", null]);
  });
});

describe("the service's role", () => {
  it("opens nothing without the word, and no other fence with it", async () => {
    await killAt(LEFT, false);
    const [stored] = await inCell(second, () =>
      queryAcrossMerchants<{ opening: string }>("SELECT opening FROM merchant_fence WHERE merchant = $1", merchantId),
    );
    const open = (cell: Cell, word: string) =>
      inCell(cell, () => queryAcrossMerchants("SELECT open_arrival($1, $2) AS done", merchantId, word));
    for (const word of [stored?.opening ?? "", "0".repeat(64), ""])
      expect(await vi.waitFor(() => open(second, word), 10_000)).toEqual([{ done: false }]);
    expect(await open(first, stored?.opening ?? "")).toEqual([{ done: false }]);
    const writes = ["UPDATE merchant_stay SET number = 9", "DELETE FROM merchant_stay"];
    for (const sql of writes)
      await expect(inCell(second, () => queryAcrossMerchants(sql))).rejects.toThrow("permission denied");
    expect((await fences())[1]).toBe("ready main");
  });

  it("closes no merchant for a stay that is not later, for its own cell, or that is not here", async () => {
    expect(await move()).toMatchObject({ phase: "done" });
    const close = (cell: Cell, id: string, newer: string, stay: number) =>
      inCell(cell, () => queryAcrossMerchants("SELECT close_older_stay($1, $2, $3) AS done", id, newer, stay));
    expect(await close(second, merchantId, "main", 1)).toEqual([{ done: false }]);
    expect(await close(second, merchantId, "eu2", 2)).toEqual([{ done: false }]);
    expect(await close(second, "mer_01h455vb4pex5vsknk084sn02q", "main", 2)).toEqual([{ done: false }]);
    expect(await close(first, merchantId, "eu2", 5)).toEqual([{ done: false }]);
    expect(await fences()).toEqual(["left eu2", null]);
  });
});
