// Verification agrees with our sender and with the library of Standard Webhooks.
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { newWebhookSecret, signWebhook } from "@/server/receivers/signature";
import { WebhookVerificationError } from "./errors.js";
import { verifyWebhook } from "./webhooks.js";

const SECRET = newWebhookSecret();
const BODY = JSON.stringify({ id: "evt_1", type: "payment_intent.succeeded", data: { payment_intent_id: "dord_1 é" } });
const sign = (secrets: readonly string[], at = new Date()) => ({
  ...signWebhook(secrets, { id: "evt_1", at, body: BODY }),
});
const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000);

describe("a message that is believed", () => {
  it.each([
    ["of our sender", sign([SECRET])],
    ["while the secret is rotated", sign([newWebhookSecret(), SECRET])],
    ["of Fetch", new Headers(sign([SECRET]))],
    ["four minutes old", sign([SECRET], ago(240))],
    [
      "of the library",
      {
        "webhook-id": "evt_1",
        "webhook-timestamp": String(Math.floor(Date.now() / 1_000)),
        "webhook-signature": new Webhook(SECRET).sign("evt_1", new Date(), BODY),
      },
    ],
  ])("%s", (_, headers) => {
    expect(verifyWebhook(SECRET, headers, BODY)).toEqual(JSON.parse(BODY));
    expect(verifyWebhook(SECRET, headers, Buffer.from(BODY))).toEqual(JSON.parse(BODY));
  });
});

describe("a message that is not", () => {
  const signed = sign([SECRET]);

  it.each([
    ["another body", signed, `${BODY} `],
    ["another secret", sign([newWebhookSecret()]), BODY],
    ["another id", { ...signed, "webhook-id": "evt_2" }, BODY],
    ["an old one", sign([SECRET], ago(330)), BODY],
    ["one of the future", sign([SECRET], ago(-330)), BODY],
    ["no signature", { ...signed, "webhook-signature": undefined }, BODY],
    ["an empty signature", { ...signed, "webhook-signature": "v1," }, BODY],
    ["another version", { ...signed, "webhook-signature": signed["webhook-signature"].replace("v1", "v2") }, BODY],
    ["no time", { ...signed, "webhook-timestamp": "now" }, BODY],
    ["two values", { ...signed, "webhook-id": ["evt_1", "evt_1"] }, BODY],
  ])("%s", (_, headers, body) => {
    expect(() => verifyWebhook(SECRET, headers, body)).toThrow(WebhookVerificationError);
  });

  it("an invalid secret is a fault of the program", () => {
    expect(() => verifyWebhook("secret", signed, BODY)).toThrow(TypeError);
  });
});
