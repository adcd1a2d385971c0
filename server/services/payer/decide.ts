// What a payer decides on the page of a test payment; live payments are decided at their provider only.
import { notFoundError, validationError } from "@/server/domain/errors";
import { isTerminalPayment } from "@/server/domain/payment-intent";
import type { Actor } from "@/server/domain/scope";
import { simulate } from "../sandbox/simulate";
import { findPayment } from "./get-payer-view";

/** The payer is not identified: whoever has the page's address acts as this one. */
const PAYER: Actor = { type: "payer", id: "payer-page" };

export interface PayerCall {
  readonly requestId: string;
  readonly address: string;
}

/**
 * Applies the outcome a payer chose to an open test payment, as the simulator does. The sandbox closes what has ended: unlike
 * the simulator, the page brings no money late. Throws not_found for unknown and for live payments, and validation_failed
 * when the payment has ended meanwhile.
 */
export async function decideAsPayer(id: string, outcome: string, call: PayerCall): Promise<void> {
  const intent = await findPayment(id);
  const { merchantId, environment } = intent;
  if (environment !== "test") throw notFoundError();
  if (isTerminalPayment(intent)) throw validationError("outcome", "does not apply to a payment that has ended");
  await simulate({ scope: { merchantId, environment }, actor: PAYER, ...call }, id, outcome);
}
