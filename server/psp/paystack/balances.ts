// The balances of a Paystack account.
import { z } from "zod";
import type { ProviderSum } from "@/server/domain/outcome";
import type { BalanceReader } from "../gateway";
import { exactInteger } from "./client";
import type { PaystackConfig } from "./config";
import { createPaystackClient } from "./gateway";
import { CALLS } from "./tables";

const balances = z.array(z.object({ currency: z.string().regex(/^[A-Z]{3}$/), balance: exactInteger }));

/** Returns the reader of one configured account. Paystack's subunits are our minor units in all its currencies. */
export function createPaystackBalances(config: PaystackConfig): BalanceReader {
  const client = createPaystackClient(config);
  return async (signal) => {
    const answer = await client(CALLS.balance, signal);
    const parsed = answer.kind === "data" ? balances.safeParse(answer.data) : null;
    if (!parsed?.success) return null;
    return parsed.data.map(({ currency, balance }): ProviderSum => ({ amount: BigInt(balance), currency }));
  };
}
