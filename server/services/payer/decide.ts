// Applies a payer's decision on the page of a test payment; live payers decide at the provider.
import { notFoundError, validationError } from "@/server/domain/errors";
import { isTerminalPayment } from "@/server/domain/payment-intent";
import type { Actor } from "@/server/domain/scope";
import { withinMerchant } from "@/server/platform/reach";
import { simulate } from "../sandbox/simulate";
import { findPayment, inCellOfPayment } from "./get-payer-view";

/** The payer is anonymous: everyone with the page's URL acts as this actor. */
const PAYER: Actor = { type: "payer", id: "payer-page" };

export interface PayerCall {
  readonly requestId: string;
  readonly address: string;
}

/**
 * Applies the outcome that a payer chose to an open test payment, as the simulator does. Unlike the simulator, the page
 * cannot cause late money, since the sandbox closes ended payments. Throws not_found for unknown and for live payments,
 * and validation_failed if the payment has ended meanwhile.
 */
export function decideAsPayer(id: string, outcome: string, call: PayerCall): Promise<void> {
  return inCellOfPayment(id, () => decide(id, outcome, call));
}

async function decide(id: string, outcome: string, call: PayerCall): Promise<void> {
  const intent = await findPayment(id);
  const { merchantId, environment } = intent;
  if (environment !== "test") throw notFoundError();
  if (isTerminalPayment(intent)) throw validationError("outcome", "does not apply to a payment that has ended");
  const context = { scope: { merchantId, environment }, actor: PAYER, ...call };
  await withinMerchant(merchantId, () => simulate(context, id, outcome));
}
