// Signatures, implemented from the protocol's document without the service's code, so that each checks the other.
import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

export function sign(secret: string, timestamp: number, method: string, path: string, body: string): string {
  const mac = createHmac("sha256", secret);
  for (const part of [String(timestamp), ".", method, ".", path, ".", body]) mac.update(part, "utf8");
  return `v1=${mac.digest("hex")}`;
}

/** Null if the message is signed as the protocol requires, else what is wrong with it. */
export function signatureFault(
  secret: string,
  headers: IncomingHttpHeaders,
  message: { method: string; path: string; body: string },
): string | null {
  const timestamp = Number(headers["sluice-timestamp"]);
  if (!Number.isInteger(timestamp)) return "no timestamp";
  if (Math.abs(Date.now() / 1000 - timestamp) > 300) return "stale";
  const given = Buffer.from(headers["sluice-signature"]?.toString() ?? "");
  const expected = Buffer.from(sign(secret, timestamp, message.method, message.path, message.body));
  return given.length === expected.length && timingSafeEqual(given, expected) ? null : "wrong signature";
}
