// Two entries about one line of a settlement file, of two merchants, that two operators confirm at the same moment.
import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { afterEach, expect, it } from "vitest";
import { inCell } from "@/server/platform/cell";
import { makeMerchant } from "@/server/testing/merchant";
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

const outside = AsyncLocalStorage.snapshot();
threeCells();
const ownQuery = Client.prototype.query;
afterEach(() => {
  Client.prototype.query = ownQuery;
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
])("are booked once: a merchant that uploaded the line %s", async (_where, isHere) => {
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
