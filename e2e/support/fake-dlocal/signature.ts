// dLocal's signature by another path than the adapter's: HMAC as RFC 2104 defines it, from hashes.
import { createHash } from "node:crypto";
import type { Owner } from "./objects";

const BLOCK = 64;

const sha256 = (...parts: readonly Buffer[]) => createHash("sha256").update(Buffer.concat(parts)).digest();

function hmac(key: Buffer, message: Buffer): string {
  const block = Buffer.alloc(BLOCK);
  (key.length > BLOCK ? sha256(key) : key).copy(block);
  const pad = (byte: number) => block.map((one) => one ^ byte);
  return sha256(Buffer.from(pad(0x5c)), sha256(Buffer.from(pad(0x36)), message)).toString("hex");
}

/** The header `Authorization` of a message with that date and body. */
export function signed({ login, secretKey }: Owner, date: string, body: string): string {
  return `V2-HMAC-SHA256, Signature: ${hmac(Buffer.from(secretKey), Buffer.from(login + date + body))}`;
}
