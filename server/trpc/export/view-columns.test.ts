import { expect, it } from "vitest";
import { cellsOfView } from "./view-columns";

const CELLS = [
  ["id", "word_1"],
  ["status", "succeeded"],
  ["amount_minor_units", "5"],
  ["amount", "0.05"],
  ["currency", "BRL"],
  ["merchant_reference", "INV-1"],
  ["recipient_holder_name", "Ana"],
  ["recipient_account_last4", "6789"],
  ["recipient_bank_code", "001"],
  ["created_at", "2026-11-24T00:00:00Z"],
  ["updated_at", "2026-11-24T00:00:00Z"],
] as const;
const columnsFor = (...names: string[]) => cellsOfView(CELLS, names).map(([column]) => column);

it("a view exports what identifies a row and the columns that it shows, in the order of the file", () => {
  const fixed = ["id", "amount_minor_units", "amount", "currency"];
  expect(columnsFor("recipient")).toEqual([
    ...fixed,
    "recipient_holder_name",
    "recipient_account_last4",
    "recipient_bank_code",
  ]);
  expect(columnsFor("merchant_reference", "status")).toEqual(["id", "status", ...fixed.slice(1), "merchant_reference"]);
});

it("a view of all columns, or of unknown ones, exports everything", () => {
  const all = CELLS.map(([column]) => column);
  expect(columnsFor()).toEqual(all);
  expect(columnsFor("nothing", "constructor")).toEqual(all);
});
