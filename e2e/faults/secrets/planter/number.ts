import { createHash } from "node:crypto";

/** The account number of 20 digits that belongs to an id, so that whoever has the seed can check it. */
export function numberOf(seed: string, id: string): string {
  const hash = createHash("sha256").update(`${seed} ${id}`).digest();
  return hash.readBigUInt64BE(0).toString().padStart(20, "0").slice(-20);
}
