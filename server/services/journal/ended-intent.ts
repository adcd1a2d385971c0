// A journal entry about an open intent could book money that the intent itself books later; so could one about an open refund.
import { hasOpenRefund } from "@/server/db/suspense";
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
 * names `member`, while the intent is open, or a refund of its money.
 */
export async function requireEndedIntent(
  { merchantId, environment }: Scope,
  objectId: string,
  member: "exception" | "about",
): Promise<AnyIntent["intent"] | null> {
  const subject = (await findAnyIntent(merchantId, objectId)) ?? (await findDispatchedIntent(merchantId, objectId));
  if (subject?.intent.environment !== environment) return null;
  const { id, status } = subject.intent;
  const named = `is ${member === "about" ? "" : "about "}${id}`;
  const why = "a later report would book its money again. Wait until it ends, or end it by `resolutions propose`";
  if (!hasEnded(subject)) throw validationError(member, `${named}, which is ${status}: ${why}`);
  if (await hasOpenRefund(merchantId, id)) throw validationError(member, `${named}, of which a refund is open: ${why}`);
  return subject.intent;
}
