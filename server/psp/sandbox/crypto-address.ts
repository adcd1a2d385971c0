// The fictitious token addresses of the sandbox: valid in form, without known keys.
import { createHash } from "node:crypto";
import { digestOf } from "./derive";

const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const HASH_BYTES = 20;
const TRON_VERSION = 0x41;
/** Pay-to-public-key-hash on Bitcoin's test network: no real wallet sends there by mistake. */
const BITCOIN_TEST_VERSION = 0x6f;

function sha256(bytes: Buffer): Buffer {
  return createHash("sha256").update(bytes).digest();
}

/** Base58Check: version byte and payload, then the first four bytes of their double SHA-256. */
export function base58Check(version: number, payload: Buffer): string {
  const body = Buffer.concat([Buffer.from([version]), payload]);
  const bytes = Buffer.concat([body, sha256(sha256(body)).subarray(0, 4)]);
  let number = BigInt(`0x${bytes.toString("hex")}`);
  let text = "";
  for (; number > 0n; number /= 58n) text = (BASE58[Number(number % 58n)] ?? "") + text;
  for (const byte of bytes) {
    if (byte !== 0) break;
    text = `1${text}`;
  }
  return text;
}

/** Returns the address for one top-up on one network; equal references get equal addresses. */
export function cryptoAddress(network: string, reference: string): string {
  const hash = digestOf(reference, network).subarray(0, HASH_BYTES);
  if (network === "tron") return base58Check(TRON_VERSION, hash);
  if (network === "bitcoin") return base58Check(BITCOIN_TEST_VERSION, hash);
  return `0x${hash.toString("hex")}`;
}
