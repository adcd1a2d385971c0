// BTCPay's webhooks: signatures, ids of repeated deliveries, and what a body tells.
import { describe, expect, it } from "vitest";
import { FakeBtcpay } from "@/e2e/support/fake-btcpay/server";
import { createBtcpayReceiver } from "./callbacks";
import { configAt, SECRET, STORE } from "./testing/entry";

const OLD_SECRET = "f".repeat(26);
const REFERENCE = "tuin_01h455vb4pex5vsknk084sn02q";
const BODY = '{"deliveryId":"d1","type":"InvoiceSettled"}';
/** `printf BODY | openssl dgst -sha256 -hmac SECRET` */
const VECTOR = "sha256=609cf58bbf477d559886204ef3a45d3ce8b2eeed88437e32a76327fcacc92caa";

const receiver = createBtcpayReceiver(configAt("http://127.0.0.1:1", { webhook_secrets: [SECRET, OLD_SECRET] }));
const strict = createBtcpayReceiver(configAt("http://127.0.0.1:1"));
const now = new Date();
const verify = (signature: string | null, body = BODY) =>
  strict.verifyCallback(new Headers(signature === null ? {} : { "btcpay-sig": signature }), body, now);

describe("a signature", () => {
  it("is the HMAC-SHA-256 of the body under the webhook's secret", () => {
    expect(verify(VECTOR)).toEqual({ callbackId: "d1" });
  });

  it.each([
    ["none", null, BODY],
    ["an empty one", "", BODY],
    ["a cut one", VECTOR.slice(0, -1), BODY],
    ["one without its algorithm", VECTOR.slice(7), BODY],
    ["one under another algorithm", VECTOR.replace("sha256", "sha512"), BODY],
    ["one of another body", VECTOR, `${BODY} `],
    ["another one of the same length", `sha256=${"0".repeat(64)}`, BODY],
  ])("%s is rejected", (_what, signature, body) => {
    expect(verify(signature, body)).toBeNull();
  });

  it("of an earlier secret is accepted while that secret is listed", () => {
    const { headers, body } = FakeBtcpay.signed(BODY, OLD_SECRET);
    expect(receiver.verifyCallback(headers, body, now)).not.toBeNull();
    expect(strict.verifyCallback(headers, body, now)).toBeNull();
  });
});

describe("the id", () => {
  const idOf = (body: string) => {
    const sent = FakeBtcpay.signed(body, SECRET);
    return strict.verifyCallback(sent.headers, sent.body, now)?.callbackId;
  };

  it("of a repeated delivery is that of the first one", () => {
    const first = { deliveryId: "d1", originalDeliveryId: "d1", isRedelivery: false, type: "InvoiceSettled" };
    expect(idOf(JSON.stringify(first))).toBe("d1");
    expect(idOf(JSON.stringify(FakeBtcpay.again(first)))).toBe("d1");
    expect(idOf(JSON.stringify({ ...first, originalDeliveryId: null }))).toBe("d1");
  });

  it.each(["", "[]", '{"deliveryId":7}', '{"deliveryId":"a b"}', `{"deliveryId":"${"x".repeat(101)}"}`])(
    "of %j is the body's digest",
    (body) => {
      expect(idOf(body)).toMatch(/^sha256:[0-9a-f]{64}$/);
    },
  );
});

describe("a body", () => {
  const read = (type: unknown, more: object = {}) =>
    strict.readCallback(JSON.stringify({ type, storeId: STORE, metadata: { orderId: REFERENCE }, ...more }));

  it.each([
    "InvoiceReceivedPayment",
    "InvoicePaymentSettled",
    "InvoiceProcessing",
    "InvoiceExpired",
    "InvoiceSettled",
    "InvoiceInvalid",
    "InvoiceOfTomorrow",
  ])("%s is only a hint to poll", (type) => {
    expect(read(type, { payment: { value: "999" } })).toEqual({ kind: "hint", merchantId: null, reference: REFERENCE });
  });

  it.each([
    ["InvoiceCreated", {}],
    ["PayoutCreated", {}],
    ["PaymentRequestUpdated", {}],
    ["constructor", {}],
    ["InvoiceSettled", { metadata: { orderId: "shop-1" } }],
    ["InvoiceSettled", { metadata: { orderId: { tuin: 1 } } }],
    ["InvoiceSettled", { metadata: null }],
    ["InvoiceSettled", { metadata: [] }],
  ])("%s with %j is irrelevant", (type, more) => {
    expect(read(type, more)).toMatchObject({ kind: "irrelevant" });
  });

  it("about another store needs a person", () => {
    expect(read("InvoiceSettled", { storeId: "another" })).toMatchObject({ kind: "unreadable", reference: REFERENCE });
    expect(read("InvoiceSettled", { storeId: null })).toMatchObject({ kind: "unreadable" });
  });

  it.each(["", "[]", "null", '{"type":7}', "{", '"x"'])("%j is unreadable", (body) => {
    expect(strict.readCallback(body).kind).toBe("unreadable");
  });
});
