import { createHash } from "node:crypto";

/** Returns an account number of 20 digits for an id: the same one for the same seed, so that it can be checked later. */
export function numberOf(seed: string, id: string): string {
  const hash = createHash("sha256").update(`${seed} ${id}`).digest();
  return hash.readBigUInt64BE(0).toString().padStart(20, "0").slice(-20);
}
