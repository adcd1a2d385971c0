// Xendit's webhooks. A token that does not depend on the body proves the sender, so they are hints: Sluice polls Xendit and
// believes only the answer.
import { z } from "zod";
import { equalTexts } from "@/server/platform/crypto";
import type { CallbackReading, CallbackReceiver } from "../gateway";
import { asOurReference, digestId, hint, IRRELEVANT, ofSubAccount, parseBody, unreadable } from "../hints";
import { REFERENCE } from "./bodies";
import type { XenditConfig } from "./config";

const event = z.object({
  event: z.string().max(200),
  /** The business that the event is about. */
  business_id: z.string().min(1).max(255).nullish(),
  data: z.looseObject({
    reference_id: z.unknown().optional(),
    metadata: z.record(z.string(), z.unknown()).nullish().catch(null),
  }),
});

/** Events about money that leaves after a payment: a person books it. */
const DEDUCTIONS = /^(refund|dispute|chargeback)\b/;

/** Returns the receiver of the webhooks of one configured business and its sub-accounts. */
export function createXenditReceiver({
  account,
  webhook_tokens,
}: Pick<XenditConfig, "account" | "webhook_tokens">): CallbackReceiver {
  return {
    provesOnlySender: true,
    verifyCallback(headers, rawBody) {
      const token = headers.get("x-callback-token") ?? "";
      return webhook_tokens.some((one) => equalTexts(one, token)) ? { callbackId: digestId(rawBody) } : null;
    },
    readCallback: (rawBody) => readCallback(account, rawBody),
  };
}

function readCallback(account: string, rawBody: string): CallbackReading {
  const parsed = event.safeParse(parseBody(rawBody));
  if (!parsed.success) return unreadable("it is not a Xendit event");
  const { event: name, data, business_id: business } = parsed.data;
  const at = (reading: CallbackReading) => ofSubAccount(reading, business && business !== account ? business : null);
  const reference = asOurReference(data.reference_id) ?? asOurReference(data.metadata?.[REFERENCE]);
  if (DEDUCTIONS.test(name)) {
    return at(unreadable("Xendit reports a dispute or refund of a payment; Sluice does not book it", reference));
  }
  return reference === null ? IRRELEVANT : at(hint(reference));
}
