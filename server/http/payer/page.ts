// A payment as its payer sees it: plain values for the page's components.

import { cache } from "react";
import type { PayerInstructions, PayerPage } from "@/server/contract/payer";
import { ServiceError } from "@/server/domain/errors";
import { findPaymentMethod } from "@/server/domain/payment-methods";
import { PAYMENT_TRANSITIONS } from "@/server/domain/payment-transitions";
import { isTerminal } from "@/server/domain/transition";
import { parseUrl } from "@/server/platform/url";
import { getPayerView, type PayerView } from "@/server/services/payer/get-payer-view";
import { qrPicture } from "./qr";

function instructionsOf({ nextAction, pageUrl }: PayerView): PayerInstructions | null {
  switch (nextAction?.type) {
    case "display_qr_code":
      return { type: "qr", code: nextAction.data, picture: qrPicture(nextAction.data) };
    case "display_bank_transfer_instructions":
      return { type: "bank_transfer", reference: nextAction.reference, addresses: nextAction.financial_addresses };
    case "redirect_to_url":
      return { type: "redirect", url: nextAction.url === pageUrl ? null : webAddress(nextAction.url) };
    case undefined:
      return null;
  }
}

/** An address of others becomes a link only if it is http or https. */
function webAddress(text: string): string | null {
  const protocol = parseUrl(text)?.protocol;
  return protocol === "https:" || protocol === "http:" ? text : null;
}

/** Characters of the digest that tell one logo of a merchant from the next. */
const VERSION_LENGTH = 12;

function presentPayerPage(view: PayerView): PayerPage {
  return {
    id: view.id,
    environment: view.environment,
    status: view.status,
    revision: view.revision,
    isEnded: isTerminal(PAYMENT_TRANSITIONS, view.status),
    merchantName: view.merchantName,
    brandColor: view.brand.color,
    logoUrl: view.brand.logoSha256 && `/pay/${view.id}/logo.png?v=${view.brand.logoSha256.slice(0, VERSION_LENGTH)}`,
    methodName: findPaymentMethod(view.paymentMethod)?.name ?? view.paymentMethod,
    description: view.description,
    returnUrl: view.returnUrl && webAddress(view.returnUrl),
    amount: view.amount.toString(),
    currency: view.currency,
    createdAt: view.createdAt.toISOString(),
    expiresAt: view.expiresAt.toISOString(),
    updatedAt: view.updatedAt.toISOString(),
    shownAt: view.shownAt.toISOString(),
    instructions: instructionsOf(view),
    failureCode: view.failureCode,
  };
}

/** Returns the page of a payment, read once per rendering, or null if the id is unknown. */
export const payerPage = cache(async (id: string): Promise<PayerPage | null> => {
  try {
    return presentPayerPage(await getPayerView(id));
  } catch (error) {
    if (error instanceof ServiceError && error.code === "not_found") return null;
    throw error;
  }
});
