// How a verb completes an idempotent request: the stored answer is made of the intent, in the commit of its effect.
import type { Seal } from "@/server/db/commit/unit";
import { type Answer, IdempotencyLease } from "./once";

/** What a write did. Adapters turn it into an HTTP status (`server/http/operation.ts`). */
export type Completion = "created" | "repeated" | "changed" | "accepted";

/** Given by the adapter that called the verb: the hold on the key, and how an intent becomes an answer. */
export interface Idempotency<Intent> {
  readonly lease: IdempotencyLease;
  present(intent: Intent, completion: Completion): Answer;
}

/** A verb's result. */
export interface Completed<Intent> {
  readonly intent: Intent;
  readonly completion: Completion;
}

/** The seal of an answer for a commit to carry, or null without a key. */
export function completionFor<Intent>(
  idempotency: Idempotency<Intent>,
  intent: Intent,
  completion: Completion,
): Seal | null {
  return idempotency.lease.responseFor(idempotency.present(intent, completion));
}

/** For verbs called without an idempotency key, by people and the service itself: claims and stores nothing. */
export function withoutIdempotency<Intent>(): Idempotency<Intent> {
  return { lease: new IdempotencyLease(null), present: () => ({ status: 0, body: "" }) };
}
