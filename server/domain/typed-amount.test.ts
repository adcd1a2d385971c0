import { expect, it } from "vitest";
import { readTypedAmount } from "./typed-amount";

it("reads amounts exactly, with the digits of the currency", () => {
  const cases = [
    ["1,234.5", "BRL", "123450"],
    ["1,234,567.89", "BRL", "123456789"],
    ["0.07", "BRL", "7"],
    [" 10000 ", "BRL", "1000000"],
    ["100", "JPY", "100"],
    ["1.5", "KWD", "1500"],
    ["99999999999999999999", "ETH", "99999999999999999999000000000000000000"],
  ] as const;
  for (const [typed, currency, units] of cases)
    expect([typed, readTypedAmount(typed, currency)]).toEqual([typed, units]);
});

it.each(["", "0", "0.00", "-1", "1.234", "1.", ".5", "1e3", "ten", "1 000", "1,25", "1,2345", "12,34,567", ",123"])(
  "rejects %o as an amount of BRL",
  (typed) => expect(readTypedAmount(typed, "BRL")).toBeNull(),
);
