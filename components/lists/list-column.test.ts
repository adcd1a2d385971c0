import { expect, it } from "vitest";
import { chosenColumns } from "./list-column";

const columns = [{ name: "amount", isFixed: true }, { name: "status" }, { name: "created_at" }];
const names = (chosen: readonly string[]) => chosenColumns(columns, chosen).map(({ name }) => name);

it("shows the fixed columns and those in the address, in the list's order", () => {
  expect(names(["created_at", "status"])).toEqual(["amount", "status", "created_at"]);
  expect(names(["created_at"])).toEqual(["amount", "created_at"]);
});

it("shows all columns if the address names no optional one", () => {
  const all = ["amount", "status", "created_at"];
  for (const chosen of [[], ["colour"], ["amount"], [""]]) expect(names(chosen)).toEqual(all);
});
