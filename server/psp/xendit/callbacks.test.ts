// Xendit's webhooks: tokens, and what a body tells.
import { describe, expect, it } from "vitest";
import { createXenditReceiver } from "./callbacks";
import { BUSINESS, TOKEN } from "./testing/entry";

const OLD_TOKEN = "t9876543210fedcba9876543210";
const receiver = createXenditReceiver({ account: BUSINESS, webhook_tokens: [TOKEN, OLD_TOKEN] });
const PAYMENT = "dord_01h455vb4pex5vsknk084sn02q";
const PAYOUT = "word_7g2w0q4m_0123456789abcdefghjkmnpqrs";
const BODY = JSON.stringify({ event: "payment.succeeded", data: { reference_id: PAYMENT } });
const verify = (token: string | null, body = BODY) =>
  receiver.verifyCallback(new Headers(token === null ? {} : { "x-callback-token": token }), body, new Date());

describe("a token", () => {
  it.each([TOKEN, OLD_TOKEN])("%s of the configured ones is accepted", (token) => {
    expect(verify(token)).toEqual({ callbackId: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) });
  });

  it("is the same for every body, so equal bodies are one callback and others are not", () => {
    expect(verify(TOKEN)).toEqual(verify(OLD_TOKEN));
    expect(verify(TOKEN)).not.toEqual(verify(TOKEN, `${BODY} `));
  });

  it.each([
    ["none", null],
    ["an empty one", ""],
    ["a cut one", TOKEN.slice(0, -1)],
    ["a longer one", `${TOKEN}x`],
    ["another of the same length", `x${TOKEN.slice(1)}`],
    ["both", `${TOKEN}, ${OLD_TOKEN}`],
  ])("%s is rejected", (_what, token) => {
    expect(verify(token)).toBeNull();
  });
});

describe("a body", () => {
  const read = (event: string, data: object) => receiver.readCallback(JSON.stringify({ event, data }));

  it.each([
    ["payment.succeeded", { reference_id: PAYMENT, status: "SUCCEEDED", amount: 1 }, PAYMENT],
    ["payment.failed", { reference_id: "x", metadata: { sluice_reference: PAYMENT } }, PAYMENT],
    ["payment_method.expired", { reference_id: "x", metadata: { sluice_reference: PAYMENT } }, PAYMENT],
    ["payout.succeeded", { reference_id: PAYOUT, amount: 999, metadata: null }, PAYOUT],
    ["payout.reversed", { reference_id: PAYOUT, metadata: 7 }, PAYOUT],
    ["brand.new", { reference_id: PAYOUT }, PAYOUT],
  ])("%s is only a hint to poll", (event, data, reference) => {
    expect(read(event, data)).toEqual({ kind: "hint", merchantId: null, reference });
  });

  it.each([
    ["payment.succeeded", { reference_id: "order-7" }],
    ["payment_method.expired", { reference_id: "of-the-method" }],
    ["payout.succeeded", { reference_id: { word: 1 } }],
    ["payout.succeeded", {}],
  ])("%s about what Sluice did not send is irrelevant", (event, data) => {
    expect(read(event, data)).toMatchObject({ kind: "irrelevant" });
  });

  it.each([
    ["refund.succeeded", { reference_id: "r1", metadata: { sluice_reference: PAYMENT } }, PAYMENT],
    ["refund.failed", { reference_id: "r1" }, null],
    ["dispute.created", { reference_id: PAYMENT }, PAYMENT],
  ])("%s needs a person", (event, data, reference) => {
    expect(read(event, data)).toMatchObject({ kind: "unreadable", reference });
  });

  it.each(["", "[]", "null", '{"event":7,"data":{}}', '{"event":"x"}', '{"event":"x","data":[]}', "{"])(
    "%j is unreadable",
    (body) => {
      expect(receiver.readCallback(body).kind).toBe("unreadable");
    },
  );
});
