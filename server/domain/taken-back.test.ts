import fc from "fast-check";
import { expect, it } from "vitest";
import { withoutTakenBack } from "./taken-back";

const movement = (transactionId: string, amount: bigint, currency = "BRL") => ({ transactionId, amount, currency });
const found = (movements: readonly ReturnType<typeof movement>[], ...settled: readonly string[]) =>
  movements.map((one) => ({ ...one, isSettled: settled.includes(one.transactionId) }));
const [first, second] = [movement("ltx_1", 1_050n), movement("ltx_2", 500n)];
const brl = (amount: bigint) => new Map([["BRL", amount]]);

it.each([
  ["nothing was booked by hand", new Map(), [first, second]],
  ["entries added money", brl(700n), [first, second]],
  ["entries took money of another currency back", new Map([["USD", -500n]]), [first, second]],
  ["entries took one of them back", brl(-1_050n), [second]],
  ["entries took a part back: it is of the latest", brl(-200n), [first, movement("ltx_2", 300n)]],
  ["entries took more than the latest back", brl(-700n), [movement("ltx_1", 850n)]],
  ["entries took all back", brl(-1_550n), []],
  ["entries took more back than there is", brl(-9_000n), []],
])("if %s", (_, byHand, left) => {
  expect(withoutTakenBack(found([first, second]), byHand)).toEqual(left);
});

it.each([
  ["a part: of the other", -200n, "ltx_2", [movement("ltx_1", 850n), second]],
  ["its very sum: of the other all the same", -500n, "ltx_2", [movement("ltx_1", 550n), second]],
  ["more than the other has: the rest is its own", -1_150n, "ltx_2", [movement("ltx_2", 400n)]],
  ["as much as the other has", -500n, "ltx_1", [first]],
])("if a line has found one of them, and entries took back %s", (_, sum, settled, left) => {
  expect(withoutTakenBack(found([first, second], settled), brl(sum))).toEqual(left);
});

it("leaves what was taken back of nothing else, and no movement without a sum", () => {
  const amounts = fc.array(fc.bigInt({ min: 1n, max: 50n }), { maxLength: 6 });
  fc.assert(
    fc.property(amounts, fc.bigInt({ min: -200n, max: 50n }), (all, byHand) => {
      const sum = (of: readonly { readonly amount: bigint }[]) => of.reduce((total, { amount }) => total + amount, 0n);
      const movements = all.map((amount, place) => movement(`ltx_${place}`, amount));
      const left = withoutTakenBack(found(movements), brl(byHand));
      const wanted = sum(movements) + (byHand < 0n ? byHand : 0n);
      expect(sum(left)).toBe(wanted > 0n ? wanted : 0n);
      expect(left.every(({ amount }) => amount > 0n)).toBe(true);
    }),
  );
});
