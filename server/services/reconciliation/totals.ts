// What the provider says of a file or a month, beside what the books say.
import { sumUnsettledWithin } from "@/server/db/reconciliation/books";
import { compareOnly } from "@/server/db/reconciliation/import";
import { listProvidersOf } from "@/server/db/reconciliation/of-merchant";
import { type SettlementTotal, sumLinesWithin } from "@/server/db/reconciliation/totals";
import type { Scope } from "@/server/domain/scope";
import { type Reported, readReport } from "../reports";

export interface PeriodTotal extends SettlementTotal {
  /** What moved in the books in the period and no line of any file settles; below zero for what left. */
  readonly unsettled: { readonly count: number; readonly amount: bigint };
}

/** The totals of one file's lines of the merchant, by currency. */
export function sumFile(
  scope: Scope,
  file: { readonly id: string; readonly provider: string },
): Promise<SettlementTotal[]> {
  return compareOnly((transaction) => sumLinesWithin(transaction, scope, { provider: file.provider, fileId: file.id }));
}

/** The totals of what was settled in a period, its end excluded, by provider and currency. */
export function sumPeriod(
  scope: Scope,
  period: { readonly from: Date; readonly to: Date },
): Promise<Reported<PeriodTotal[]>> {
  return readReport(async () => {
    const providers = await listProvidersOf(scope);
    return compareOnly(async (transaction) => {
      const sums = await sumLinesWithin(transaction, scope, period);
      const found = new Map(sums.map((sum): [string, PeriodTotal] => [keyOf(sum), { ...sum, unsettled: NOTHING }]));
      for (const provider of providers) {
        for (const { currency, ...unsettled } of await sumUnsettledWithin(transaction, scope, provider, period)) {
          const key = keyOf({ provider, currency });
          found.set(key, { ...(found.get(key) ?? emptyTotal(provider, currency)), unsettled });
        }
      }
      return [...found.keys()].sort().flatMap((key) => found.get(key) ?? []);
    });
  });
}

const NOTHING = { count: 0, amount: 0n };

const keyOf = ({ provider, currency }: Pick<SettlementTotal, "provider" | "currency">) => `${provider} ${currency}`;

function emptyTotal(provider: string, currency: string): PeriodTotal {
  return { provider, currency, lines: 0, differing: 0, theirs: 0n, ours: 0n, fees: 0n, unsettled: NOTHING };
}
