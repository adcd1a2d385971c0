// The signature of messages between us and an external provider, in both directions.
import { equalTexts, hmacHex } from "@/server/platform/crypto";
import type { Authenticate, Message } from "../exchange";

const TIMESTAMP_HEADER = "Sluice-Timestamp";
const SIGNATURE_HEADER = "Sluice-Signature";

/** Maximum difference between a message's time and ours, in seconds. */
const TOLERANCE_SECONDS = 300;

/** `v1=<hex HMAC-SHA256(secret, "{timestamp}.{method}.{path}.{body}")>`; the timestamp is in unix seconds. */
export function signatureOf(secret: string, timestamp: string, { method, path, body }: Message): string {
  return `v1=${hmacHex(Buffer.from(secret, "utf8"), `${timestamp}.${method}.${path}.${body}`)}`;
}

/** Returns the two signature headers of a message sent at `now`. */
export function signedHeaders(secret: string, message: Message, now: Date): Record<string, string> {
  const timestamp = Math.floor(now.getTime() / 1000).toString();
  return { [TIMESTAMP_HEADER]: timestamp, [SIGNATURE_HEADER]: signatureOf(secret, timestamp, message) };
}

/** Returns what signs messages with the secret. */
export function signWith(secret: string): Authenticate {
  return (message, at) => signedHeaders(secret, message, at);
}

/** Returns true if the message is signed with the secret and its timestamp is within five minutes of `now`. */
export function isSigned(secret: string, message: Message, headers: Pick<Headers, "get">, now: Date): boolean {
  const timestamp = headers.get(TIMESTAMP_HEADER) ?? "";
  if (!/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  return equalTexts(signatureOf(secret, timestamp, message), headers.get(SIGNATURE_HEADER) ?? "");
}
