// The cash balances of a business: one call for each currency that Xendit pays out.
import { z } from "zod";
import type { ProviderSum } from "@/server/domain/outcome";
import type { BalanceReader } from "../gateway";
import { perAccount } from "../sub-accounts";
import { createXenditClient, type XenditClient } from "./client";
import type { XenditConfig } from "./config";
import { CALLS, PAYOUT_ROWS } from "./tables";
import { fromXenditAmount } from "./units";

const balance = z.object({ balance: z.number() });

/** Returns the reader of one configured business. A currency that it does not have is left out. */
export function createXenditBalances(config: XenditConfig): BalanceReader {
  const clientOf = perAccount((subAccount) => createXenditClient(config, subAccount));
  const { method, path } = CALLS.balance;

  /** Returns null if Xendit did not answer, and no sum if it answered that there is no such balance. */
  async function read(
    client: XenditClient,
    currency: string,
    signal: AbortSignal,
  ): Promise<readonly ProviderSum[] | null> {
    const answer = await client({ method, path: `${path}?account_type=CASH&currency=${currency}` }, signal);
    if (answer.kind === "error" && answer.status === 400) return [];
    const parsed = answer.kind === "data" ? balance.safeParse(answer.data) : null;
    const amount = parsed?.success ? fromXenditAmount(parsed.data.balance, currency) : null;
    return amount === null ? null : [{ amount, currency }];
  }

  return async (signal, subAccount) => {
    const client = clientOf(subAccount);
    const sums = await Promise.all(Object.keys(PAYOUT_ROWS).map((currency) => read(client, currency, signal)));
    return sums.every((sum) => sum !== null) ? sums.flat() : null;
  };
}
