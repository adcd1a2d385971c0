// Amounts in Stripe's units: exact, or none.
import { describe, expect, it } from "vitest";
import { PAYMENT_METHODS } from "@/server/domain/payment-methods";
import { PAYMENT_ROWS } from "./tables";
import { fromStripeUnits, toStripeUnits } from "./units";

describe("an amount", () => {
  it.each([
    ["EUR", 1_050n, 1_050],
    ["JPY", 1_050n, 1_050],
    ["KRW", 7n, 7],
    ["ISK", 5n, 500],
    ["UGX", 5n, 500],
    ["MGA", 500n, 5],
    ["KWD", 1_230n, 1_230],
  ])("in %s of %s is %s at Stripe and back", (currency, ours, theirs) => {
    expect(toStripeUnits(ours, currency)).toBe(theirs);
    expect(fromStripeUnits(theirs, currency.toLowerCase())).toEqual({ amount: ours, currency });
  });

  it.each([
    ["KWD", 1_234n],
    ["BHD", 1n],
    ["MGA", 501n],
    ["EUR", 2n ** 60n],
  ])("in %s of %s cannot be sent", (currency, ours) => expect(toStripeUnits(ours, currency)).toBeNull());

  it.each([
    ["isk", 501],
    ["xxx", 1],
  ])("of Stripe in %s of %s cannot be booked", (currency, theirs) => {
    expect(fromStripeUnits(theirs, currency)).toBeNull();
  });
});

it("every row has the currency of its method", () => {
  const ofCatalogue = PAYMENT_METHODS.flatMap(({ code, currency }) => (PAYMENT_ROWS[code] ? [[code, currency]] : []));
  expect(ofCatalogue).toHaveLength(Object.keys(PAYMENT_ROWS).length);
  expect(ofCatalogue).toEqual(ofCatalogue.map(([code = ""]) => [code, PAYMENT_ROWS[code]?.currency]));
});
