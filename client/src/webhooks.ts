// Verification of webhook messages by Standard Webhooks 1.0.
import { createHmac, timingSafeEqual } from "node:crypto";
import { WebhookVerificationError } from "./errors.js";
import type { components } from "./openapi.generated.js";

type Schemas = components["schemas"];

/** The six events; `type` tells them apart. */
export type WebhookEvent =
  | Schemas["PaymentIntentSucceededEvent"]
  | Schemas["PaymentIntentFailedEvent"]
  | Schemas["PaymentIntentExpiredEvent"]
  | Schemas["PayoutIntentSucceededEvent"]
  | Schemas["PayoutIntentFailedEvent"]
  | Schemas["PayoutIntentCancelledEvent"];

/** The headers of Node's `request.headers`, or of a Fetch `Request`. */
export type MessageHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

const SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/;
const TOLERANCE_SECONDS = 300;

/** Also of another implementation of Fetch than this process's own. */
const isOfFetch = (headers: MessageHeaders): headers is Headers => typeof headers.get === "function";

function headerOf(headers: MessageHeaders, name: string): string {
  const value = isOfFetch(headers) ? headers.get(name) : headers[name];
  if (typeof value !== "string" || value === "") throw new WebhookVerificationError(`the header ${name} is missing`);
  return value;
}

/**
 * Returns the event of a message that was signed with `secret` (`whsec_…`) in the last five minutes. `body` is the raw
 * body. Throws WebhookVerificationError for any other message. `id` of an event is the same at every attempt: handle each
 * once.
 */
export function verifyWebhook(secret: string, headers: MessageHeaders, body: string | Uint8Array): WebhookEvent {
  const key = SECRET.exec(secret)?.[1];
  if (key === undefined) throw new TypeError("a webhook secret is whsec_ and base64");
  const id = headerOf(headers, "webhook-id");
  const timestamp = headerOf(headers, "webhook-timestamp");
  const signatures = headerOf(headers, "webhook-signature").split(" ");
  const age = Math.abs(Date.now() / 1_000 - (/^\d+$/.test(timestamp) ? Number(timestamp) : Number.NaN));
  if (!(age <= TOLERANCE_SECONDS)) throw new WebhookVerificationError("the message is older than five minutes");
  const digest = createHmac("sha256", Buffer.from(key, "base64")).update(`${id}.${timestamp}.`).update(body).digest();
  const isOurs = signatures.some((signature) => {
    const [version, given = ""] = signature.split(",");
    const bytes = Buffer.from(given, "base64");
    return version === "v1" && bytes.length === digest.length && timingSafeEqual(bytes, digest);
  });
  if (!isOurs) throw new WebhookVerificationError("no signature is of this secret and this body");
  return JSON.parse(typeof body === "string" ? body : Buffer.from(body).toString("utf8")) as WebhookEvent;
}
