// BTCPay's webhooks. They are hints: Sluice polls BTCPay and believes only the answer.
import { createHmac } from "node:crypto";
import { z } from "zod";
import { equalTexts } from "@/server/platform/crypto";
import type { CallbackReading, CallbackReceiver } from "../gateway";
import { asOurReference, digestId, hint, IRRELEVANT, parseBody, unreadable } from "../hints";
import { rowOf } from "../readings";
import type { BtcpayConfig } from "./config";
import { INVOICE_EVENTS } from "./tables";

const deliveryId = z.string().regex(/^[\x21-\x7e]{1,100}$/);
/** A repeated delivery has an id of its own, and names the first one. */
const delivery = z.object({ deliveryId, originalDeliveryId: deliveryId.nullish() });

const event = z.object({
  type: z.string().max(100),
  storeId: z.string().nullish(),
  metadata: z.object({ orderId: z.unknown() }).nullish().catch(null),
});

/** Returns the signature of a body: the hex HMAC-SHA-256 under the webhook's secret. */
function signatureOf(secret: string, rawBody: string): string {
  return `sha256=${createHmac("sha256", secret).update(rawBody, "utf8").digest("hex")}`;
}

/** Returns the receiver of one configured store's webhooks. */
export function createBtcpayReceiver({
  webhook_secrets,
  account,
}: Pick<BtcpayConfig, "webhook_secrets" | "account">): CallbackReceiver {
  return {
    verifyCallback(headers, rawBody) {
      const signature = headers.get("btcpay-sig") ?? "";
      if (!webhook_secrets.some((secret) => equalTexts(signatureOf(secret, rawBody), signature))) return null;
      const { data } = delivery.safeParse(parseBody(rawBody));
      return { callbackId: data ? (data.originalDeliveryId ?? data.deliveryId) : digestId(rawBody) };
    },
    readCallback: (rawBody) => readCallback(account, rawBody),
  };
}

function readCallback(account: string, rawBody: string): CallbackReading {
  const parsed = event.safeParse(parseBody(rawBody));
  if (!parsed.success) return unreadable("it is not a BTCPay event");
  const { type, storeId, metadata } = parsed.data;
  if (!type.startsWith("Invoice") || rowOf(INVOICE_EVENTS, type)?.meaning === "own") return IRRELEVANT;
  const reference = asOurReference(metadata?.orderId);
  if (reference === null) return IRRELEVANT;
  return storeId === account ? hint(reference) : unreadable("it is about another store than the entry's", reference);
}
