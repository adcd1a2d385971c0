// Merchants that move in opposite directions at once, and one that goes round.
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type Cell, inCell, inEachCell } from "@/server/platform/cell";
import { reachEveryMerchant } from "@/server/platform/reach";
import { requireInvariants } from "@/server/testing/invariants";
import { makeMerchant, payment } from "@/server/testing/merchant";
import { catchStandardError } from "@/server/testing/standard-error";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { simulate } from "../sandbox/simulate";
import { rowsOf, tracesIn } from "./testing/rows";
import { eu2, eu3, main, move, openThreeCells, type ThreeCells } from "./testing/three-cells";

vi.setConfig({ testTimeout: 900_000, hookTimeout: 120_000 });

let cells: ThreeCells;
beforeAll(async () => {
  reachEveryMerchant();
  catchStandardError();
  cells = await openThreeCells();
});
afterAll(() => cells.end());

async function paid(cell: Cell): Promise<string> {
  const merchant = await inCell(cell, () => makeMerchant());
  await inCell(cell, async () => {
    const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
    await simulate(merchant.context, intent.id, "succeeded");
  });
  return merchant.merchantId;
}

const without = ({ audit_entry: _a, audit_pending: _p, ...rows }: Awaited<ReturnType<typeof rowsOf>>) => rows;

it("two merchants change places at once", async () => {
  const [one, other] = [await paid(main()), await paid(eu2())];
  const before = [without(await rowsOf(main(), one)), without(await rowsOf(eu2(), other))];
  const done = await Promise.all([move(one, eu2()), move(other, main())]);
  expect(done).toMatchObject([{ phase: "done" }, { phase: "done" }]);
  expect([without(await rowsOf(eu2(), one)), without(await rowsOf(main(), other))]).toEqual(before);
  expect([await rowsOf(main(), one), await rowsOf(eu2(), other)]).toEqual([{}, {}]);
  await inEachCell(requireInvariants);
  for (const cell of [main(), eu2()]) expect(await tracesIn(cell)).toEqual([]);
});

it("a merchant goes round, and back and forth", async () => {
  const one = await paid(main());
  const before = without(await rowsOf(main(), one));
  for (const to of [eu2(), eu3(), main(), eu2(), main()]) expect(await move(one, to)).toMatchObject({ phase: "done" });
  expect(without(await rowsOf(main(), one))).toEqual(before);
  await inEachCell(requireInvariants);
});
