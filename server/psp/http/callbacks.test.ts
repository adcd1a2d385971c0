// Which callbacks are accepted, how repeats are detected, and how each is parsed.
import { describe, expect, it } from "vitest";
import { createCallbackReceiver } from "./callbacks";
import type { HttpConfig } from "./config";
import { signedHeaders } from "./signature";

const SECRET = "an example secret of 32 characters or more";
const NOW = new Date("2026-11-21T09:30:00.000Z");
const CONFIG = {
  name: "acme",
  url: "https://bridge.example.com",
  secret: SECRET,
  payment_methods: "all" as const,
  payout_currencies: "all" as const,
  topups: [],
  environments: ["live"],
  exponents: { ISK: 2 },
  cancel: false,
  protocol: 1,
  plain_http: false,
} satisfies HttpConfig;
const receiver = createCallbackReceiver(CONFIG);

const signed = (body: string, path = "/providers/acme/callbacks") =>
  new Headers(signedHeaders(SECRET, { method: "POST", path, body }, NOW));
const callback = (reference: string, status: string, more: object = {}) =>
  JSON.stringify({ callback_id: "cb_1", merchant_id: "mer_1", reference, provider_reference: "px_1", status, ...more });

describe("verifying callbacks", () => {
  const body = callback("dord_1", "pending");

  it("accepts a callback signed for the provider's own path, and returns the id that identifies repeats", () => {
    expect(receiver.verifyCallback(signed(body), body, NOW)).toEqual({ callbackId: "cb_1" });
  });

  it("rejects forged, foreign and stale callbacks", () => {
    const hourLater = new Date(NOW.getTime() + 3_600_000);
    expect(receiver.verifyCallback(new Headers(), body, NOW)).toBeNull();
    expect(receiver.verifyCallback(signed(body), body.replace("dord_1", "dord_2"), NOW)).toBeNull();
    expect(receiver.verifyCallback(signed(body, "/providers/other/callbacks"), body, NOW)).toBeNull();
    expect(receiver.verifyCallback(signed(body), body, hourLater)).toBeNull();
  });

  it("identifies signed nonsense by its digest, so that it is acknowledged once and staff inspect it", () => {
    for (const nonsense of ["", "{", "[]", "{}", '{"callback_id":"a b","merchant_id":"mer_1"}', '{"callback_id":7}']) {
      const verified = receiver.verifyCallback(signed(nonsense), nonsense, NOW);
      expect(verified?.callbackId).toMatch(/^sha256:[0-9a-f]{64}$/);
      expect(receiver.readCallback(nonsense)).toMatchObject({ kind: "unreadable", reference: null });
    }
  });
});

describe("reading callbacks", () => {
  const brl = { amount: "1050", currency: "BRL" };
  it.each([
    ["dord_1", "pending", {}, { kind: "pending" }],
    ["dord_1", "succeeded", brl, { kind: "succeeded", amount: 1050n, currency: "BRL" }],
    ["dord_1", "declined", { message: "no" }, { kind: "declined", message: "no" }],
    ["dord_1", "cancelled", {}, { kind: "cancelled" }],
    ["dord_1", "expired", {}, { kind: "expired" }],
    ["word_1", "pending", {}, { kind: "pending" }],
    ["word_1", "settled", brl, { kind: "settled", amount: 1050n }],
    ["word_1", "settled", { amount: "150000", currency: "ISK" }, { kind: "settled", amount: 1500n, currency: "ISK" }],
    ["word_1", "declined", {}, { kind: "declined" }],
    ["word_1", "invalid_recipient", {}, { kind: "invalid_recipient" }],
    ["word_1", "returned", brl, { kind: "returned", amount: 1050n, currency: "BRL" }],
    [
      "tuin_1",
      "funds_seen",
      { amount: "7", currency: "USDT", confirmed: true },
      { kind: "funds_seen", confirmed: true },
    ],
    ["tuin_1", "funds_dropped", { amount: "0", currency: "USDT" }, { kind: "funds_dropped", amount: 0n }],
    ["tuin_1", "expired", {}, { kind: "expired" }],
  ])("on %s that is %s %o", (reference, status, more, outcome) => {
    expect(receiver.readCallback(callback(reference, status, more))).toMatchObject({
      callbackId: "cb_1",
      merchantId: "mer_1",
      reference,
      outcomes: [{ ...outcome, providerReference: "px_1" }],
    });
  });

  it.each([
    ["an unknown prefix", callback("xxxx_1", "pending"), "reference: "],
    ["a status of another kind", callback("word_1", "succeeded", brl), "status: "],
    ["instructions, which are read by asking", callback("dord_1", "requires_action"), "status: "],
    ["no sum", callback("dord_1", "succeeded"), "amount: "],
    ["the sum 0", callback("dord_1", "succeeded", { ...brl, amount: "0" }), "amount: "],
    [
      "a sum that our units cannot express",
      callback("word_1", "settled", { amount: "150001", currency: "ISK" }),
      "a sum",
    ],
    [
      "a return without its own reference",
      callback("word_1", "returned", { ...brl, provider_reference: null }),
      "provider_reference: ",
    ],
    ["an unknown currency", callback("word_1", "settled", { amount: "1", currency: "QQQ" }), "a sum"],
    ["no id", JSON.stringify({ merchant_id: "mer_1", reference: "dord_1", status: "pending" }), "callback_id: "],
  ])("returns why it cannot read %s, and what the callback names", (_name, body, why) => {
    expect(receiver.readCallback(body)).toEqual({
      kind: "unreadable",
      why: expect.stringMatching(new RegExp(`^${why}.*[^:]$`)) as string,
      merchantId: "mer_1",
      reference: expect.stringMatching(/^(dord|word|xxxx)_1$/) as string,
    });
  });

  it.each([
    ["no merchant", JSON.stringify({ callback_id: "cb_1", reference: "dord_1", status: "pending" }), "dord_1"],
    ["no JSON", "status=pending", null],
    ["JSON null", "null", null],
  ])("names no merchant with %s", (_name, body, reference) => {
    expect(receiver.readCallback(body)).toMatchObject({ kind: "unreadable", merchantId: null, reference });
  });

  it("returns no value of the body", () => {
    const secret = "4111111111111111";
    const bodies = [
      callback("dord_1", secret),
      callback("dord_1", "succeeded", { amount: secret + secret, currency: "BRL" }),
      callback("dord_1", "pending", { provider_reference: `${secret}\n` }),
      callback(`dord_${"1".repeat(80)}${secret}`, "pending"),
    ];
    for (const body of bodies) {
      const reading = receiver.readCallback(body);
      expect(reading.kind).toBe("unreadable");
      expect(JSON.stringify(reading)).not.toContain(secret);
    }
  });
});

describe("version 2 of the protocol", () => {
  const second = createCallbackReceiver({ ...CONFIG, protocol: 2 });
  const sum = { amount: "1050", currency: "BRL" };
  const outcomeOf = (reading: ReturnType<typeof second.readCallback>) =>
    reading.kind === "update" ? reading.outcomes[0] : reading.kind;
  const read = (body: string) => outcomeOf(second.readCallback(body));

  it("returns the id of incoming money, which version 1 ignores", () => {
    const body = callback("dord_1", "succeeded", { ...sum, receipt_id: "r-1" });
    expect(read(body)).toMatchObject({ kind: "succeeded", receiptId: "r-1" });
    expect(outcomeOf(receiver.readCallback(body))).toMatchObject({ kind: "succeeded", receiptId: null });
  });

  it.each([undefined, null, "", "x".repeat(256), "r\n1", 7])("rejects incoming money with the id %j", (receipt_id) => {
    expect(read(callback("dord_1", "succeeded", { ...sum, receipt_id }))).toBe("unreadable");
  });

  it("requires no id if no money came in", () => {
    expect(read(callback("dord_1", "pending"))).toMatchObject({ kind: "pending" });
    expect(read(callback("word_1", "settled", sum))).toMatchObject({ kind: "settled" });
    expect(read(callback("tuin_1", "funds_seen", { ...sum, confirmed: true }))).toMatchObject({ kind: "funds_seen" });
  });
});
