// The rates of a store, by which top-ups are quoted.
import type { TopupOffer } from "../gateway";
import { describe } from "./client";
import type { BtcpayContext } from "./context";
import { rates } from "./objects";
import { CALLS, TOPUP_ROWS } from "./tables";
import { rateOf } from "./units";

/** BTCPay charges nothing for a payment. */
const FEE_BASIS_POINTS = 0;

/** Returns the store's terms for a pair. Throws if BTCPay has no rate for it now. */
export async function quoteTopup(
  { client }: BtcpayContext,
  source: string,
  destination: string,
  signal: AbortSignal,
): Promise<TopupOffer> {
  const pair = `${source}_${destination}`;
  const answer = await client(CALLS.rates, { query: { currencyPair: pair } }, signal);
  const parsed = answer.kind === "data" ? rates.safeParse(answer.data) : null;
  if (!parsed?.success) throw new Error(`BTCPay gave no rate: ${describe(answer)}`);
  const found = parsed.data.find(({ currencyPair }) => currencyPair.toUpperCase() === pair);
  const isFaulty = (found?.errors?.length ?? 0) > 0;
  const rate = found?.rate && !isFaulty ? rateOf(found.rate) : null;
  if (rate === null) throw new Error("BTCPay gave no rate for the pair: see the store's rate rules");
  return { rate, feeBasisPoints: FEE_BASIS_POINTS, networks: [TOPUP_ROWS[source]?.network ?? ""] };
}
