// camt.053 files lose no minor unit: entries add up to closing less opening, in every currency.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ISO_CURRENCIES, minorUnitDigits, TOKEN_SYMBOLS } from "@/server/domain/currencies";
import { CAMT_END, camtBeginning, camtEntry, requireCamt } from "./camt053";
import { amounts, NO_NAMES, statementOf, type Written } from "./testing/statements";

const FILE_ID = "0123456789abcdef0123456789abcdef";

function write({ head, lines }: Written): string {
  return camtBeginning(head, FILE_ID) + lines.map((line) => camtEntry(line, head)).join("") + CAMT_END;
}

/** A decimal of the file as minor units; fails unless it has exactly the currency's digits. */
function minorUnits(decimal: string, currency: string): bigint {
  const [whole = "", fraction = ""] = decimal.split(".");
  expect(fraction).toHaveLength(minorUnitDigits(currency));
  return BigInt(whole + fraction);
}

const AMOUNT = '<Amt Ccy="(?<code>[A-Z]{3})">(?<sum>[0-9.]+)</Amt><CdtDbtInd>(?<sign>CRDT|DBIT)</CdtDbtInd>';

/** The signed amounts after `before`. */
function amountsAfter(xml: string, before: string, currency: string): bigint[] {
  return [...xml.matchAll(new RegExp(before + AMOUNT, "g"))].map(({ groups }) => {
    expect(groups?.["code"]).toBe(currency);
    const sum = minorUnits(groups?.["sum"] ?? "", currency);
    return groups?.["sign"] === "DBIT" ? -sum : sum;
  });
}

const sumOf = (all: readonly bigint[]) => all.reduce((total, amount) => total + amount, 0n);

it("in every currency, entries are exact and add up to closing less opening, and so do the totals", () => {
  const written = fc.record({
    currency: fc.constantFrom(...ISO_CURRENCIES),
    opening: fc.bigInt({ min: 0n, max: 10n ** 15n }),
    moved: amounts,
  });
  const property = fc.property(written, ({ currency, opening, moved }) => {
    const statement = statementOf(currency, opening, moved);
    requireCamt(currency, statement.head);
    const xml = write(statement);
    const entries = amountsAfter(xml, "<NtryRef>\\d+</NtryRef>", currency);
    expect(entries).toEqual(moved);
    const [first] = amountsAfter(xml, "<Cd>OPBD</Cd></CdOrPrtry></Tp>", currency);
    const [last] = amountsAfter(xml, "<Cd>CLBD</Cd></CdOrPrtry></Tp>", currency);
    expect(first).toBe(opening);
    expect((last ?? 0n) - (first ?? 0n)).toBe(sumOf(entries));
    const credits = entries.filter((amount) => amount > 0n);
    const [, count = "", credited = ""] =
      /<TtlCdtNtries><NbOfNtries>(\d+)<\/NbOfNtries><Sum>([0-9.]+)</.exec(xml) ?? [];
    expect([Number(count), minorUnits(credited, currency)]).toEqual([credits.length, sumOf(credits)]);
  });
  fc.assert(property, { numRuns: 500 });
});

describe("what the format cannot hold is rejected", () => {
  it.each(TOKEN_SYMBOLS)("a statement in %s, which has no ISO code", (token) => {
    expect(() => requireCamt(token, statementOf(token, 0n, [1n]).head)).toThrow(/ISO 4217/);
  });

  it("a sum of over 18 digits", () => {
    const most = 10n ** 18n - 1n;
    expect(() => requireCamt("BRL", statementOf("BRL", 0n, [most]).head)).not.toThrow();
    expect(() => requireCamt("BRL", statementOf("BRL", 0n, [most, 1n]).head)).toThrow(/18 digits/);
    expect(() => requireCamt("BRL", statementOf("BRL", 0n, [most, -most, most]).head)).toThrow(/18 digits/);
  });
});

it("names and references are escaped; one that is too long for its field is in the notes, in full", () => {
  const names = { ...NO_NAMES, merchantReference: 'INV <1> & "2"', counterparty: "Peña </Nm> & Hijos" };
  const short = write(statementOf("EUR", 0n, [5n, -5n], names));
  expect(short).toContain("<EndToEndId>INV &lt;1&gt; &amp; &quot;2&quot;</EndToEndId>");
  expect(short).toContain("<Dbtr><Pty><Nm>Peña &lt;/Nm&gt; &amp; Hijos</Nm></Pty></Dbtr>");
  expect(short).toContain("<Cdtr><Pty><Nm>Peña &lt;/Nm&gt; &amp; Hijos</Nm></Pty></Cdtr>");
  const reference = "R".repeat(250);
  const long = write(statementOf("EUR", 0n, [5n], { ...NO_NAMES, merchantReference: reference }));
  expect(long).not.toContain("<EndToEndId>");
  const notes = [...long.matchAll(/<Ustrd>([^<]*)</g)].map(([, note = ""]) => note);
  expect(notes.every((note) => note.length <= 140)).toBe(true);
  expect(notes.join("")).toBe(`Reference ${reference}`);
});

it("a statement without movements has its balances and no entry", () => {
  const xml = write(statementOf("JPY", 12n, []));
  expect(amountsAfter(xml, "<Cd>CLBD</Cd></CdOrPrtry></Tp>", "JPY")).toEqual([12n]);
  expect(xml).not.toContain("<Ntry>");
});
