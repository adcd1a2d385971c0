// The record of a top-up's totals in memory: numbered steps, and their sums with the ledger's.
import type { LedgerTransaction } from "@/server/domain/ledger";
import type { KnownTotals, TotalStep } from "@/server/domain/topup-step";
import type { ReportedTotal } from "@/server/domain/transition";
import type { MemoryLedger } from "./ledger";

const largest = (sums: readonly bigint[]) => sums.reduce((one, other) => (other > one ? other : one), 0n);

/** The amount that a transaction moved through the provider's clearing account in one currency. */
function moved({ entries }: LedgerTransaction, currency: string): bigint {
  return entries
    .filter((entry) => entry.account === "provider_clearing" && entry.currency === currency)
    .reduce((sum, { amount }) => sum + amount, 0n);
}

export class MemoryTotals {
  readonly #ledger: MemoryLedger;
  readonly #steps: { readonly token: string; readonly seen: bigint; readonly reported: bigint }[] = [];

  constructor(ledger: MemoryLedger) {
    this.#ledger = ledger;
  }

  known({ token, currency, isOwnToken }: ReportedTotal): KnownTotals {
    const steps = this.#steps.filter((step) => step.token === token);
    const tookIn = isOwnToken ? ["topup_late:", "topup_over:"] : ["other_token:"];
    const booked = [...this.#ledger.transactions.values()];
    const sumOf = (transactions: readonly LedgerTransaction[]) =>
      transactions.reduce((sum, transaction) => sum + moved(transaction, currency), 0n);
    return {
      ordinal: this.#steps.length,
      seen: steps.at(-1)?.seen ?? null,
      reported: largest(steps.map(({ reported }) => reported)),
      taken: -sumOf(booked.filter(({ uniqueKey }) => tookIn.some((prefix) => uniqueKey.startsWith(prefix)))),
      dropped: sumOf(booked.filter(({ reason }) => reason === "funds_dropped")),
      restoredAt: null,
    };
  }

  /** Returns false if another step has the number. */
  record({ token }: ReportedTotal, { seen, reported }: TotalStep, ordinal: number): boolean {
    if (ordinal !== this.#steps.length) return false;
    this.#steps.push({ token, seen, reported });
    return true;
  }
}
