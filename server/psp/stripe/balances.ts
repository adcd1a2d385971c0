// The balances of a Stripe account: what is available for payouts, without what is pending.
import { z } from "zod";
import type { BalanceReader } from "../gateway";
import { perAccount } from "../sub-accounts";
import { createStripeClient } from "./client";
import type { StripeConfig } from "./config";
import { CALLS } from "./tables";
import { fromStripeUnits } from "./units";

/** Refunds can make a balance negative. */
const exact = z.number().refine((value) => Number.isSafeInteger(value));
const balance = z.object({ available: z.array(z.object({ amount: exact, currency: z.string() })) });

/** Returns the reader of one configured account. A restricted key may lack the permission. */
export function createStripeBalances(config: StripeConfig): BalanceReader {
  const clientOf = perAccount((subAccount) => createStripeClient(config, subAccount));
  return async (signal, subAccount) => {
    const answer = await clientOf(subAccount)(CALLS.balance, signal);
    const parsed = answer.kind === "data" ? balance.safeParse(answer.data) : null;
    if (!parsed?.success) return null;
    const sums = parsed.data.available.map(({ amount, currency }) => fromStripeUnits(amount, currency));
    return sums.every((sum) => sum !== null) ? sums : null;
  };
}
