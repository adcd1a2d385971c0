// The state in the address of the wallet's page, parsed the same way by server and browser.

import { BALANCE_PERIODS } from "@/server/domain/balance-days";
import { WALLET_ACCOUNTS, type WalletAccount } from "@/server/domain/statement";
import type { Texts } from "../i18n/dashboard-texts";
import type { Filters, ListField } from "../lists/filters";

export const STATEMENT_FIELDS: readonly ListField[] = [
  { name: "currency" },
  { name: "account" },
  { name: "created_after" },
  { name: "created_before" },
  { name: "days" },
];

/** The two accounts of a wallet, by their names on the page. */
export const accountLabelsIn = (texts: Texts): Readonly<Record<WalletAccount, string>> => ({
  available: texts("wallet.available"),
  held: texts("wallet.heldForPayouts"),
});

export interface Balance {
  readonly currency: string;
  readonly available: string;
  readonly held: string;
}

/** The currency in the address, else the first with a balance, else the first; null without a wallet. */
export function chosenCurrency({ currency }: Filters, balances: readonly Balance[]): string | null {
  const inUse = balances.find(({ available, held }) => available !== "0" || held !== "0") ?? balances[0];
  return currency ?? inUse?.currency ?? null;
}

/** Available, unless the address names the other one. */
export function chosenAccount({ account }: Filters): WalletAccount {
  return WALLET_ACCOUNTS.find((known) => known === account) ?? "available";
}

export interface StatementInput {
  readonly currency: string;
  readonly account: WalletAccount;
  readonly created_after?: string;
  readonly created_before?: string;
}

/** Input of the procedure. */
export function statementInput(filters: Filters, currency: string): StatementInput {
  const { created_after, created_before } = filters;
  return {
    currency,
    account: chosenAccount(filters),
    ...(created_after ? { created_after } : {}),
    ...(created_before ? { created_before } : {}),
  };
}

/** Input of the procedure for balances by day, except the zone: 30 days, unless the address names the other period. */
export function balanceDaysInput(filters: Filters, currency: string) {
  const days = BALANCE_PERIODS.find((known) => String(known) === filters.days) ?? 30;
  return { currency, account: chosenAccount(filters), days };
}
