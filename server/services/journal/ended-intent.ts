// A journal entry about an open intent could book money that the intent itself books later; so could one about an open refund.
import { hasOpenRefund } from "@/server/db/suspense";
import { findDispatchedRefund, findRefundOfMerchant } from "@/server/db/suspense-refunds";
import { validationError } from "@/server/domain/errors";
import { isTerminalPayment } from "@/server/domain/payment-intent";
import { isTerminalPayout } from "@/server/domain/payout-intent";
import type { Scope } from "@/server/domain/scope";
import { isTerminalTopup } from "@/server/domain/topup-intent";
import { isId } from "@/server/platform/ids";
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

/** The id of the payment of which a refund moves the money, by the refund's id or reference; null if it names none. */
async function findRefundedPayment(merchantId: string, objectId: string): Promise<string | null> {
  const refund = isId("suspenseRefund", objectId)
    ? await findRefundOfMerchant(merchantId, objectId)
    : await findDispatchedRefund(merchantId, objectId);
  return refund?.paymentId ?? null;
}

/**
 * Returns the merchant's intent of an id or dispatch reference, or the payment of such a refund; null if there is none. Throws
 * validation_failed, which names `member`, while the intent is open, or a refund of its money.
 */
export async function requireEndedIntent(
  { merchantId, environment }: Scope,
  objectId: string,
  member: "exception" | "about",
): Promise<AnyIntent["intent"] | null> {
  const name = (await findRefundedPayment(merchantId, objectId)) ?? objectId;
  const subject = (await findAnyIntent(merchantId, name)) ?? (await findDispatchedIntent(merchantId, name));
  if (subject?.intent.environment !== environment) return null;
  const { id, status } = subject.intent;
  const named = `is ${member === "about" ? "" : "about "}${id}`;
  const why = "a later report would book its money again. Wait until it ends, or end it by `resolutions propose`";
  if (!hasEnded(subject)) throw validationError(member, `${named}, which is ${status}: ${why}`);
  if (await hasOpenRefund(merchantId, id)) throw validationError(member, `${named}, of which a refund is open: ${why}`);
  return subject.intent;
}
