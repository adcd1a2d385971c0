// The request that creates the intent of a history.
import { randomUUID } from "node:crypto";
import type { Asked, History, Kind } from "../world/history";
import { GATED_AMOUNT } from "./merchant";
import { placeOf, providersOf } from "./providers";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/**
 * Windows of the interface: a code is payable for 30 minutes, a quote is valid for 15 minutes, the gate lapses after a
 * week.
 */
const WINDOWS: Readonly<Record<Kind, number>> = { payment: 30 * MINUTE, payout: 7 * DAY, topup: 15 * MINUTE };

/** A payout that needs one approval, and whose history begins with it, skips the gate. */
export function isGated({ steps, approvals }: History): boolean {
  return approvals > 1 || steps[0]?.do !== "approve";
}

/** What the provider receives. */
export function askedFor(history: History): Asked {
  const expiresAt = WINDOWS[history.kind];
  if (history.kind === "topup") return { amount: 200_000_000n, currency: "USDT", expiresAt };
  const amount = history.kind === "payment" ? 1_050n : GATED_AMOUNT / 2n + (isGated(history) ? GATED_AMOUNT : 0n);
  return { amount, currency: placeOf(history).currency, expiresAt };
}

/** The body of the creation request, under a new merchant reference. */
export function creationBody(history: History, asked: Asked): object {
  const { kind } = history;
  const { currency, country, method } = placeOf(history);
  const merchant_reference = randomUUID();
  const amount = asked.amount.toString();
  if (kind === "payment") return { amount, currency, country, payment_method: method, merchant_reference };
  if (kind === "payout") {
    const account = { account_number: "12345678", bank_code: "001", holder_name: "Ana Souza" };
    return { amount, currency, country, merchant_reference, recipient: { type: "bank_account", ...account } };
  }
  const [provider] = providersOf(history);
  const source = { type: "provider_gateway", currency: "USDT", provider };
  return { destination: { amount: "100000", currency }, source, country, merchant_reference };
}
