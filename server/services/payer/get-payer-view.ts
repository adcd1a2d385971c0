// The payer's view of a payment: the data needed to pay, nothing about the customer or the merchant's books.
import { findLogo } from "@/server/db/merchant-brand";
import { findPaymentAcrossMerchants } from "@/server/db/payer";
import type { Brand } from "@/server/domain/brand";
import { isNotFound, notFoundError } from "@/server/domain/errors";
import type { PaymentIntent } from "@/server/domain/payment-intent";
import { cellOfId } from "@/server/platform/cell-of";
import { isId } from "@/server/platform/ids";
import { withinMerchant } from "@/server/platform/reach";
import { inCellThatKnows } from "../cells/moved";
import { clockOf, merchantSettings } from "../merchants/settings";
import { payerPageUrl } from "../payments/provider-request";

const SHOWN = [
  "id",
  "environment",
  "status",
  "revision",
  "amount",
  "currency",
  "paymentMethod",
  "description",
  "returnUrl",
  "nextAction",
  "expiresAt",
  "createdAt",
  "updatedAt",
] as const satisfies readonly (keyof PaymentIntent)[];

export interface PayerView extends Pick<PaymentIntent, (typeof SHOWN)[number]> {
  readonly merchantName: string;
  readonly brand: Brand;
  /** The merchant's time of this view. */
  readonly shownAt: Date;
  readonly failureCode: string | null;
  /** URL of the page itself. A redirect to it leads nowhere else. */
  readonly pageUrl: string;
}

/**
 * Runs work about the payment with this id, where it is: the work begins with `findPayment`. A payer has no credentials: the id
 * alone names the cell.
 */
export function inCellOfPayment<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
  return inCellThatKnows(cellOfId(id), isNotFound, work);
}

/** Returns the payment with this id, without access checks. Throws not_found for any other text. */
export async function findPayment(id: string): Promise<PaymentIntent> {
  const intent = isId("paymentIntent", id) ? await findPaymentAcrossMerchants(id) : null;
  if (!intent) throw notFoundError();
  return intent;
}

/** Returns the logo of a payment's merchant, a PNG file. Throws not_found, also without a logo. */
export function getPayerLogo(id: string): Promise<Buffer> {
  return inCellOfPayment(id, async () => {
    const { merchantId } = await findPayment(id);
    const logo = await withinMerchant(merchantId, () => findLogo(merchantId));
    if (!logo) throw notFoundError();
    return logo;
  });
}

/** Returns the payer page's view of a payment (interface §2.1, next_action). Throws not_found. */
export function getPayerView(id: string): Promise<PayerView> {
  return inCellOfPayment(id, async () => viewOf(await findPayment(id)));
}

async function viewOf(intent: PaymentIntent): Promise<PayerView> {
  const merchant = await withinMerchant(intent.merchantId, () => merchantSettings(intent.merchantId));
  const shown = Object.fromEntries(SHOWN.map((field) => [field, intent[field]]));
  return {
    ...(shown as Pick<PaymentIntent, (typeof SHOWN)[number]>),
    merchantName: merchant.name,
    brand: merchant.brand,
    shownAt: clockOf(merchant, intent.environment)(),
    failureCode: intent.failure?.code ?? null,
    pageUrl: payerPageUrl(intent),
  };
}
