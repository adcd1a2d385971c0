// Stripe's objects as the adapter reads them, checked against the types of Stripe's SDK.
import type Stripe from "stripe";
import { type Form, textAt } from "./form";

/** The status of a PaymentIntent that was cancelled, as Stripe spells it. */
export const CANCELLED = "canceled" satisfies Stripe.PaymentIntent.Status;

/** The members that a fake object has; those of the SDK's type that are not here are left out. */
export type Intent = Pick<
  Stripe.PaymentIntent,
  | "id"
  | "object"
  | "amount"
  | "amount_received"
  | "cancellation_reason"
  | "created"
  | "currency"
  | "customer"
  | "last_payment_error"
  | "latest_charge"
  | "livemode"
  | "metadata"
  | "next_action"
  | "payment_method_types"
  | "status"
>;

export type Session = Pick<
  Stripe.Checkout.Session,
  | "id"
  | "object"
  | "amount_total"
  | "client_reference_id"
  | "created"
  | "currency"
  | "expires_at"
  | "livemode"
  | "metadata"
  | "payment_method_types"
  | "payment_status"
  | "status"
  | "url"
> & { payment_intent: Intent | null };

export type Refund = Pick<
  Stripe.Refund,
  | "id"
  | "object"
  | "amount"
  | "charge"
  | "created"
  | "currency"
  | "failure_reason"
  | "metadata"
  | "payment_intent"
  | "reason"
  | "status"
>;

type NextAction = NonNullable<Stripe.PaymentIntent["next_action"]>;
type Address = Stripe.PaymentIntent.NextAction.DisplayBankTransferInstructions.FinancialAddress;

const PAGE = "https://payments.stripe.com/instructions/1";
const IMAGES = { image_url_png: "https://qr.stripe.com/1.png", image_url_svg: "https://qr.stripe.com/1.svg" };
const POSTAL = { city: "Dublin", country: "IE", line1: "1 Main Street", line2: null, postal_code: "D01", state: null };
const HOLDER = { account_holder_name: "Example Shop", account_holder_address: POSTAL, bank_address: POSTAL };

const ADDRESSES: Readonly<Record<string, Address>> = {
  mx_bank_transfer: {
    type: "spei",
    supported_networks: ["spei"],
    spei: { ...HOLDER, bank_code: "002", bank_name: "Example Bank", clabe: "002180650612345670" },
  },
  gb_bank_transfer: {
    type: "sort_code",
    supported_networks: ["bacs", "fps"],
    sort_code: { ...HOLDER, account_number: "12345678", sort_code: "200000" },
  },
  eu_bank_transfer: {
    type: "iban",
    supported_networks: ["sepa"],
    iban: { ...HOLDER, bic: "EXMPDEFF", country: "DE", iban: "DE11243461634563456345" },
  },
  jp_bank_transfer: {
    type: "zengin",
    supported_networks: ["zengin"],
    zengin: {
      ...HOLDER,
      account_number: "7654321",
      account_type: "futsu",
      bank_code: "0001",
      bank_name: "Example Bank",
      branch_code: "101",
      branch_name: "Example Branch",
    },
  },
};

function transferInstructions(params: Form, remaining: number): NextAction {
  const bankTransfer = textAt(params, "payment_method_options", "customer_balance", "bank_transfer", "type") ?? "";
  const address = ADDRESSES[bankTransfer];
  return {
    type: "display_bank_transfer_instructions",
    display_bank_transfer_instructions: {
      amount_remaining: remaining,
      currency: textAt(params, "currency") ?? null,
      financial_addresses: address ? [address] : [],
      hosted_instructions_url: PAGE,
      reference: "REF-1234",
      type: bankTransfer as "mx_bank_transfer",
    },
  };
}

/** What the payer must do after a PaymentIntent of these parameters was confirmed. */
export function nextActionOf(type: string, params: Form, remaining: number): NextAction {
  const code = { data: `code-of-${type}`, hosted_instructions_url: PAGE, ...IMAGES };
  switch (type) {
    case "pix":
      return { type: "pix_display_qr_code", pix_display_qr_code: code };
    case "promptpay":
      return { type: "promptpay_display_qr_code", promptpay_display_qr_code: code };
    case "paynow":
      return { type: "paynow_display_qr_code", paynow_display_qr_code: code };
    case "upi": {
      const upi = { hosted_instructions_url: PAGE, qr_code: { expires_at: 2_000_000_000, ...IMAGES } };
      return { type: "upi_handle_redirect_or_display_qr_code", upi_handle_redirect_or_display_qr_code: upi };
    }
    case "customer_balance":
      return transferInstructions(params, remaining);
    default: {
      const voucher = { expires_after: 2_000_000_000, hosted_voucher_url: PAGE, number: "1" };
      return { type: "oxxo_display_details", oxxo_display_details: voucher };
    }
  }
}

/** The error of a try that failed. */
export function failedTry(type: string): Intent["last_payment_error"] {
  return {
    type: "invalid_request_error",
    code: "payment_intent_payment_attempt_failed",
    message: "The payment attempt failed.",
    payment_method_type: type,
  };
}
