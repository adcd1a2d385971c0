// Receivers can verify our signatures with common libraries.
import { readFileSync } from "node:fs";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { describe, expect, it } from "vitest";
import { newWebhookSecret, signWebhook } from "./signature";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const LIBRARIES = [
  ["standardwebhooks", StandardWebhook],
  ["svix", SvixWebhook],
] as const;

const BODIES = ['{"test": 2432232314}', "{}", '{"name":"José 🧾","amount":"1050"}', `{"long":"${"x".repeat(60_000)}"}`];

describe("signWebhook", () => {
  it("returns the signature of the published vector", () => {
    const at = new Date(1_614_265_330_000);
    expect(signWebhook([SECRET], { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", at, body: BODIES[0] ?? "" })).toEqual({
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    });
  });

  it("returns the signature in the documentation", () => {
    const page = readFileSync(new URL("../../docs/webhooks.md", import.meta.url), "utf8");
    const shown = (pattern: RegExp) => pattern.exec(page)?.[1] ?? "";
    const seconds = shown(/^webhook-timestamp: (\d+)$/m);
    const id = shown(/^webhook-id: (\S+)$/m);
    const body = shown(/^(\{"id":.*\})$/m);
    expect(signWebhook([SECRET], { id, at: new Date(Number(seconds) * 1_000), body })).toEqual({
      "webhook-id": (JSON.parse(body) as { id: string }).id,
      "webhook-timestamp": seconds,
      "webhook-signature": shown(/^webhook-signature: (\S+)$/m),
    });
  });

  it.each(LIBRARIES)("is verified by %s, whatever the body", (_name, Webhook) => {
    for (const body of BODIES) {
      const secret = newWebhookSecret();
      const headers = { ...signWebhook([secret], { id: "evt_1", at: new Date(), body }) };
      expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    }
  });

  it.each(LIBRARIES)("is rejected by %s if body, id, time or secret differs", (_name, Webhook) => {
    const body = BODIES[0] ?? "";
    const headers = { ...signWebhook([SECRET], { id: "evt_1", at: new Date(), body }) };
    const receiver = new Webhook(SECRET);
    const later = String(Number(headers["webhook-timestamp"]) + 1);
    expect(() => receiver.verify(body.replace("4}", "5}"), headers)).toThrow("No matching signature");
    expect(() => receiver.verify(body, { ...headers, "webhook-id": "evt_2" })).toThrow("No matching signature");
    expect(() => receiver.verify(body, { ...headers, "webhook-timestamp": later })).toThrow("No matching signature");
    expect(() => new Webhook(newWebhookSecret()).verify(body, headers)).toThrow("No matching signature");
  });

  it.each(LIBRARIES)("is verified by %s with either secret while one replaces the other", (_name, Webhook) => {
    const [older, newer] = [newWebhookSecret(), newWebhookSecret()];
    const body = BODIES[2] ?? "";
    const headers = { ...signWebhook([newer, older], { id: "evt_1", at: new Date(), body }) };
    for (const secret of [older, newer]) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  });

  it("throws without secrets and for an invalid secret", () => {
    const message = { id: "evt_1", at: new Date(), body: "{}" };
    expect(() => signWebhook([], message)).toThrow("at least one secret");
    expect(() => signWebhook(["whsec_"], message)).toThrow("whsec_ and base64");
    expect(() => signWebhook(["whsec_not base64"], message)).toThrow("whsec_ and base64");
  });
});

describe("newWebhookSecret", () => {
  it("is whsec_ and 32 bytes, different each time", () => {
    const secrets = Array.from({ length: 100 }, newWebhookSecret);
    expect(new Set(secrets).size).toBe(100);
    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(Buffer.from(secret.slice(6), "base64")).toHaveLength(32);
    }
  });
});
