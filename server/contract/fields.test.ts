import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { amount, codePoints, country, currency, merchantReference, object, text, timestamp } from "./fields";
import { createPaymentIntentBody } from "./payment-intents";
import { cancelPayoutIntentBody, createPayoutIntentBody } from "./payout-intents";

const takes = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success;
const complaint = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues[0]?.message;

/** Values of every wrong type. */
const NOT_TEXT = [1, 0, -1, 1.5, true, false, null, [], ["1050"], {}, { amount: "1050" }];
const STONE = "\u{1F48E}"; // one code point, two UTF-16 units, four bytes

describe("text", () => {
  it("is limited in code points, not in UTF-16 units or bytes", () => {
    expect(codePoints(STONE.repeat(255))).toBe(255);
    expect(takes(merchantReference, STONE.repeat(255))).toBe(true);
    expect(takes(merchantReference, STONE.repeat(256))).toBe(false);
    expect(takes(merchantReference, "x".repeat(255))).toBe(true);
    expect(takes(merchantReference, "x".repeat(256))).toBe(false);
    expect(takes(merchantReference, "")).toBe(false);
  });

  it("of a cancel reason has 0 to 512 code points", () => {
    const reason = (value: string) => takes(cancelPayoutIntentBody, { reason: value });
    expect([reason(""), reason(STONE.repeat(512)), reason(STONE.repeat(513)), reason("x".repeat(513))]).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(complaint(cancelPayoutIntentBody, { reason: "x".repeat(513) })).toBe("must have at most 512 characters");
  });

  it("is unchanged: neither trimmed nor normalized", () => {
    for (const value of [" a ", "\u00e9", "e\u0301", "\u202eabc", "<b>", "'; --", "a\tb"]) {
      expect(merchantReference.parse(value)).toBe(value);
    }
  });

  it.each(["a\u0000b", "\ud800", "a\udc00b", "\udc00\ud800"])("rejects %j, which Postgres cannot store", (value) => {
    expect(complaint(text(0, 255), value)).toBe("must be well-formed Unicode without NUL");
  });
});

describe("every field rejects every wrong type", () => {
  it.each([
    ["amount", amount],
    ["currency", currency],
    ["country", country],
    ["text", text(0, 10)],
  ])("%s", (_name, schema) => {
    for (const value of NOT_TEXT) expect([value, takes(schema, value)]).toEqual([value, false]);
  });

  it("body", () => {
    for (const value of [1, "x", true, null, [], [{}]]) {
      expect(complaint(createPaymentIntentBody, value)).toBe("must be an object");
    }
  });
});

it.each(["", "0", "01", "-1", "+1", "1.0", " 1", "1\n", "1e3", "0x10", "\uff11", "9".repeat(31)])(
  "amount rejects %j",
  (value) => {
    expect(takes(amount, value)).toBe(false);
  },
);

it.each(["brl", "BR", "BRLX", "BRL ", "BRL\n", "XXX", "TOOLONG", "", "\u0412RL", "toString"])(
  "currency rejects %j",
  (value) => {
    expect(takes(currency, value)).toBe(false);
  },
);

it.each(["br", "B", "BRA", "ZZ", "UK", "BR\n", "", "\uff22\uff32"])("country rejects %j", (value) => {
  expect(takes(country, value)).toBe(false);
});

it("a timestamp in an answer is UTC with three digits", () => {
  expect(takes(timestamp, "2026-11-21T09:30:00.000Z")).toBe(true);
  for (const value of ["2026-11-21T09:30:00Z", "2026-11-21T09:30:00.000+00:00", ""]) {
    expect(takes(timestamp, value)).toBe(false);
  }
});

it("unknown members are ignored", () => {
  const parsed = object({ amount }).parse(JSON.parse('{"amount":"1","environment":"live","__proto__":{"status":"x"}}'));
  expect(Object.keys(parsed as object)).toEqual(["amount"]);
  expect(Object.hasOwn(Object.prototype, "status")).toBe(false);
});

describe("an account number", () => {
  const body = (accountNumber: unknown) => ({
    amount: "1",
    currency: "BRL",
    country: "BR",
    merchant_reference: "r",
    recipient: { type: "bank_account", account_number: accountNumber, bank_code: "001", holder_name: "Ana" },
  });

  it.each(["12345", "DE89 3704 0044 0532 0130 00", "0001-12345/6.7", "a".repeat(64)])("may be %j", (value) => {
    expect(takes(createPayoutIntentBody, body(value))).toBe(true);
  });

  it.each([
    "",
    "123",
    " 12345",
    "12345 ",
    "12345\n",
    "1234\u00005",
    "12_345",
    "a".repeat(65),
    "\uff11\uff12\uff13\uff14\uff15",
    12345,
    null,
  ])("may not be %j", (value) => {
    expect(takes(createPayoutIntentBody, body(value))).toBe(false);
  });

  it("is never quoted in its error", () => {
    const { error } = createPayoutIntentBody.safeParse(body("12_3456789_secret"));
    expect(JSON.stringify(error)).not.toContain("3456789");
  });
});
