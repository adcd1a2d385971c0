// A settled refund that its provider reports to have come back.
import { findBookedMovements } from "@/server/db/booked-movements";
import { openException } from "@/server/db/exceptions";
import { paymentIntents } from "@/server/db/intents/stores";
import { type RefundEnd, returnRefund } from "@/server/db/refund-ends";
import type { StoredRefund } from "@/server/db/suspense-refunds";
import { isByHand } from "@/server/domain/journal";
import { ambiguousReceipt } from "@/server/domain/receipts";
import { temporarilyUnavailable } from "../outage";

/** Rounds of a booking: one is lost when other money of the payment is booked at the same moment. */
const ROUNDS = 10;

/**
 * Books the money into suspense. If operators have booked money of the payment by hand, they may have booked it, so the refund stays
 * settled, and an exception asks a person. Returns true if it was booked. Throws service_unavailable if the books of the payment keep
 * changing.
 */
export async function recordReturn(refund: StoredRefund, end: RefundEnd): Promise<boolean> {
  const { merchantId, environment, paymentId, provider } = refund;
  const payment = await paymentIntents.find({ merchantId, environment }, paymentId);
  if (!payment) throw new RangeError(`${refund.id} has no payment`);
  for (let round = 1; round <= ROUNDS; round += 1) {
    const { movements, nextOrdinal } = await findBookedMovements(payment, provider);
    if (movements.some(isByHand)) return askAboutReturn(refund, end);
    const outcome = await returnRefund(refund, nextOrdinal, end);
    if (outcome !== "books_changed") return outcome === "returned";
  }
  throw temporarilyUnavailable();
}

/** Asks a person about a return that people may have booked by hand. */
async function askAboutReturn(
  { merchantId, environment, paymentId, provider, currency, amount, reference }: StoredRefund,
  end: RefundEnd,
): Promise<false> {
  const scope = { merchantId, environment };
  const receipt = { intentId: paymentId, provider, receiptId: null, reference, currency, amount };
  await openException({ ...ambiguousReceipt(receipt).exception, scope }, end.act.at);
  return false;
}
