// A wallet's statement: each line's balance follows from the one before, and what the lines leave unexplained is shown.
import { expect, it } from "vitest";
import { addUp, type StatementEntry } from "./statement";
import { START } from "./testing/samples";

function entry(available: bigint, held: bigint): StatementEntry {
  return {
    at: START,
    transactionId: `ltx_${available}_${held}`,
    reason: "payout_hold",
    intentId: null,
    available,
    held,
  };
}
const opening = { available: 1_000n, held: 50n };

it("runs both balances line by line, and leaves nothing unexplained where the books are right", () => {
  const entries = [entry(-300n, 300n), entry(0n, -300n), entry(25n, 0n)];
  const closing = { available: 725n, held: 50n };
  const { lines, ...rest } = addUp(opening, entries, closing);
  expect(lines.map(({ after }) => after)).toEqual([
    { available: 700n, held: 350n },
    { available: 700n, held: 50n },
    { available: 725n, held: 50n },
  ]);
  expect(lines).toMatchObject(entries);
  expect(rest).toEqual({ opening, closing, unexplained: { available: 0n, held: 0n } });
});

it("shows by how much the stored balances are more than the lines, or less", () => {
  const { unexplained } = addUp(opening, [entry(100n, 10n)], { available: 1_105n, held: 53n });
  expect(unexplained).toEqual({ available: 5n, held: -7n });
});

it("of a period without movements has no lines", () => {
  expect(addUp(opening, [], opening)).toMatchObject({ lines: [], unexplained: { available: 0n, held: 0n } });
});
