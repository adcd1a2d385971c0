// Lines of settlement files that operators book by hand, such as bank transfers: each is booked once, wherever its merchants are.
import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { afterEach, expect, it } from "vitest";
import { disconnect } from "@/server/db/client";
import { MOVER_NAME } from "@/server/db/moves/owner";
import { configureCells, SECOND_CELL } from "@/server/db/testing/second-cell";
import { inCell } from "@/server/platform/cell";
import { makeMerchant } from "@/server/testing/merchant";
import { settleStaysAtStart } from "../cells/settle-stays";
import {
  confirmTransfer,
  importLines,
  inBank,
  makeBankBatch,
  proposeTransfer,
  TRANSFERRED,
  uploadPart,
} from "./testing/bank-batch";
import { fenceIn } from "./testing/rows";
import { eu2, eu3, main, move, threeCells } from "./testing/three-cells";

const outside = AsyncLocalStorage.snapshot();
const cells = threeCells();
const ownQuery = Client.prototype.query;
afterEach(async () => {
  Client.prototype.query = ownQuery;
  await cells.pointTo();
});

/** Runs `act` once, right before a confirmation is written: after it has looked whether the line is booked. */
function beforeDecision(act: () => Promise<unknown>): void {
  let isDone = false;
  Client.prototype.query = function (this: Client, ...given: unknown[]) {
    const text = String((given[0] as { text?: string } | undefined)?.text ?? given[0]);
    if (isDone || !text.includes("UPDATE journal_entry")) return ownQuery.apply(this, given as never) as never;
    isDone = true;
    void outside(act).then(() => ownQuery.apply(this, given as never));
    return given[0] as never;
  } as never;
}

it.each([
  ["stays", true],
  ["has moved to a cell that does not decide on the line", false],
])("two entries at the same moment are one: a merchant that uploaded the line %s", async (_where, isHere) => {
  const ours = await inCell(main(), () => makeMerchant());
  const batch = await makeBankBatch(main());
  const { merchantId, paid, bank } = batch;
  await uploadPart(batch);
  await importLines(paid, bank);
  const one = await proposeTransfer(ours.merchantId, batch, main());
  const other = await proposeTransfer(merchantId, batch, main(), merchantId);
  if (!isHere) await move(merchantId, eu2());
  const before = await inBank();
  let second: Promise<unknown> = Promise.resolve();
  beforeDecision(async () => {
    second = confirmTransfer(other);
    await Promise.race([second, sleep(1_500)]);
  });
  expect(await confirmTransfer(one)).toMatchObject({ state: "confirmed" });
  expect(await second).toMatchObject({ code: "validation_failed" });
  expect(before - (await inBank())).toBe(TRANSFERRED);
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
])(
  "a transfer is booked once, if the import that meets a move of its merchant is about a payment of %s",
  async (_, cellOf) => {
    const batch = await makeBankBatch(cellOf());
    const { paid, bank, fee } = batch;
    const { merchantId } = await inCell(main(), () => makeMerchant());
    expect(await importLines(paid, bank)).toEqual(["matched", "missing_internal"]);
    const before = await inBank();
    expect(await confirmTransfer(await proposeTransfer(merchantId, batch, main()))).toMatchObject({
      state: "confirmed",
    });
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
  },
);

it.each([
  ["an import", "service_unavailable"],
  ["another entry", "validation_failed"],
])("%s does not book a transfer whose merchant is lost by a restore for a while", async (what, code) => {
  // The merchant has uploaded a bank line that settles another one's payment.
  const batch = await makeBankBatch(main());
  const { paid, bank, fee, bankLineId } = batch;
  const own = await makeBankBatch(main());
  const ours = await inCell(main(), () => makeMerchant());
  await uploadPart({ ...own, bank, bankLineId });
  await importLines(paid, bank);
  const one = await proposeTransfer(ours.merchantId, batch, main());
  const other = await proposeTransfer(own.merchantId, batch, main(), own.merchantId);
  const before = await inBank();
  expect(await confirmTransfer(other)).toMatchObject({ state: "confirmed" });
  const early = await cells.backUp(eu2());
  await move(own.merchantId, eu2());
  // The wrong backup is restored.
  await cells.pointTo([null, early]);
  for (let look = 0; look < 2; look += 1) await settleStaysAtStart();
  const tried =
    what === "an import"
      ? await importLines(paid, bank, fee).catch((error: unknown) => error)
      : await confirmTransfer(one);
  expect(tried).toMatchObject({ code });
  // Then the right one.
  await cells.pointTo();
  await settleStaysAtStart();
  expect(before - (await inBank())).toBe(TRANSFERRED);
});

it("a transfer whose merchant is in a cell that this process does not know is not booked again", async () => {
  const all = [main(), eu2(), eu3()];
  const batch = await makeBankBatch(eu2());
  const { paid, bank, fee } = batch;
  const { merchantId } = await inCell(main(), () => makeMerchant());
  await importLines(paid, bank);
  expect(await confirmTransfer(await proposeTransfer(merchantId, batch, main()))).toMatchObject({ state: "confirmed" });
  expect(await move(merchantId, eu3())).toMatchObject({ phase: "done" });
  const before = await inBank(all);
  await disconnect();
  configureCells([{ ...SECOND_CELL, url: cells.own[1] }]);
  await importLines(paid, bank, fee).catch(() => undefined);
  expect(await inBank(all)).toBe(before);
});
