// The signature headers of Standard Webhooks 1.0, and their secrets.
import { createHmac, randomBytes } from "node:crypto";

const SECRET_BYTES = 32;
const SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/;

export interface SignedMessage {
  /** The same at every attempt, so that receivers detect repeats. */
  readonly id: string;
  /** The time of this attempt. */
  readonly at: Date;
  /** The exact text that is sent. */
  readonly body: string;
}

export interface SignatureHeaders {
  readonly "webhook-id": string;
  readonly "webhook-timestamp": string;
  readonly "webhook-signature": string;
}

/**
 * Returns the three headers for one attempt, with one signature per secret in the given order, for rotation. Secrets
 * are `whsec_` and base64. Throws for an invalid secret or an empty list.
 */
export function signWebhook(secrets: readonly string[], message: SignedMessage): SignatureHeaders {
  if (secrets.length === 0) throw new Error("a webhook needs at least one secret");
  const { id, at, body } = message;
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signed = `${id}.${timestamp}.${body}`;
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": secrets.map((secret) => sign(secret, signed)).join(" "),
  };
}

/** Uses Node's HMAC; the libraries' JavaScript HMAC is several times slower. */
function sign(secret: string, text: string): string {
  const key = SECRET.exec(secret)?.[1];
  if (key === undefined) throw new Error("a webhook secret is whsec_ and base64");
  return `v1,${createHmac("sha256", Buffer.from(key, "base64")).update(text).digest("base64")}`;
}

/** Returns a new secret of 256 random bits: `whsec_` and their base64. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
}
