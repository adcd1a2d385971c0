// Merchants that move in opposite directions at once, and one that goes round.
import { expect, it } from "vitest";
import { inEachCell } from "@/server/platform/cell";
import { requireInvariants } from "@/server/testing/invariants";
import { rowsOf, tracesIn } from "./testing/rows";
import { eu2, eu3, main, makePaid, move, threeCells } from "./testing/three-cells";

threeCells();

const without = ({ audit_entry: _a, audit_pending: _p, ...rows }: Awaited<ReturnType<typeof rowsOf>>) => rows;

it("two merchants change places at once", async () => {
  const [one, other] = [await makePaid(main()), await makePaid(eu2())];
  const before = [without(await rowsOf(main(), one)), without(await rowsOf(eu2(), other))];
  const done = await Promise.all([move(one, eu2()), move(other, main())]);
  expect(done).toMatchObject([{ phase: "done" }, { phase: "done" }]);
  expect([without(await rowsOf(eu2(), one)), without(await rowsOf(main(), other))]).toEqual(before);
  expect([await rowsOf(main(), one), await rowsOf(eu2(), other)]).toEqual([{}, {}]);
  await inEachCell(requireInvariants);
  for (const cell of [main(), eu2()]) expect(await tracesIn(cell)).toEqual([]);
});

it("a merchant goes round, and back and forth", async () => {
  const one = await makePaid(main());
  const before = without(await rowsOf(main(), one));
  for (const to of [eu2(), eu3(), main(), eu2(), main()]) expect(await move(one, to)).toMatchObject({ phase: "done" });
  expect(without(await rowsOf(main(), one))).toEqual(before);
  await inEachCell(requireInvariants);
});
