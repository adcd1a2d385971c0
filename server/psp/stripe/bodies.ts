// The bodies of creating calls. They depend only on the payment, so that Stripe finds a repeat equal to its first call.
import type { PaymentRequest } from "../gateway";
import type { FormMembers } from "./form";
import { PAYMENT_ROWS } from "./tables";
import { toStripeUnits } from "./units";

/** How long after the end of our window a page stays open at the most, in seconds: a repeat needs 30 minutes left. */
const PAGE_GRACE_SECONDS = 1_800;
/** Stripe closes a page 24 hours after its creation at the latest; a repeat may come a minute later. */
const LONGEST_PAGE_SECONDS = 23 * 3_600;

const seconds = (at: Date) => Math.floor(at.getTime() / 1_000);

/** Makes Stripe show the PaymentIntent of a Checkout Session. */
export const EXPANDED = { expand: ["payment_intent"] };

/** The member of metadata by which the adapter finds its objects. */
export const REFERENCE = "sluice_reference";

const metadataOf = ({ reference, merchantId }: PaymentRequest) => ({
  [REFERENCE]: reference,
  sluice_merchant: merchantId,
});

function billingDetailsOf({ customer }: PaymentRequest): FormMembers | undefined {
  const { name, email } = customer ?? {};
  return name || email ? { name: name || undefined, email: email || undefined } : undefined;
}

/** The call that creates a payment, or why there is none. */
export type Creating =
  | { readonly by: "code" | "page"; readonly body: FormMembers }
  | { readonly by: "transfer"; readonly customer: FormMembers; body(customer: string): FormMembers };

/** Returns the bodies of a payment's creation, or why nothing can be sent. */
export function creatingOf(request: PaymentRequest): Creating | string {
  const row = PAYMENT_ROWS[request.method.code];
  if (row?.currency !== request.currency) return "Stripe does not carry the method";
  if (row.requires?.some((field) => !request.customer?.[field])) return "Stripe demands the payer's e-mail address";
  const amount = toStripeUnits(request.amount, request.currency);
  if (amount === null) return "Stripe cannot express the sum";
  const currency = request.currency.toLowerCase();
  const { collection, type } = row;
  if (collection.by === "page") return { by: "page", body: sessionBody(request, { type, amount, currency }) };
  const billing_details = billingDetailsOf(request);
  const common = {
    amount,
    currency,
    confirm: true,
    allowed_payment_method_types: [type],
    payment_method_data: { type, billing_details },
    metadata: metadataOf(request),
  };
  if (collection.by === "code") {
    const pix = type === "pix" ? { payment_method_options: { pix: { expires_at: seconds(request.expiresAt) } } } : {};
    return { by: "code", body: { ...common, ...pix } };
  }
  const { bankTransfer, country } = collection;
  const bank_transfer = {
    type: bankTransfer,
    ...(country === undefined ? {} : { [bankTransfer]: { country } }),
  };
  const customer_balance = { funding_type: "bank_transfer", bank_transfer };
  return {
    by: "transfer",
    customer: { ...billing_details, metadata: metadataOf(request) },
    body: (customer) => ({ ...common, customer, payment_method_options: { customer_balance } }),
  };
}

interface Priced {
  readonly type: string;
  readonly amount: number;
  readonly currency: string;
}

/** Prices are never converted into the payer's currency: other money than the payment's would arrive. */
function sessionBody(request: PaymentRequest, { type, amount, currency }: Priced): FormMembers {
  const collection = PAYMENT_ROWS[request.method.code]?.collection;
  const days = collection?.by === "page" ? collection.voucherDays : undefined;
  const price_data = { currency, unit_amount: amount, product_data: { name: "Payment" } };
  const latest = seconds(request.createdAt) + LONGEST_PAGE_SECONDS;
  const metadata = metadataOf(request);
  return {
    ...EXPANDED,
    mode: "payment",
    allowed_payment_method_types: [type],
    line_items: [{ quantity: 1, price_data }],
    client_reference_id: request.reference,
    customer_email: request.customer?.email || undefined,
    metadata,
    payment_intent_data: { metadata },
    payment_method_options: days === undefined ? undefined : { [type]: { expires_after_days: days } },
    adaptive_pricing: { enabled: false },
    success_url: request.hostedUrl,
    expires_at: Math.min(seconds(request.expiresAt) + PAGE_GRACE_SECONDS, latest),
  };
}
