// Stripe's webhooks: our verifier against the SDK's generator and the SDK's verifier against the fake, and what a body tells.
import Stripe from "stripe";
import { describe, expect, it } from "vitest";
import { CANCELLED } from "@/e2e/support/fake-stripe/objects";
import { FakeStripe } from "@/e2e/support/fake-stripe/server";
import { createStripeReceiver } from "./callbacks";

const SECRET = "whsec_0123456789abcdef0123456789abcdef";
const OLD_SECRET = "whsec_ffffffffffffffffffffffffffffffff";
const NOW = new Date("2026-11-24T09:00:00.000Z");
const PAYMENT = "dord_01h455vb4pex5vsknk084sn02q";
const BODY = JSON.stringify({ id: "evt_1Example", object: "event", type: "x", data: { object: {} } });

const receiver = createStripeReceiver({ webhook_secrets: [SECRET, OLD_SECRET] });
const { webhooks } = new Stripe(`sk_test_${"0".repeat(24)}`);
const seconds = NOW.getTime() / 1_000;
const generate = (payload: string, secret = SECRET, timestamp = seconds) =>
  webhooks.generateTestHeaderString({ payload, secret, timestamp });
const verify = (signature: string | null, body = BODY, at = NOW) =>
  receiver.verifyCallback(new Headers(signature === null ? {} : { "stripe-signature": signature }), body, at);

describe("a signature", () => {
  it.each([SECRET, OLD_SECRET])("of Stripe's SDK under %s is accepted, and names the event", (secret) => {
    expect(verify(generate(BODY, secret))).toEqual({ callbackId: "evt_1Example" });
  });

  it("of the fake is one that Stripe's SDK accepts", () => {
    const { headers, body } = FakeStripe.signed(BODY, SECRET, new Date());
    expect(webhooks.constructEvent(body, headers.get("stripe-signature") ?? "", SECRET).id).toBe("evt_1Example");
  });

  it("beside others, as while a secret is replaced, is accepted", () => {
    const [time, ours] = generate(BODY).split(",");
    expect(verify(`${time},v1=${"0".repeat(64)},v0=abc,${ours}`)).not.toBeNull();
  });

  it("of a body that is no event is accepted under the name of its digest", () => {
    expect(verify(generate("{}"), "{}")).toEqual({ callbackId: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) });
  });

  it.each([
    ["none", null, BODY],
    ["an empty one", "", BODY],
    ["one without a time", generate(BODY).replace(/^t=\d+,/, ""), BODY],
    ["one with two times", `t=${seconds},${generate(BODY)}`, BODY],
    ["one with another time", generate(BODY).replace(/^t=\d+/, `t=${seconds + 1}`), BODY],
    ["one of another scheme", generate(BODY).replace("v1=", "v0="), BODY],
    ["a cut one", generate(BODY).slice(0, -1), BODY],
    ["one of another body", generate(BODY), `${BODY} `],
    ["one of another secret", generate(BODY, "whsec_00000000000000000000000000000000"), BODY],
    ["an old one", generate(BODY, SECRET, seconds - 301), BODY],
    ["one of the future", generate(BODY, SECRET, seconds + 301), BODY],
    ["an empty scheme", `t=${seconds},v1=`, BODY],
  ])("%s is rejected", (_what, signature, body) => {
    expect(verify(signature, body)).toBeNull();
  });
});

describe("a body", () => {
  const read = (type: string, object: object) =>
    receiver.readCallback(JSON.stringify({ id: "evt_1", object: "event", type, data: { object } }));
  const ours = { metadata: { sluice_reference: PAYMENT } };

  it.each(["payment_intent.succeeded", `payment_intent.${CANCELLED}`, "checkout.session.completed", "brand.new"])(
    "%s about our payment is only a hint to poll",
    (type) => {
      expect(read(type, { ...ours, status: "succeeded" })).toEqual({
        kind: "hint",
        merchantId: null,
        reference: PAYMENT,
      });
    },
  );

  it.each([
    {},
    { metadata: null },
    { metadata: { sluice_reference: 7 } },
    { metadata: { sluice_reference: "order-1" } },
    { metadata: [PAYMENT] },
  ])("about %j, which Sluice did not send, is irrelevant", (object) => {
    expect(read("payment_intent.succeeded", object)).toMatchObject({ kind: "irrelevant" });
  });

  const OUR_REFUND = "sref_01h455vb4pex5vsknk084sn02q";

  it.each(["charge.refund.updated", "refund.created", "refund.updated", "refund.failed"])(
    "%s about our refund is only a hint to poll",
    (type) => {
      const object = { object: "refund", status: "failed", metadata: { sluice_reference: OUR_REFUND } };
      expect(read(type, object)).toEqual({ kind: "hint", merchantId: null, reference: OUR_REFUND });
    },
  );

  it("charge.refunded, which does not say whose refund it was, is irrelevant beside refund.created", () => {
    expect(read("charge.refunded", ours)).toMatchObject({ kind: "irrelevant" });
  });

  it.each(["charge.refund.updated", "refund.created", "charge.dispute.created"])("%s needs a person", (type) => {
    expect(read(type, ours)).toMatchObject({ kind: "unreadable", reference: PAYMENT });
    expect(read(type, {})).toMatchObject({ kind: "unreadable", reference: null });
  });

  it("about money that belongs to no open payment needs a person", () => {
    expect(read("cash_balance.funds_available", { customer: "cus_1" })).toMatchObject({ kind: "unreadable" });
  });

  it.each(["", "[]", "null", '{"id":"evt_1","object":"event"}', '{"id":"x"}', "{"])("%j is unreadable", (body) => {
    expect(receiver.readCallback(body).kind).toBe("unreadable");
  });
});
