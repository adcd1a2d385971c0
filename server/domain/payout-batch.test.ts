// Tests which columns a file of payouts has.
import { expect, it } from "vitest";
import { BATCH_COLUMNS, OPTIONAL_BATCH_COLUMN } from "./payout-batch";

it("a file may leave out its last column only, the name of the holder: a saved recipient has one", () => {
  expect(OPTIONAL_BATCH_COLUMN).toBe("holder_name");
  expect(BATCH_COLUMNS.at(-1)).toBe(OPTIONAL_BATCH_COLUMN);
});
