// Converts an external provider's instructions to the payer's next action. Amounts and our own pages never come from
// the provider.
import type { PaymentNextAction, TopupNextAction } from "@/server/domain/next-action";
import { parseUrl } from "@/server/platform/url";
import type { PaymentRequest, TopupRequest } from "../gateway";
import type { TopupReport, WirePaymentNextAction } from "./wire";

/** Returns the earlier of our time limit and the provider's. */
function earlier(ours: Date, theirs: string | undefined): string {
  const time = theirs === undefined ? ours.getTime() : Math.min(Date.parse(theirs), ours.getTime());
  return new Date(time).toISOString();
}

/** Returns true for a URL without credentials that is safe for a browser redirect. */
function isPayerUrl(text: string, allowHttp: boolean): boolean {
  const url = parseUrl(text);
  if (!url || url.username !== "" || url.password !== "") return false;
  return url.protocol === "https:" || (allowHttp && url.protocol === "http:");
}

/**
 * Returns the next action in the requested shape (interface §2.1); a redirect fits any method. Returns null if the
 * provider sent another shape or an unsafe URL.
 */
export function paymentNextAction(
  request: PaymentRequest,
  action: WirePaymentNextAction,
  allowHttp: boolean,
): PaymentNextAction | null {
  const expires_at = earlier(request.expiresAt, action.expires_at);
  if (action.type === "redirect_to_url") {
    return isPayerUrl(action.url, allowHttp) ? { type: action.type, url: new URL(action.url).href, expires_at } : null;
  }
  if (action.type !== request.nextActionType) return null;
  const hosted_instructions_url = request.hostedUrl;
  if (action.type === "display_qr_code") {
    return {
      type: action.type,
      data: action.data,
      image_url_png: `${request.hostedUrl}/qr.png`,
      image_url_svg: `${request.hostedUrl}/qr.svg`,
      hosted_instructions_url,
      expires_at,
    };
  }
  return {
    type: action.type,
    amount: request.amount.toString(),
    currency: request.currency,
    reference: action.reference,
    financial_addresses: action.financial_addresses,
    hosted_instructions_url,
    expires_at,
  };
}

type Instructions = Extract<TopupReport, { status: "requires_action" }>["next_action"];

/** Returns the amount and address for the payer of a top-up, or null if the provider names a different network. */
export function topupNextAction(request: TopupRequest, action: Instructions): TopupNextAction | null {
  if (action.network !== request.network) return null;
  return {
    type: "display_crypto_payment_instructions",
    address: action.address,
    amount: request.sourceAmount.toString(),
    currency: request.sourceCurrency,
    network: action.network,
    expires_at: earlier(request.expiresAt, action.expires_at),
  };
}
