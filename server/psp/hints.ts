// What adapters have in common whose webhooks are hints: names for bodies, our references in them, and readings.
import { createHash } from "node:crypto";
import type { CallbackReading } from "./gateway";

const OURS = /^(dord|word|tuin|sref)_[0-9a-z_]{20,58}$/;

/** Returns the text if it can be a reference that Sluice sent, else null. */
export function asOurReference(text: unknown): string | null {
  return typeof text === "string" && OURS.test(text) ? text : null;
}

/** Returns the callback id of a body without one. */
export function digestId(rawBody: string): string {
  return `sha256:${createHash("sha256").update(rawBody).digest("hex")}`;
}

/** Returns the JSON value of a body, or null. */
export function parseBody(rawBody: string): unknown {
  try {
    return JSON.parse(rawBody);
  } catch {
    return null;
  }
}

/** Something happened to the intent: Sluice polls the provider. */
export function hint(reference: string): CallbackReading {
  return { kind: "hint", merchantId: null, reference };
}

/** The webhook is about nothing that Sluice sent. */
export const IRRELEVANT: CallbackReading = { kind: "irrelevant", merchantId: null, reference: null };

/** A person must read the webhook. */
export function unreadable(why: string, reference: string | null = null): CallbackReading {
  return { kind: "unreadable", why, merchantId: null, reference };
}

/** The reading of a callback that says which sub-account it is about; null for the provider's account itself. */
export function ofSubAccount(reading: CallbackReading, subAccount: string | null): CallbackReading {
  const isAbout = reading.kind === "hint" || reading.kind === "unreadable";
  return isAbout && subAccount !== null ? { ...reading, subAccount } : reading;
}
