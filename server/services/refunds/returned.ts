// A settled refund that its provider reports to have come back.
import { findBookedMovements } from "@/server/db/booked-movements";
import { openException } from "@/server/db/exceptions";
import { paymentIntents } from "@/server/db/intents/stores";
import { type RefundEnd, returnRefund } from "@/server/db/refund-ends";
import type { StoredRefund } from "@/server/db/suspense-refunds";
import { isByHand } from "@/server/domain/journal";
import { ambiguousReceipt } from "@/server/domain/receipts";

/**
 * Books the money into suspense. If operators have booked money of the payment by hand, they may have booked it, so the refund stays
 * settled, and an exception asks a person. Returns true if it was booked; if the books change just then, the next report books it.
 */
export async function recordReturn(refund: StoredRefund, end: RefundEnd): Promise<boolean> {
  const { merchantId, environment, paymentId, provider, currency, amount, reference } = refund;
  const scope = { merchantId, environment };
  const payment = await paymentIntents.find(scope, paymentId);
  if (!payment) throw new RangeError(`${refund.id} has no payment`);
  const { movements, nextOrdinal } = await findBookedMovements(payment, provider);
  if (!movements.some(isByHand)) return returnRefund(refund, nextOrdinal, end);
  const receipt = { intentId: paymentId, provider, receiptId: null, reference, currency, amount };
  await openException({ ...ambiguousReceipt(receipt).exception, scope }, end.act.at);
  return false;
}
