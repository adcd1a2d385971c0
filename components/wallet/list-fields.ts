// Owns what the address of the wallet's page says, read the same by server and browser.
import { WALLET_ACCOUNTS, type WalletAccount } from "@/server/domain/statement";
import type { FilterField, Filters } from "../lists/filters";

export const STATEMENT_FIELDS: readonly FilterField[] = [
  { name: "currency", label: "Currency" },
  { name: "account", label: "Account" },
  { name: "created_after", label: "From" },
  { name: "created_before", label: "Until" },
];

export interface Balance {
  readonly currency: string;
  readonly available: string;
  readonly held: string;
}

/** The currency that the address names, else the first that holds something, else the first; null without a wallet. */
export function chosenCurrency({ currency }: Filters, balances: readonly Balance[]): string | null {
  const inUse = balances.find(({ available, held }) => available !== "0" || held !== "0") ?? balances[0];
  return currency ?? inUse?.currency ?? null;
}

/** Available, unless the address names the other one. */
export function chosenAccount({ account }: Filters): WalletAccount {
  return WALLET_ACCOUNTS.find((known) => known === account) ?? "available";
}

/** What the procedure is asked. */
export function statementInput(filters: Filters, currency: string) {
  const { created_after, created_before } = filters;
  return {
    currency,
    account: chosenAccount(filters),
    ...(created_after ? { created_after } : {}),
    ...(created_before ? { created_before } : {}),
  };
}
