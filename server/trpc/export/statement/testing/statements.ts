// Statements for tests: any movements in any currency, added up.
import fc from "fast-check";
import { summarize } from "@/server/domain/statement-summary";
import type { AccountLine, StatementHead } from "../document";

const REASONS = ["funding", "payment_credit", "payout_hold", "payout_release", "topup_credit"];
const BEGIN = Date.UTC(2026, 10, 1);
const HOUR_MS = 60 * 60_000;

export interface Written {
  readonly head: StatementHead;
  readonly lines: readonly AccountLine[];
}

type Names = AccountLine["names"];
export const NO_NAMES: Names = { merchantReference: null, providerReference: null, counterparty: null };

/** A statement of these amounts, in minor units, which begins with that balance. */
export function statementOf(currency: string, opening: bigint, amounts: readonly bigint[], names = NO_NAMES): Written {
  let balance = opening;
  const lines = amounts.map((amount, index): AccountLine => {
    balance += amount;
    return {
      sequence: BigInt(index + 1),
      transactionId: `ltx_${String(index).padStart(26, "0")}`,
      reason: REASONS[index % REASONS.length] ?? "funding",
      intentId: index % 2 === 0 ? `word_${String(index).padStart(26, "0")}` : null,
      amount,
      at: new Date(BEGIN + index * HOUR_MS),
      balance,
      names,
    };
  });
  const kinds = REASONS.map((reason) => {
    const own = lines.filter((line) => line.reason === reason).map(({ amount }) => amount);
    const [credits, debits] = [own.filter((amount) => amount >= 0n), own.filter((amount) => amount < 0n)];
    const sum = (all: readonly bigint[]) => all.reduce((total, amount) => total + amount, 0n);
    return {
      reason,
      credited: sum(credits),
      creditCount: credits.length,
      debited: -sum(debits),
      debitCount: debits.length,
    };
  }).filter(({ creditCount, debitCount }) => creditCount + debitCount > 0);
  const head: StatementHead = {
    language: "en",
    ...summarize(balance, kinds),
    merchant: { id: `mer_${"0".repeat(26)}`, name: "Café <Ñandú> & Söhne" },
    environment: "live",
    account: "available",
    currency,
    from: new Date(BEGIN),
    to: new Date(BEGIN + 30 * 24 * HOUR_MS),
    createdAt: new Date(BEGIN + 31 * 24 * HOUR_MS),
    timeZone: "America/Sao_Paulo",
  };
  return { head, lines };
}

/** Amounts of up to 15 digits either way, never zero. */
export const amounts = fc.array(
  fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }).filter((amount) => amount !== 0n),
  { maxLength: 20 },
);
