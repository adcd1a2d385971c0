// Owns the proof of which columns an address shows.
import { expect, it } from "vitest";
import { chosenColumns } from "./list-column";

const columns = [{ name: "amount", isFixed: true }, { name: "status" }, { name: "created_at" }];
const names = (chosen: readonly string[]) => chosenColumns(columns, chosen).map(({ name }) => name);

it("the fixed ones and those it names, in the list's order", () => {
  expect(names(["created_at", "status"])).toEqual(["amount", "status", "created_at"]);
  expect(names(["created_at"])).toEqual(["amount", "created_at"]);
});

it("all of them where it names none that could be left out", () => {
  const all = ["amount", "status", "created_at"];
  for (const chosen of [[], ["colour"], ["amount"], [""]]) expect(names(chosen)).toEqual(all);
});
