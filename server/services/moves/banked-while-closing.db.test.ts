// A bank transfer that was booked by hand, while the merchant of the entry closes to move during an import.
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { afterEach, expect, it } from "vitest";
import { MOVER_NAME } from "@/server/db/moves/owner";
import { inCell } from "@/server/platform/cell";
import { makeMerchant } from "@/server/testing/merchant";
import {
  confirmTransfer,
  importLines,
  inBank,
  makeBankBatch,
  proposeTransfer,
  TRANSFERRED,
} from "./testing/bank-batch";
import { fenceIn } from "./testing/rows";
import { eu2, eu3, main, move, threeCells } from "./testing/three-cells";

threeCells();
const ownQuery = Client.prototype.query;
afterEach(() => {
  Client.prototype.query = ownQuery;
});

function gate() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** Holds the mover before it closes the merchant, and again before it is to leave, as long as a delivery is under way. */
function holdTwice() {
  const own = Client.prototype.query as (this: Client, ...given: unknown[]) => Promise<unknown>;
  const gates = [gate(), gate()];
  const held = gate();
  let seen = 0;
  Client.prototype.query = function (this: Client, ...given: unknown[]) {
    const name = (this as unknown as { connectionParameters: { application_name?: string } }).connectionParameters
      .application_name;
    const isIt =
      name === MOVER_NAME && /INSERT INTO merchant_fence \(merchant, state, other_cell, since\)/.test(String(given[0]));
    if (!isIt) return own.apply(this, given) as never;
    const present = gates[seen];
    seen += 1;
    held.resolve();
    return (present?.promise ?? Promise.resolve()).then(() => own.apply(this, given)) as never;
  } as never;
  return { held: held.promise, close: () => gates[0]?.resolve(), leave: () => gates[1]?.resolve() };
}

it.each([
  ["a third cell", eu3],
  ["the cell that the merchant leaves", eu2],
])("is booked once, if the import that meets the move is about a payment of %s", async (_, cellOf) => {
  const batch = await makeBankBatch(cellOf());
  const { paid, bank, fee } = batch;
  const { merchantId } = await inCell(main(), () => makeMerchant());
  expect(await importLines(paid, bank)).toEqual(["matched", "missing_internal"]);
  const before = await inBank();
  expect(await confirmTransfer(await proposeTransfer(merchantId, batch, main()))).toMatchObject({ state: "confirmed" });
  expect(before - (await inBank())).toBe(TRANSFERRED);
  expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });

  const mover = holdTwice();
  const moving = move(merchantId, main());
  await mover.held;
  mover.close();
  while ((await fenceIn(eu2(), merchantId)) === null) await sleep(5);
  await expect(importLines(paid, bank, fee)).rejects.toMatchObject({ code: "service_unavailable" });
  mover.leave();
  expect(await moving).toMatchObject({ phase: "done" });
  await importLines(paid, bank, fee);
  expect(before - (await inBank())).toBe(TRANSFERRED);
});
