// Paystack's webhooks. They are hints: Sluice polls Paystack and believes only the answer.
import { createHmac } from "node:crypto";
import { z } from "zod";
import { equalTexts } from "@/server/platform/crypto";
import type { CallbackReading, CallbackReceiver } from "../gateway";
import { digestId, hint, IRRELEVANT, parseBody, unreadable } from "../hints";
import type { PaystackConfig } from "./config";
import { ourReference } from "./references";

const event = z.object({
  event: z.string().max(100),
  data: z.object({
    reference: z.unknown().optional(),
    transaction_reference: z.unknown().optional(),
    transaction: z.object({ reference: z.unknown().optional() }).nullish().catch(null),
  }),
});

/** Events about money that leaves after a payment: a person books it. */
const DEDUCTIONS = /^(charge\.dispute|refund)\./;

/** Returns the signature of a body: the hex HMAC-SHA-512 under the secret key. */
function signatureOf(secretKey: string, rawBody: string): string {
  return createHmac("sha512", secretKey).update(rawBody, "utf8").digest("hex");
}

/** Returns the receiver of one configured account's webhooks. */
export function createPaystackReceiver(config: PaystackConfig): CallbackReceiver {
  const secrets = [config.secret_key, ...(config.webhook_secrets ?? [])];
  return {
    verifyCallback(headers, rawBody) {
      const signature = headers.get("x-paystack-signature") ?? "";
      if (!secrets.some((secret) => equalTexts(signatureOf(secret, rawBody), signature))) return null;
      return { callbackId: digestId(rawBody) };
    },
    readCallback,
  };
}

function readCallback(rawBody: string): CallbackReading {
  const parsed = event.safeParse(parseBody(rawBody));
  if (!parsed.success) return unreadable("it is not a Paystack event");
  const { event: name, data } = parsed.data;
  const named = [data.reference, data.transaction?.reference, data.transaction_reference].map(ourReference);
  const reference = named.find((one) => one !== null);
  if (!reference) return IRRELEVANT;
  if (!DEDUCTIONS.test(name)) return hint(reference);
  return unreadable("Paystack reports a dispute or refund of the payment; Sluice does not book it", reference);
}
