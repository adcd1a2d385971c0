// Paystack's webhooks: signatures, and what a body tells.
import { describe, expect, it } from "vitest";
import { createPaystackReceiver } from "./callbacks";
import { paystackConfig } from "./config";

const KEY = "sk_test_0123456789abcdef0123456789abcdef01234567";
const OLD_KEY = "sk_test_ffffffffffffffffffffffffffffffffffffffff";
const BODY = '{"event":"charge.success","data":{"reference":"dord-01h455vb4pex5vsknk084sn02q"}}';
/** `printf BODY | openssl dgst -sha512 -hmac KEY` */
const VECTOR =
  "50ad55931e4ff9bc36deb1b917087f4097598653ce163fd7391d22e893671964d6c3bc560cf97fc6f331fe90462b6ccb4425d7f81ab8217c719ab1dd7a7f7836";

const config = { name: "paystack", type: "paystack", account: "463433", secret_key: KEY, environments: ["test"] };
const receiver = createPaystackReceiver(paystackConfig.parse({ ...config, webhook_secrets: [OLD_KEY] }));
const strict = createPaystackReceiver(paystackConfig.parse(config));
const verify = (signature: string | null, body = BODY) =>
  strict.verifyCallback(new Headers(signature === null ? {} : { "x-paystack-signature": signature }), body, new Date());

describe("a signature", () => {
  it("is the HMAC-SHA-512 of the body under the secret key", () => {
    expect(verify(VECTOR)).toEqual({ callbackId: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) });
  });

  it.each([
    ["none", null, BODY],
    ["an empty one", "", BODY],
    ["a cut one", VECTOR.slice(0, -1), BODY],
    ["one of another body", VECTOR, `${BODY} `],
  ])("%s is rejected", (_what, signature, body) => {
    expect(verify(signature, body)).toBeNull();
  });

  it("of an earlier key is accepted while that key is listed", async () => {
    const { FakePaystack } = await import("@/e2e/support/fake-paystack/server");
    const { headers, body } = FakePaystack.webhook({ event: "charge.success", data: { reference: "x" } }, OLD_KEY);
    expect(receiver.verifyCallback(headers, body, new Date())).not.toBeNull();
    expect(strict.verifyCallback(headers, body, new Date())).toBeNull();
  });
});

describe("a body", () => {
  const read = (event: string, data: object) => receiver.readCallback(JSON.stringify({ event, data }));
  const PAYMENT = "dord_01h455vb4pex5vsknk084sn02q";
  const PAYOUT = "word_7g2w0q4m_0123456789abcdefghjkmnpqrs";

  it.each([
    ["charge.success", { reference: "dord-01h455vb4pex5vsknk084sn02q" }, PAYMENT],
    ["charge.failed", { reference: "dord-01h455vb4pex5vsknk084sn02q" }, PAYMENT],
    ["transfer.success", { reference: PAYOUT, amount: 999 }, PAYOUT],
    ["transfer.reversed", { reference: PAYOUT }, PAYOUT],
  ])("%s is only a hint to poll", (event, data, reference) => {
    expect(read(event, data)).toEqual({ kind: "hint", merchantId: null, reference });
  });

  it.each([
    ["charge.success", { reference: "re4lyvq3s3" }],
    ["customeridentification.success", { customer_id: 7 }],
    ["transfer.success", { reference: "acv_9ee55786-2323-4760-98e2-6380c9cb3f67" }],
    ["charge.success", { reference: { dord: 1 } }],
  ])("%s about what Sluice did not send is irrelevant", (event, data) => {
    expect(read(event, data)).toMatchObject({ kind: "irrelevant" });
  });

  it.each([
    ["charge.dispute.create", { transaction: { reference: "dord-01h455vb4pex5vsknk084sn02q" } }],
    ["refund.processed", { transaction_reference: "dord-01h455vb4pex5vsknk084sn02q" }],
  ])("%s needs a person", (event, data) => {
    expect(read(event, data)).toMatchObject({ kind: "unreadable", reference: PAYMENT });
  });

  it.each(["", "[]", "null", '{"event":7,"data":{}}', '{"event":"x"}', "{"])("%j is unreadable", (body) => {
    expect(receiver.readCallback(body).kind).toBe("unreadable");
  });
});
