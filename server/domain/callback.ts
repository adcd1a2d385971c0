// Decides what follows a try to apply a provider's callback: another try, or an exception for a person.
import type { ExceptionFact } from "./exceptions";

/**
 * unreadable: its content makes no sense to this release. unmatched: it names no intent that its provider was given.
 * failing: applying it threw an error. unverified: nothing proves that it is as the provider sent it.
 */
export const UNAPPLIED_REASONS = ["unreadable", "unmatched", "failing", "unverified"] as const;
export type UnappliedReason = (typeof UNAPPLIED_REASONS)[number];

/**
 * ignored: its report was already known or outdated, and changed nothing. handed_over: the cell that its merchant had moved to has
 * it; that cell returns it if the merchant comes back first.
 */
export type CallbackResult = "applied" | "ignored" | "handed_over" | UnappliedReason;

/** waiting: the worker will try it. unapplied: retries have ended; an exception says why. */
export const CALLBACK_STATES = ["waiting", "unapplied", "applied", "ignored", "handed_over"] as const;
export type CallbackState = (typeof CALLBACK_STATES)[number];

/** The state of a callback with this result; null while it has none. */
export function callbackState(result: CallbackResult | null): CallbackState {
  if (result === null) return "waiting";
  return result === "applied" || result === "ignored" || result === "handed_over" ? result : "unapplied";
}

/** A callback id is unique per provider only. */
export interface CallbackKey {
  readonly provider: string;
  readonly callbackId: string;
}

/**
 * How many bodies are stored under one callback id. A provider that writes the time of sending into each delivery of a callback
 * cannot fill the database with it.
 */
export const MAXIMUM_BODIES = 16;

/** The key under which the `number`th body of a callback id is stored, counted from 1. */
export function keyOfBody({ provider, callbackId }: CallbackKey, number: number): CallbackKey {
  return { provider, callbackId: number === 1 ? callbackId : `${callbackId}~${number}` };
}

/** The id under which the provider sent the callback that is stored under this one; a row of before may have several numbers. */
export function originalCallbackId(storedId: string): string {
  return storedId.replace(/(?:~\d+)+$/, "");
}

/** The same of a stored callback: the key from which its name in another cell is numbered. */
export function originalKey({ provider, callbackId }: CallbackKey): CallbackKey {
  return { provider, callbackId: originalCallbackId(callbackId) };
}

/** The name by which people address a callback: `acme/cb_7f3a`. */
export function callbackName({ provider, callbackId }: CallbackKey): string {
  return `${provider}/${callbackId}`;
}

/** Reads a name; a provider's name contains no slash. Returns null for text without a provider. */
export function parseCallbackName(name: string): CallbackKey | null {
  const slash = name.indexOf("/");
  return slash > 0 ? { provider: name.slice(0, slash), callbackId: name.slice(slash + 1) } : null;
}

const SHORTEST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 600_000;
/** With the delays above, the last of these tries follows the first by about 67 minutes. */
const MAXIMUM_TRIES = 16;

/**
 * The delay before the next try, in ms, after `tries` unsuccessful ones; null if retries have ended and a person must act.
 * Retrying cannot make an unreadable callback readable, nor prove anything about an unverified one.
 */
export function retryDelayMs(reason: UnappliedReason, tries: number): number | null {
  if (reason === "unreadable" || reason === "unverified" || tries >= MAXIMUM_TRIES) return null;
  return Math.min(LONGEST_DELAY_MS, SHORTEST_DELAY_MS * 2 ** Math.max(0, tries - 1));
}

/** The fact of an unapplied callback: at most one exception is opened for it. */
export function unappliedCallbackFact(key: CallbackKey): string {
  return `callback:${callbackName(key)}`;
}

/** Why a callback was not applied, and what it reports on. */
export interface UnappliedCallback {
  readonly reason: UnappliedReason;
  /** The reference that it names, if it is readable. */
  readonly reference: string | null;
  /** The intent that goes by this reference. */
  readonly intentId: string | null;
  /** For people. */
  readonly why: string;
}

/** The exception of an unapplied callback: about its intent, or about what is known of that. */
export function unappliedCallbackException(
  key: CallbackKey,
  { reason, reference, intentId, why }: UnappliedCallback,
): ExceptionFact {
  const callback = callbackName(key);
  return {
    kind: "unapplied_callback",
    objectId: intentId ?? reference ?? callback,
    fact: unappliedCallbackFact(key),
    detail: { reason, provider: key.provider, callback, reference, why },
  };
}
