// How a verb completes an idempotent request: the stored answer is made of the intent, in the commit of its effect.
import type { Seal } from "@/server/db/commit/unit";
import { type Answer, KeyHold } from "./once";

/** What a write did. Adapters turn it into an HTTP status (`server/http/operation.ts`). */
export type Completion = "created" | "repeated" | "changed" | "accepted";

/** Given by the adapter that called the verb: the hold on the key, and how an intent becomes an answer. */
export interface Sealing<Intent> {
  readonly hold: KeyHold;
  present(intent: Intent, completion: Completion): Answer;
}

/** A verb's result. */
export interface Done<Intent> {
  readonly intent: Intent;
  readonly completion: Completion;
}

/** The seal of an answer for a commit to carry, or null without a key. */
export function sealFor<Intent>(sealing: Sealing<Intent>, intent: Intent, completion: Completion): Seal | null {
  return sealing.hold.sealOf(sealing.present(intent, completion));
}

/** For verbs called without an idempotency key, by people and the service itself: claims and stores nothing. */
export function unsealed<Intent>(): Sealing<Intent> {
  return { hold: new KeyHold(null), present: () => ({ status: 0, body: "" }) };
}
