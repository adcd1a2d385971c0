// Reading settlement files: what is understood, and that a fault is named by line and column.
import { describe, expect, it } from "vitest";
import { readSettlement } from "./read-settlement";

const HEADER = "line_id,kind,reference,provider_reference,amount,currency,fee,settled_at";
const GOOD = "L1,payment,dord_1,px_1,1050,BRL,12,2026-11-20T10:00:00Z";
const bytes = (text: string) => new TextEncoder().encode(text);
const read = (...lines: string[]) => readSettlement(bytes(lines.join("\n")));
const faultOf = (text: string | Uint8Array) => {
  try {
    readSettlement(typeof text === "string" ? bytes(text) : text);
    return "none";
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return `${code} ${message}`;
  }
};

describe("a settlement file", () => {
  it("is read cell by cell", () => {
    expect(read(HEADER, GOOD)).toEqual([
      {
        row: 2,
        digest: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
        lineId: "L1",
        kind: "payment",
        reference: "dord_1",
        providerReference: "px_1",
        amount: 1050n,
        currency: "BRL",
        fee: 12n,
        settledAt: new Date("2026-11-20T10:00:00.000Z"),
        batch: null,
      },
    ]);
  });

  it("may have a byte order mark, CRLF, quotes, blanks around cells, empty lines, other columns and another order", () => {
    const text = [
      "\ufeffcurrency, kind,line_id,note,settled_at,amount,fee,provider_reference,reference",
      'BRL,"payment",L1,"a, ""b""\nc",2026-11-20T07:00:00.000-03:00, 1050 ,12,px_1,dord_1',
      "",
      "USDT,fee,L2,,2026-11-20T10:00:00Z,1000000000000000000,,,",
    ].join("\r\n");
    const [first, second] = readSettlement(bytes(text));
    expect(first).toEqual({ ...read(HEADER, GOOD)[0], row: first?.row });
    expect(second).toMatchObject({ reference: null, providerReference: null, fee: 0n, amount: 10n ** 18n });
  });

  it("tells lines apart by what they say, not by where they stand", () => {
    const [first, second, other] = read(HEADER, GOOD, GOOD, GOOD.replace("12", "13"));
    expect([first?.digest === second?.digest, first?.digest === other?.digest]).toEqual([true, false]);
  });

  it("with a header alone has no lines", () => expect(read(HEADER)).toEqual([]));
});

describe("a fault is named by line and column", () => {
  const change = (from: string, to: string) => [HEADER, GOOD, GOOD.replace(from, to)].join("\n");
  it.each<[string | Uint8Array, RegExp]>([
    ["", /the file must start with a line of column names/],
    [new Uint8Array([0xff, 0xfe]), /the file must be UTF-8 text/],
    [HEADER.replace(",fee", ""), /line 1, column fee: is missing/],
    [HEADER.replace("fee", "amount"), /line 1, column amount: is given twice/],
    [change("12,", ""), /line 3: .*expect 8, got 7/],
    [change("px_1", '"px_1'), /line 3: .*Quote/],
    [change("payment", "chargeback"), /line 3, column kind: must be one of payment, payout, topup, refund, fee/],
    [change("payment", "fee"), /line 3, column fee: must be empty or 0/],
    [change("L1", ""), /line 3, column line_id: must not be empty/],
    [change("L1", "é"), /line 3, column line_id: must be at most 255 printable/],
    [change("dord_1", "d".repeat(65)), /line 3, column reference: must be at most 64/],
    [change("px_1", "a\u0007"), /line 3, column provider_reference/],
    ...["", "0", "-1", "10.50", "1e3", "01", "0x10", "１", "1".repeat(16)].map((amount): [string, RegExp] => [
      change("1050", amount),
      /line 3, column amount: must be a positive whole number/,
    ]),
    ...["-1", "0.5", "x"].map((fee): [string, RegExp] => [change(",12,", `,${fee},`), /line 3, column fee: must be/]),
    ...["brl", "", "XXQ"].map((code): [string, RegExp] => [change("BRL", code), /line 3, column currency: must be/]),
    ...["2026-11-20", "2026-11-20T10:00:00", "2026-02-30T10:00:00Z", "20.11.2026", ""].map((at): [string, RegExp] => [
      change("2026-11-20T10:00:00Z", at),
      /line 3, column settled_at: must be an ISO 8601/,
    ]),
  ])("%j", (text, message) => {
    expect(faultOf(text)).toMatch(/^validation_failed /);
    expect(faultOf(text)).toMatch(message);
  });

  it("and a file that is too large is not read", () => {
    expect(faultOf(new Uint8Array(64 * 1024 * 1024 + 1))).toMatch(/must not be larger than 64 MiB/);
  });
});
