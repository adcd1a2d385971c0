// What a file of a statement says, in whatever format: whose account, which period, which balances, which lines.
import type { DashboardLanguage } from "@/server/domain/dashboard-languages";
import type { Environment } from "@/server/domain/scope";
import type { WalletAccount } from "@/server/domain/statement";
import type { StatementSummary } from "@/server/domain/statement-summary";
import { say } from "@/server/domain/texts/say";

export type { AccountLine } from "@/server/services/statements/account-lines";

export interface StatementHead extends StatementSummary {
  readonly merchant: { readonly id: string; readonly name: string };
  readonly environment: Environment;
  readonly account: WalletAccount;
  readonly currency: string;
  readonly from: Date;
  /** Excluded. */
  readonly to: Date;
  /** The time of the file. */
  readonly createdAt: Date;
  /** IANA name of the zone of the times that people read. */
  readonly timeZone: string;
  /** The reader's. */
  readonly language: DashboardLanguage;
}

const ACCOUNT_NAMES = { available: "Available balance", held: "Held for payouts" } as const;

/** An account of a wallet, as files name it. */
export function accountName({ account, language }: Pick<StatementHead, "account" | "language">): string {
  return say(language, ACCOUNT_NAMES[account]);
}

/** The number of lines. */
export function countOf({ total }: StatementSummary): number {
  return total.creditCount + total.debitCount;
}
