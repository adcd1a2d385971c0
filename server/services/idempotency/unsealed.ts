// Owns calling a creating or cancelling verb without an idempotency key, as people and the service itself do.
import { KeyHold } from "./once";
import type { Sealing } from "./sealing";

/** A sealing that claims and stores nothing; what `present` gives is dropped. */
export function unsealed<Intent>(): Sealing<Intent> {
  return { hold: new KeyHold(null), present: (_intent, status) => ({ status, body: "" }) };
}
