import { expect, it } from "vitest";
import { listPaymentIntentsQuery, listPayoutIntentsQuery, listTopupIntentsQuery } from "./lists";

const takes = (query: object) => listPayoutIntentsQuery.safeParse(query).success;

it("a limit is a whole number from 1 to 100, not a text that converts to one", () => {
  for (let limit = 1; limit <= 100; limit += 1) expect(takes({ limit: String(limit) })).toBe(true);
  const wrong = [
    "",
    "0",
    "00",
    "01",
    "101",
    "-1",
    "+1",
    "25.0",
    "2e1",
    "0x10",
    " 25",
    "25\n",
    "abc",
    "NaN",
    "\uff12",
    "1000",
  ];
  expect(wrong.filter((limit) => takes({ limit }))).toEqual([]);
});

it("a status is one of the kind's own, or several", () => {
  expect(takes({ status: ["requires_approval", "cancelled"] })).toBe(true);
  expect(takes({ status: ["requires_approval", "expired"] })).toBe(false);
  expect(takes({ status: [""] })).toBe(false);
  expect(takes({ status: [] })).toBe(false);
  expect(listPaymentIntentsQuery.safeParse({ status: ["expired"] }).success).toBe(true);
  expect(listTopupIntentsQuery.safeParse({ status: ["requires_payment"] }).success).toBe(true);
});

it("a source type is one of the three", () => {
  const known = ["provider_gateway", "bank_transfer", "manual", "", "crypto", "Manual"];
  expect(known.filter((source_type) => listTopupIntentsQuery.safeParse({ source_type }).success)).toEqual(
    known.slice(0, 3),
  );
});

it("an empty parameter is invalid, not absent", () => {
  const names = ["country", "created_after", "created_before", "currency", "cursor", "merchant_reference", "limit"];
  expect(names.filter((name) => takes({ [name]: "" }))).toEqual([]);
  expect(takes({})).toBe(true);
});
