// Completes idempotent requests: the answer is built from the intent and stored in the commit of its effect.
import type { Seal } from "@/server/db/commit/unit";
import { type Answer, IdempotencyLease } from "./once";

/** The effect of a write. Adapters convert it to an HTTP status (`server/http/operation.ts`). */
export type Completion = "created" | "repeated" | "changed" | "accepted";

/** Passed by the calling adapter: the lease of the key, and the conversion of an intent to an answer. */
export interface Idempotency<Intent> {
  readonly lease: IdempotencyLease;
  present(intent: Intent, completion: Completion): Answer;
}

/** A verb's result. */
export interface Completed<Intent> {
  readonly intent: Intent;
  readonly completion: Completion;
}

/** Returns the answer to store in the commit, or null without a key. */
export function completionFor<Intent>(
  idempotency: Idempotency<Intent>,
  intent: Intent,
  completion: Completion,
): Seal | null {
  return idempotency.lease.responseFor(idempotency.present(intent, completion));
}

/** For calls without an idempotency key, by people and the service: claims and stores nothing. */
export function withoutIdempotency<Intent>(): Idempotency<Intent> {
  return { lease: new IdempotencyLease(null), present: () => ({ status: 0, body: "" }) };
}
