import type { SettlementLine } from "./settlement-line";

/** What a line adds to the bank account, in minor units of its currency: its amount in its direction, less its fee. */
export function netOf({ kind, amount, fee }: SettlementLine): bigint {
  return (kind === "payment" || kind === "topup" ? amount : -amount) - fee;
}

/** True for a line about the operator's bank account, which moves what the other lines of its batch come to. */
export function isBankLine({ kind }: Pick<SettlementLine, "kind">): boolean {
  return kind === "bank_credit" || kind === "bank_debit";
}

/** True for lines that one bank transfer settles. */
export function isSameBatch(one: SettlementLine, other: SettlementLine): boolean {
  return one.batch === other.batch && one.currency === other.currency;
}

/**
 * Null when the bank lines of a batch move what its other lines come to, else the reason in words. `lines` are those of
 * one file without word-for-word repeats.
 */
export function bankDifference(line: SettlementLine, lines: readonly SettlementLine[]): string | null {
  let moved = 0n;
  let owed = 0n;
  for (const other of lines.filter((one) => isSameBatch(one, line))) {
    if (isBankLine(other)) moved += other.kind === "bank_credit" ? other.amount : -other.amount;
    else owed += netOf(other);
  }
  if (moved === owed) return null;
  return `its batch sums to ${owed} ${line.currency}, and its bank lines sum to ${moved} ${line.currency}`;
}
