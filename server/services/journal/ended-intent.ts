// A journal entry about an open intent could book money that the intent itself books later.

import { validationError } from "@/server/domain/errors";
import { isTerminalPayment } from "@/server/domain/payment-intent";
import { isTerminalPayout } from "@/server/domain/payout-intent";
import type { Scope } from "@/server/domain/scope";
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
 * Returns the merchant's intent of an id or dispatch reference; null if there is none. Throws validation_failed, which
 * names `member`, while the intent is open.
 */
export async function requireEndedIntent(
  { merchantId, environment }: Scope,
  objectId: string,
  member: "exception" | "about",
): Promise<AnyIntent["intent"] | null> {
  const subject = (await findAnyIntent(merchantId, objectId)) ?? (await findDispatchedIntent(merchantId, objectId));
  if (subject?.intent.environment !== environment) return null;
  const { id, status } = subject.intent;
  if (hasEnded(subject)) return subject.intent;
  throw validationError(
    member,
    `is ${member === "about" ? "" : "about "}${id}, which is ${status}: a later report would book its money again. Wait until it ends, or end it by \`resolutions propose\``,
  );
}
