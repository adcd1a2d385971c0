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
 * Throws validation_failed for an exception about an intent of the merchant, named by its id or as providers know it, that
 * is still open. An exception about no intent passes.
 */
export async function requireEndedIntent(merchantId: string, { objectId }: StoredException): Promise<void> {
  const subject = (await findAnyIntent(merchantId, objectId)) ?? (await findDispatchedIntent(merchantId, objectId));
  if (!subject || hasEnded(subject)) return;
  const { id, status } = subject.intent;
  throw validationError(
    "exception",
    `is about ${id}, which is ${status}: a later report would book its money again. Wait until it ends, or end it by \`resolutions propose\``,
  );
}
