// A journal entry about an open intent could book money that the intent itself books later.

import type { StoredException } from "@/server/db/exceptions";
import { validationError } from "@/server/domain/errors";
import { isTerminalPayment } from "@/server/domain/payment-intent";
import { isTerminalPayout } from "@/server/domain/payout-intent";
import { isTerminalTopup } from "@/server/domain/topup-intent";
import { type AnyIntent, findAnyIntent, findDispatchedIntent } from "../intent-kinds";

function hasEnded({ kind, intent }: AnyIntent): boolean {
  switch (kind) {
    case "payment_intent":
      return isTerminalPayment(intent);
    case "payout_intent":
      return isTerminalPayout(intent);
    case "topup_intent":
      return isTerminalTopup(intent);
  }
}

/**
 * Returns the id of the merchant's intent that an exception is about, by id or dispatch reference; null if it is about
 * no intent. Throws validation_failed while the intent is open.
 */
export async function requireEndedIntent(merchantId: string, { objectId }: StoredException): Promise<string | null> {
  const subject = (await findAnyIntent(merchantId, objectId)) ?? (await findDispatchedIntent(merchantId, objectId));
  if (!subject) return null;
  const { id, status } = subject.intent;
  if (hasEnded(subject)) return id;
  throw validationError(
    "exception",
    `is about ${id}, which is ${status}: a later report would book its money again. Wait until it ends, or end it by \`resolutions propose\``,
  );
}
