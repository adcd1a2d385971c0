/** What the record of an Idempotency-Key says about a request that uses the key (interface §8). */
export interface KeyUse<Answer> {
  /** Older than 24 hours. */
  readonly isExpired: boolean;
  /** The first request had the same method, path and body. */
  readonly isSameRequest: boolean;
  /** The stored answer; null while there is none. */
  readonly answer: Answer | null;
  /** Names the execution that claimed the key. */
  readonly holder: string;
  /** What that execution created; null before it created anything. */
  readonly objectId: string | null;
  /** The holder is this execution, or one that has ended in this process. */
  readonly isOurs: boolean;
  /** The holder has had its time. */
  readonly isLeaseOver: boolean;
}

/**
 * execute: claim the key and run. forget: delete the record, then execute. conflict: another request used the key. replay:
 * return the stored answer. resume: take the key over and go on with what its execution left. wait: another execution may
 * still be running.
 */
export type KeyDecision<Answer> =
  | { readonly kind: "execute" | "forget" | "conflict" | "wait" }
  | { readonly kind: "replay"; readonly answer: Answer }
  | { readonly kind: "resume"; readonly holder: string; readonly objectId: string | null };

/**
 * What to do with a request, given the record of its key; null if the key has none.
 *
 * | record | same request | answer | lease | decision |
 * |---|---|---|---|---|
 * | none | | | | execute |
 * | expired | | | | forget |
 * | there | no | | | conflict |
 * | there | yes | yes | | replay |
 * | there | yes | no | ours, or over | resume |
 * | there | yes | no | another's | wait |
 */
export function decideOnKey<Answer>(use: KeyUse<Answer> | null): KeyDecision<Answer> {
  if (!use) return { kind: "execute" };
  const { answer, holder, objectId } = use;
  if (use.isExpired) return { kind: "forget" };
  if (!use.isSameRequest) return { kind: "conflict" };
  if (answer !== null) return { kind: "replay", answer };
  return use.isOurs || use.isLeaseOver ? { kind: "resume", holder, objectId } : { kind: "wait" };
}
