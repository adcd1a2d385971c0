// Turning an external provider's instructions into what the payer is shown; sums and our own pages are never taken
// from it.
import type { PaymentNextAction, TopupNextAction } from "@/server/domain/next-action";
import { parseUrl } from "@/server/platform/url";
import type { PaymentRequest, TopupRequest } from "../gateway";
import type { TopupReport, WirePaymentNextAction } from "./wire";

/** The provider's own limit where it ends before ours. */
function earlier(ours: Date, theirs: string | undefined): string {
  const time = theirs === undefined ? ours.getTime() : Math.min(Date.parse(theirs), ours.getTime());
  return new Date(time).toISOString();
}

/** A web address that a browser may be sent to, without credentials in it. */
function isPayerUrl(text: string, allowHttp: boolean): boolean {
  const url = parseUrl(text);
  if (!url || url.username !== "" || url.password !== "") return false;
  return url.protocol === "https:" || (allowHttp && url.protocol === "http:");
}

/**
 * The next action in the shape the request asks for (interface §2.1); a redirect serves any method. Null when the
 * provider sent another shape, or an address that no browser should be sent to.
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

/** Where the payer of a top-up sends how much; null when the provider names another network than was asked for. */
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
