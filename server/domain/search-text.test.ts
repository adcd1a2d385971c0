import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ISO_CURRENCIES, TOKEN_SYMBOLS } from "./currencies";
import { toDecimalString, toReadableString } from "./money";
import { amountTerm, readIdRange, readSearchedAmounts } from "./search-text";

const OWN = ["BRL", "JPY", "KWD"];
const read = (text: string, currencies = OWN) =>
  readSearchedAmounts(text, currencies).map(({ currency, amount }) => `${currency} ${amount}`);

describe("amounts", () => {
  it.each([
    ["125.50", ["BRL 12550", "KWD 125500"]],
    ["125,5", ["BRL 12550", "KWD 125500"]],
    ["125", ["BRL 12500", "JPY 125", "KWD 125000"]],
    ["BRL 125.50", ["BRL 12550"]],
    ["brl125.50", ["BRL 12550"]],
    ["125,50 BRL", ["BRL 12550"]],
    ["R$ 125,50", ["BRL 12550", "KWD 125500"]],
    ["1.250,00", ["BRL 125000", "KWD 1250000"]],
    ["1,250.00", ["BRL 125000", "KWD 1250000"]],
    ["1 250,00", ["BRL 125000", "KWD 1250000"]],
    ["1.250", ["BRL 125000", "JPY 1250", "KWD 1250000", "KWD 1250"]],
    ["1,250,000", ["BRL 125000000", "JPY 1250000", "KWD 1250000000"]],
    ["BRL 1.255", ["BRL 125500"]],
    ["0.01 BRL", ["BRL 1"]],
    ["USDT 1.000001", ["USDT 1000001"]],
  ])("%s", (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it.each([
    "",
    "abc",
    "INV-2026-0004",
    "12-50",
    "1.2.3",
    "1,25,000",
    "1.250.00",
    "0",
    "0.00",
    "XYZ 5",
    "BRL",
    "5 BRL 6",
    "-5",
    "1e5",
    "12a",
    "9".repeat(31),
  ])("%j is no amount", (text) => {
    expect(read(text, ["BRL"])).toEqual([]);
  });

  it("reads back every sum as it is shown, with the points and commas of either habit", () => {
    const money = fc.record({
      amount: fc.bigInt({ min: 1n, max: 10n ** 26n }),
      currency: fc.constantFrom(...ISO_CURRENCIES, ...TOKEN_SYMBOLS),
    });
    const property = fc.property(money, ({ amount, currency }) => {
      const shown = toReadableString(amount, currency);
      const turned = shown.replace(/[.,]/g, (mark) => (mark === "." ? "," : "."));
      for (const text of [shown, turned, toDecimalString(amount, currency)]) {
        expect(read(`${currency} ${text}`)).toContain(`${currency} ${amount}`);
        expect(read(text, [currency])).toContain(`${currency} ${amount}`);
      }
    });
    fc.assert(property, { numRuns: 500 });
  });
});

it("amounts are stored so that their texts sort as the amounts do, currency by currency", () => {
  const amounts = ["9", "10", "1050", "99999", "1000000000000"];
  const terms = amounts.map((amount) => amountTerm({ currency: "BRL", amount }));
  expect(terms[2]).toBe("BRL 04 1050");
  expect(terms.toSorted()).toEqual(terms);
});

describe("ids", () => {
  it("a whole id is a range of itself", () => {
    const id = "dord_01h455vb4pex5vsknk084sn02q";
    expect(readIdRange(` ${id.toUpperCase()} `)).toEqual({ prefix: "dord", lowest: id, highest: id });
  });

  it("the beginning of an id is the range of what follows", () => {
    expect(readIdRange("evt_01h455vb4")).toEqual({
      prefix: "evt",
      lowest: "evt_01h455vb400000000000000000",
      highest: "evt_01h455vb4zzzzzzzzzzzzzzzzz",
    });
  });

  it.each([
    "dord_",
    "dord_01h455v",
    "01h455vb4pex5vsknk084sn02q",
    "dord_01h455vb4pex5vsknk084sn02qq",
    "dord_01h455vb4'",
  ])("%s names too many ids, or none", (text) => {
    expect(readIdRange(text)).toBeNull();
  });
});
