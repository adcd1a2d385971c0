import { describe, expect, it } from "vitest";
import {
  filterInput,
  readColumns,
  readCursor,
  readFilters,
  readOrder,
  SHARED_FIELDS,
  searchOf,
  withFilter,
} from "./filters";

const read = (search: string) => readFilters(new URLSearchParams(search), SHARED_FIELDS);

it("another currency ends a range of amounts; any other filter leaves it", () => {
  const range = { currency: "BRL", amount_from: "1050", amount_to: "2000", status: "failed" };
  expect(withFilter(range, "currency", "")).toEqual({ status: "failed" });
  expect(withFilter(range, "currency", "MXN")).toEqual({ currency: "MXN", status: "failed" });
  expect(withFilter(range, "currency", "BRL")).toEqual(range);
  expect(withFilter(range, "amount_from", "")).toEqual({ currency: "BRL", amount_to: "2000", status: "failed" });
});

describe("the filters of an address", () => {
  it("are the known ones with a value", () => {
    expect(read("?currency=BRL&status=failed,cancelled&colour=red&country=&cursor=abc")).toEqual({
      currency: "BRL",
      status: "failed,cancelled",
    });
  });

  it("survive being written to an address and read back, whatever they contain", () => {
    const filters = { merchant_reference: "a&b=c +%é", created_after: "2026-11-01T00:00:00.000+08:00" };
    const search = searchOf(filters, { cursor: "cur/sor==" });
    expect(read(search)).toEqual(filters);
    expect(readCursor(new URLSearchParams(search))).toBe("cur/sor==");
    expect(searchOf({})).toBe("");
  });

  it("are independent of position, order and columns", () => {
    const rest = { cursor: "abc", columns: ["status", "created_at"], sort: "created_at" } as const;
    const params = new URLSearchParams(searchOf({ currency: "BRL" }, rest));
    expect(readColumns(params)).toEqual(["status", "created_at"]);
    expect(readOrder(params)).toEqual({ sort: "created_at" });
    expect([readCursor(params), readFilters(params, SHARED_FIELDS)]).toEqual(["abc", { currency: "BRL" }]);
    for (const search of ["", "?columns=", "?columns=,"]) expect(readColumns(new URLSearchParams(search))).toEqual([]);
  });

  it("omit the usual order, and pass an invalid one on", () => {
    expect(searchOf({}, { sort: "-created_at" })).toBe("");
    for (const search of ["", "?sort=", "?sort=-created_at"])
      expect(readOrder(new URLSearchParams(search))).toEqual({});
    expect(readOrder(new URLSearchParams("?sort=amount"))).toEqual({ sort: "amount" });
  });

  it("reach procedures with the statuses as a list", () => {
    expect(filterInput(read("?status=failed,cancelled&currency=BRL"))).toEqual({
      status: ["failed", "cancelled"],
      currency: "BRL",
    });
    expect(filterInput({})).toEqual({});
  });

  it("are set and removed one by one", () => {
    expect(withFilter({ currency: "BRL" }, "country", "BR")).toEqual({ currency: "BRL", country: "BR" });
    expect(withFilter({ currency: "BRL", country: "BR" }, "currency", "")).toEqual({ country: "BR" });
  });
});
