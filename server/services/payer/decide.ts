// Owns what a payer decides on the page of a test payment; live payments are decided at their provider only.
import { notFoundError } from "@/server/domain/errors";
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
 * Applies the outcome a payer chose to a test payment, exactly as the simulator does. Throws not_found for unknown and
 * for live payments, and validation_failed when the payment has ended meanwhile.
 */
export async function decideAsPayer(id: string, outcome: string, call: PayerCall): Promise<void> {
  const { merchantId, environment } = await findPayment(id);
  if (environment !== "test") throw notFoundError();
  await simulate({ scope: { merchantId, environment }, actor: PAYER, ...call }, id, outcome);
}
