// Our references in Paystack's alphabet: a transaction's may contain `-`, `.` and `=` besides letters and digits, a
// transfer's `-` and `_` besides lower-case letters and digits. Ours contain `_` and no `-`.
import { asOurReference } from "../hints";

/** Returns the reference of a payment as a Paystack transaction's reference. */
export function transactionReference(reference: string): string {
  return reference.replaceAll("_", "-");
}

/** Returns our reference from that of a transaction or transfer in a webhook; null if it cannot be ours. */
export function ourReference(reference: unknown): string | null {
  if (typeof reference !== "string") return null;
  return asOurReference(reference.startsWith("dord-") ? reference.replaceAll("-", "_") : reference);
}
