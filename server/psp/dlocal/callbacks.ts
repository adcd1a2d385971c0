// dLocal's notifications. They are hints: Sluice polls dLocal and believes only the answer.
import { z } from "zod";
import { equalTexts } from "@/server/platform/crypto";
import type { CallbackReading, CallbackReceiver } from "../gateway";
import { asOurReference, digestId, hint, IRRELEVANT, parseBody, unreadable } from "../hints";
import type { DlocalConfig } from "./config";
import { authorizationOf } from "./signature";

/** A payment; or a refund or chargeback, which name their payment. */
const notification = z.object({
  id: z.string().max(200),
  order_id: z.unknown().optional(),
  payment_id: z.unknown().optional(),
});

/** Returns the receiver of one configured account's notifications. */
export function createDlocalReceiver(
  config: Pick<DlocalConfig, "account" | "secret_key" | "webhook_secrets">,
): CallbackReceiver {
  const { account: login, secret_key, webhook_secrets = [] } = config;
  return {
    verifyCallback(headers, rawBody) {
      const given = headers.get("authorization") ?? "";
      const date = headers.get("x-date") ?? "";
      const isSigned = [secret_key, ...webhook_secrets].some((secretKey) =>
        equalTexts(authorizationOf({ login, secretKey }, date, rawBody), given),
      );
      return isSigned ? { callbackId: digestId(rawBody) } : null;
    },
    storedBody,
    readCallback,
  };
}

/** Members about the payer: name, e-mail address, telephone, document and address; a card, or an account to refund to. */
const PERSONAL = ["payer", "card", "wallet", "bank_transfer", "bank_account", "beneficiary", "additional_risk_data"];

/** Stored callbacks stay for good, and an erased payer must not live on in them. Sluice reads nothing of the payer. */
function storedBody(rawBody: string): string {
  const body = parseBody(rawBody);
  if (typeof body !== "object" || body === null || !PERSONAL.some((name) => name in body)) return rawBody;
  return JSON.stringify(Object.fromEntries(Object.entries(body).filter(([name]) => !PERSONAL.includes(name))));
}

function readCallback(rawBody: string): CallbackReading {
  const parsed = notification.safeParse(parseBody(rawBody));
  if (!parsed.success) return unreadable("it is not a payment of dLocal");
  const { order_id, payment_id } = parsed.data;
  const reference = asOurReference(order_id);
  if (payment_id !== undefined && payment_id !== null) {
    return unreadable("dLocal reports a refund or chargeback of a payment; Sluice does not book it", reference);
  }
  return reference === null ? IRRELEVANT : hint(reference);
}
