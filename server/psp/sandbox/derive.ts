// Derives the sandbox's identifiers from a reference, so that equal requests get equal answers.
import { createHash } from "node:crypto";
import type { ProviderTrace } from "@/server/domain/outcome";

/** Returns the SHA-256 of a reference for one purpose. */
export function digestOf(reference: string, purpose: string): Buffer {
  return createHash("sha256").update(`${purpose}:${reference}`).digest();
}

/** Returns `length` decimal digits that depend only on the reference and the purpose. */
export function digitsOf(reference: string, purpose: string, length: number): string {
  const number = BigInt(`0x${digestOf(reference, purpose).toString("hex")}`);
  return (number % 10n ** BigInt(length)).toString().padStart(length, "0");
}

/** Returns the sandbox's id of a payment's only receipt. */
export function receiptIdOf(reference: string): string {
  return `sbx_rcp_${digestOf(reference, "receipt").toString("hex").slice(0, 24)}`;
}

/** Returns the sandbox's reference for ours, with an optional code for staff. */
export function traceOf(reference: string, providerCode?: string): ProviderTrace {
  const providerReference = `sbx_${digestOf(reference, "reference").toString("hex").slice(0, 24)}`;
  return providerCode === undefined ? { providerReference } : { providerReference, providerCode };
}
