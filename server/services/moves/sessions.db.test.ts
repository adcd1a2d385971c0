// The sessions of people end with their merchant's move, and do not come back with it.
import { Client } from "pg";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
import { disconnect, query } from "@/server/db/client";
import { listOpenSessions } from "@/server/db/sessions";
import { asOwnerOf } from "@/server/db/testing/move-by-hand";
import { openTwoCells, type TwoCells } from "@/server/db/testing/second-cell";
import { type Cell, inCell, inEachCell } from "@/server/platform/cell";
import { reachEveryMerchant } from "@/server/platform/reach";
import { requireInvariants } from "@/server/testing/invariants";
import { makeLiveMerchant, makeMember } from "@/server/testing/merchant";
import { catchStandardError } from "@/server/testing/standard-error";
import { findMemberSession } from "../sign-in/sessions";
import { enterAs } from "../sign-in/testing/sessions";
import { settleAbandonedMoves } from "./abandoned";
import { holdMover } from "./testing/killed-mover";
import { fenceIn } from "./testing/rows";

// Bounds for what hangs: two cores may be shared.
vi.setConfig({ testTimeout: 180_000 });

let cells: TwoCells;
let first: Cell;
let second: Cell;

beforeAll(async () => {
  reachEveryMerchant();
  catchStandardError();
  cells = await openTwoCells();
  ({ first, second } = cells);
});
afterAll(async () => {
  await inEachCell(requireInvariants);
  await disconnect();
  await cells.end();
});

const move = (merchantId: string, to: Cell) =>
  runCommand("merchants", "move", "--merchant", merchantId, "--to", to.name, "--experimental");

/** A member of a new merchant signs in. */
async function enter() {
  const { merchantId } = await inCell(first, makeLiveMerchant);
  const id = await inCell(first, () => makeMember(merchantId, "finance@example.com", "finance"));
  const sessionId = await inCell(first, () => enterAs({ id, merchantId }));
  const isOpen = async () => (await findMemberSession({ merchantId, sessionId }, { isBackground: true })) !== null;
  expect(await isOpen()).toBe(true);
  return { merchantId, id, sessionId, isOpen };
}

it("a session does not come back with its merchant, and its row says that it has ended", async () => {
  const { merchantId, isOpen } = await enter();
  for (const to of [second, first]) {
    expect(await move(merchantId, to)).toMatchObject({ phase: "done" });
    expect(await isOpen()).toBe(false);
  }
  const open = "SELECT id FROM member_session WHERE merchant_id = $1 AND revoked_at IS NULL";
  expect(await inCell(first, () => query(open, merchantId))).toEqual([]);
});

it("a merchant opens although somebody keeps the table of sessions locked, and its sessions are over", async () => {
  const { merchantId, id, sessionId, isOpen } = await enter();
  const mover = holdMover(/SELECT open_arrival/);
  const moving = move(merchantId, second);
  const indexer = new Client({ connectionString: second.databaseUrl ?? "" });
  await indexer.connect();
  try {
    await mover.held;
    await indexer.query("BEGIN; LOCK TABLE member_session IN SHARE MODE");
    mover.goOn();
    await moving;
    await vi.waitFor(
      async () => {
        await inEachCell(() => settleAbandonedMoves().catch(() => 0));
        expect(await fenceIn(second, merchantId)).toBeNull();
      },
      { timeout: 15_000, interval: 1_000 },
    );
  } finally {
    await indexer.end();
    mover.goOn();
    await moving;
    mover.restore();
  }
  const ended = "SELECT revoked_at IS NOT NULL AS ended FROM member_session WHERE id = $1";
  const { rows } = await asOwnerOf(second, (client) => client.query(ended, [sessionId]));
  expect(rows).toEqual([{ ended: false }]);
  expect(
    await inCell(second, () =>
      listOpenSessions({ merchantId, memberId: id }, { at: new Date(), usedSince: new Date(0) }),
    ),
  ).toEqual([]);
  expect(await move(merchantId, first)).toMatchObject({ phase: "done" });
  expect(await isOpen()).toBe(false);
  await inCell(first, () => enterAs({ id, merchantId }));
});
