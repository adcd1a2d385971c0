import { expect, it } from "vitest";
import { viewNameKey, viewQuery } from "./saved-view";

it("a query is one text however its parameters were put, and leaves out what goes without saying", () => {
  const query = "columns=created_at%2Cstatus&country=BR&status=failed%2Csucceeded";
  expect(viewQuery({ status: "succeeded,failed", country: "BR", columns: "status,created_at" })).toBe(query);
  expect(
    viewQuery({
      columns: ["created_at", "status", "status"],
      sort: "-created_at",
      currency: "",
      cursor: undefined,
      country: "BR",
      status: ["failed", "succeeded"],
    }),
  ).toBe(query);
  expect(viewQuery({ sort: "-created_at", status: [] })).toBe("");
  expect(viewQuery({ sort: "created_at" })).toBe("sort=created_at");
});

it("a query holds whatever a reference can", () => {
  const merchant_reference = "a&b=c +%é,ü😀";
  expect(Object.fromEntries(new URLSearchParams(viewQuery({ merchant_reference })))).toEqual({ merchant_reference });
});

it("names are the same that a person reads as the same", () => {
  const same = ["Früh", "FRÜH", "fru\u0308h", "\uff26rüh"];
  expect(new Set(same.map(viewNameKey)).size).toBe(1);
  expect(viewNameKey("Früh")).not.toBe(viewNameKey("Fruh"));
});
