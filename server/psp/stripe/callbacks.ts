// Stripe's webhooks. They are hints: Sluice polls Stripe and believes only the answer.
import { createHmac } from "node:crypto";
import { z } from "zod";
import { equalTexts } from "@/server/platform/crypto";
import { namesKind } from "@/server/platform/dispatch-reference";
import type { CallbackReading, CallbackReceiver } from "../gateway";
import { asOurReference, digestId, hint, IRRELEVANT, ofSubAccount, parseBody, unreadable } from "../hints";
import { REFERENCE } from "./bodies";
import type { StripeConfig } from "./config";

/** Stripe signs each attempt separately; an older signature is a replay. */
const TOLERANCE_SECONDS = 300;

const event = z.object({
  id: z.string().regex(/^evt_[A-Za-z0-9_]{1,120}$/),
  object: z.literal("event"),
  type: z.string().max(200),
  /** The connected account that the event is about; absent for the platform's own. */
  account: z.string().min(1).max(255).nullish(),
  data: z.object({ object: z.looseObject({ metadata: z.record(z.string(), z.unknown()).nullish().catch(null) }) }),
});

/** Events about money that leaves after a payment: a person books it, unless Sluice sent the refund that the object is. */
const DEDUCTIONS = /^(charge\.dispute|charge\.refund\.|refund\.)/;
/** Names a payment and not the refund, which `refund.*` names. */
const REFUNDED = "charge.refunded";
/** Money of a bank transfer that belongs to no open payment: Sluice cannot know to which it belonged. */
const STRAY_FUNDS = "cash_balance.funds_available";

/** Returns the time and the signatures of a header `t=…,v1=…,v1=…`; null if it has not that form. */
function readSignature(header: string): { readonly time: string; readonly signatures: readonly string[] } | null {
  const pairs = header.split(",").map((part) => part.trim().split("="));
  const valuesOf = (name: string) => pairs.flatMap(([key, value]) => (key === name && value ? [value] : []));
  const [time, ...others] = valuesOf("t");
  return time && others.length === 0 && /^[0-9]{1,12}$/.test(time) ? { time, signatures: valuesOf("v1") } : null;
}

/** Returns the signature of a body: the hex HMAC-SHA-256 of time and body under the endpoint's secret. */
function signatureOf(secret: string, time: string, rawBody: string): string {
  return createHmac("sha256", secret).update(`${time}.${rawBody}`, "utf8").digest("hex");
}

/** Returns the receiver of one configured account's webhooks. */
export function createStripeReceiver({ webhook_secrets }: Pick<StripeConfig, "webhook_secrets">): CallbackReceiver {
  return {
    verifyCallback(headers, rawBody, now) {
      const read = readSignature(headers.get("stripe-signature") ?? "");
      if (!read || Math.abs(now.getTime() / 1_000 - Number(read.time)) > TOLERANCE_SECONDS) return null;
      const expected = webhook_secrets.map((secret) => signatureOf(secret, read.time, rawBody));
      if (!read.signatures.some((given) => expected.some((one) => equalTexts(one, given)))) return null;
      const parsed = event.safeParse(parseBody(rawBody));
      return { callbackId: parsed.success ? parsed.data.id : digestId(rawBody) };
    },
    readCallback,
  };
}

function readCallback(rawBody: string): CallbackReading {
  const parsed = event.safeParse(parseBody(rawBody));
  if (!parsed.success) return unreadable("it is not a Stripe event");
  const { type, data, account } = parsed.data;
  const at = (reading: CallbackReading) => ofSubAccount(reading, account ?? null);
  const reference = asOurReference(data.object.metadata?.[REFERENCE]);
  if (type === STRAY_FUNDS) {
    return at(unreadable("Stripe holds money of a bank transfer that belongs to no open payment: see its customer"));
  }
  if (type === REFUNDED) return IRRELEVANT;
  const isOurRefund = reference !== null && namesKind("suspenseRefund", reference);
  if (DEDUCTIONS.test(type) && !isOurRefund) {
    return at(unreadable("Stripe reports a dispute or refund of a payment; Sluice does not book it", reference));
  }
  return reference === null ? IRRELEVANT : at(hint(reference));
}
