// A merchant's whole pause falls between the looks into two cells: it arrives in the first one, and then has left the second one.
import { AsyncLocalStorage } from "node:async_hooks";
import { Client } from "pg";
import { afterEach, expect, it, vi } from "vitest";
import type * as MerchantFences from "@/server/db/merchant-fences";
import { MOVER_NAME } from "@/server/db/moves/owner";
import { currentCell } from "@/server/platform/cell";
import {
  confirmTransfer,
  importLines,
  inBank,
  makeBankBatch,
  proposeTransfer,
  TRANSFERRED,
  uploadPart,
} from "./testing/bank-batch";
import { eu2, main, move, threeCells } from "./testing/three-cells";

const PAUSING = /INSERT INTO merchant_fence \(merchant, state, other_cell, since\)/;
const OPENING = /open_arrival/;
const { query: ownQuery } = Client.prototype;

/** A statement before which a move stands until `goOn`. */
class Stop {
  readonly reached: Promise<void>;
  readonly left: Promise<void>;
  note = () => {};
  goOn = () => {};
  constructor(readonly pattern: RegExp) {
    this.reached = new Promise((resolve) => (this.note = resolve));
    this.left = new Promise((resolve) => (this.goOn = resolve));
  }
}

/** Lets moves stand at those statements. */
function stopMoves(...stops: readonly Stop[]): void {
  Client.prototype.query = function (this: Client, ...given: unknown[]) {
    const { connectionParameters } = this as unknown as { connectionParameters: { application_name?: string } };
    const isMover = connectionParameters.application_name === MOVER_NAME;
    const stop = isMover && stops.find(({ pattern }) => pattern.test(given.slice(0, 2).map(String).join(" ")));
    if (!stop) return ownQuery.apply(this, given as never) as never;
    stop.note();
    return stop.left.then(() => ownQuery.apply(this, given as never)) as never;
  } as never;
}

const hooks = vi.hoisted(() => ({
  beforeFences: async (_cell: string) => {},
}));
vi.mock("@/server/db/merchant-fences", async (original) => {
  const own = await original<typeof MerchantFences>();
  return {
    ...own,
    listMerchantFencesAcrossMerchants: async () => {
      await hooks.beforeFences(currentCell().name);
      return own.listMerchantFencesAcrossMerchants();
    },
  };
});
const outside = AsyncLocalStorage.snapshot();
threeCells();
afterEach(() => {
  hooks.beforeFences = async () => {};
  Client.prototype.query = ownQuery;
});

/** Lets the merchant return to main while somebody looks, in eu2 last: its whole pause falls between the looks. */
async function whileReturning(
  merchantId: string,
  hook: keyof typeof hooks,
  look: () => Promise<unknown>,
): Promise<void> {
  // The command stands right before its pause, then right before it opens the merchant.
  const [pausing, opening] = [new Stop(PAUSING), new Stop(OPENING)];
  stopMoves(pausing, opening);
  const moved = outside(() => move(merchantId, main()));
  await pausing.reached;
  hooks[hook] = async (cell) => {
    if (cell !== "eu2") return;
    pausing.goOn();
    await opening.reached;
  };
  await look();
  opening.goOn();
  expect(await moved).toMatchObject({ phase: "done" });
  hooks[hook] = async () => {};
}

it("an import does not book a transfer while the merchant that booked it returns between two looks", async () => {
  // The merchant has uploaded a bank line that settles another one's payment.
  const { paid, bank, fee, bankLineId } = await makeBankBatch(main());
  const own = await makeBankBatch(main());
  const batch = { ...own, bank, bankLineId };
  const { merchantId } = batch;
  await uploadPart(batch);
  const other = await proposeTransfer(merchantId, batch, main(), merchantId);
  const before = await inBank();
  expect(await confirmTransfer(other)).toMatchObject({ state: "confirmed" });
  await move(merchantId, eu2());
  await whileReturning(merchantId, "beforeFences", () =>
    expect(importLines(paid, bank, fee)).rejects.toMatchObject({ code: "service_unavailable" }),
  );
  await importLines(paid, bank, fee);
  expect(before - (await inBank())).toBe(TRANSFERRED);
});
