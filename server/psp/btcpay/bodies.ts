// The body of an invoice's creation, and how an invoice of ours is recognized.
import { isKnownCurrency } from "@/server/domain/currencies";
import type { ProviderSum } from "@/server/domain/outcome";
import type { TopupRequest } from "../gateway";
import type { BtcpayContext } from "./context";
import type { BtcpayInvoice } from "./objects";
import { TOPUP_ROWS } from "./tables";
import { toBtcpayAmount } from "./units";

const MINUTE_MS = 60_000;

/**
 * Returns the body, or why nothing can be sent. The invoice is for the token itself, so BTCPay's rates play no part. It is
 * open as long as the quote is valid, in whole minutes; our own clock ends the quote.
 */
export function invoiceBody({ speedPolicy, monitoringMinutes }: BtcpayContext, request: TopupRequest): object | string {
  const { reference, merchantId, sourceAmount, sourceCurrency, network, createdAt, expiresAt } = request;
  const row = TOPUP_ROWS[sourceCurrency];
  if (row?.network !== network) return "BTCPay has no payment method for the token and the network";
  if (sourceAmount <= 0n) return "BTCPay cannot ask for nothing";
  const minutes = Math.floor((expiresAt.getTime() - createdAt.getTime()) / MINUTE_MS);
  return {
    amount: toBtcpayAmount(sourceAmount, sourceCurrency),
    currency: sourceCurrency,
    metadata: {
      orderId: reference,
      sluice_merchant: merchantId,
      sluice_amount: request.destinationAmount.toString(),
      sluice_currency: request.destinationCurrency,
    },
    checkout: {
      paymentMethods: [row.paymentMethod],
      speedPolicy: speedPolicy ?? row.speedPolicy,
      expirationMinutes: Math.max(1, minutes),
      monitoringMinutes,
      paymentTolerance: 0,
      lazyPaymentMethods: false,
    },
  };
}

/** True for an invoice that Sluice created: anybody may create others with our reference where a store allows that. */
export function isOurs(
  { reference, merchantId }: TopupRequest,
  { metadata }: Pick<BtcpayInvoice, "metadata">,
): boolean {
  return metadata?.orderId === reference && metadata.sluice_merchant === merchantId;
}

/** Returns what the invoice says that its top-up was to credit, or null if it does not say it. */
export function intendedBy({ metadata }: BtcpayInvoice): ProviderSum | null {
  const { sluice_amount: amount, sluice_currency: currency } = metadata ?? {};
  const isSum = typeof amount === "string" && /^[1-9][0-9]{0,29}$/.test(amount);
  return isSum && typeof currency === "string" && isKnownCurrency(currency)
    ? { amount: BigInt(amount), currency }
    : null;
}
