// Owns how a verb completes an idempotent request: the stored answer is made of the intent, in the commit of its effect.
import type { Seal } from "@/server/db/commit/unit";
import type { Answer, KeyHold } from "./once";

/** Given by the adapter that called the verb: the hold on the key, and how an intent becomes an answer. */
export interface Sealing<Intent> {
  readonly hold: KeyHold;
  present(intent: Intent, status: number): Answer;
}

/** A verb's result: the intent, and the HTTP status that tells what happened (201 created, 200 original, 202 cancelled). */
export interface Done<Intent> {
  readonly intent: Intent;
  readonly status: number;
}

/** The seal of an answer for a commit to carry, or null without a key. */
export function sealFor<Intent>(sealing: Sealing<Intent>, intent: Intent, status: number): Seal | null {
  return sealing.hold.sealOf(sealing.present(intent, status));
}
