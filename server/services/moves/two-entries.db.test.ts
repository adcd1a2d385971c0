// Two entries about one line of a settlement file, of merchants in two cells, that two operators confirm at the same moment.
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

it.each(["stays", "has moved"])("are booked once: a merchant that uploaded the line %s", async (where) => {
  const ours = await inCell(main(), () => makeMerchant());
  const batch = await makeBankBatch(main());
  const { merchantId, paid, bank } = batch;
  await uploadPart(batch);
  await importLines(paid, bank);
  const home = where === "has moved" ? eu2() : main();
  if (where === "has moved") await move(merchantId, eu2());
  const one = await proposeTransfer(ours.merchantId, batch, main());
  const other = await proposeTransfer(merchantId, batch, home, merchantId);
  const before = await inBank();
  let second: Promise<unknown> = Promise.resolve();
  beforeDecision(async () => {
    second = confirmTransfer(other);
    await Promise.race([second, sleep(1_500)]);
  });
  await confirmTransfer(one);
  await second;
  expect(before - (await inBank())).toBe(TRANSFERRED);
});
