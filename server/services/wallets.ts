import { book } from "@/server/db/commit/commit";
import { hasFunding, listBalances, type WalletBalance } from "@/server/db/wallets";
import { validationError } from "@/server/domain/errors";
import { walletFunding } from "@/server/domain/ledger";
import type { CallContext, Scope } from "@/server/domain/scope";
import { newId } from "@/server/platform/ids";
import { clockOf, merchantSettings, requireWalletCurrency } from "./merchants/settings";

/** Returns the merchant's balance in each enabled currency, in minor units. */
export function getWallets(scope: Scope): Promise<WalletBalance[]> {
  return listBalances(scope);
}

const REFERENCE = /^[\x20-\x7e]{1,255}$/;

interface Funding {
  readonly currency: string;
  /** Minor units. */
  readonly amount: bigint;
  /** Names the funding, 1 to 255 printable ASCII characters: the same reference books once. */
  readonly reference?: string | null;
}

/**
 * Books money into a wallet by hand; returns false if its reference was already booked. Throws validation_failed for a
 * currency that is not enabled and for a reference used for something else, not_found for an unknown merchant.
 */
export async function fundWallet(context: CallContext, { currency, amount, reference }: Funding): Promise<boolean> {
  const merchant = await merchantSettings(context.scope.merchantId);
  requireWalletCurrency(merchant, "currency", currency);
  if (amount <= 0n) throw validationError("amount", "must be positive");
  if (reference && !REFERENCE.test(reference)) {
    throw validationError("reference", "must be 1 to 255 printable ASCII characters");
  }
  const transaction = walletFunding(
    reference ? `reference:${reference}` : newId("ledgerTransaction"),
    currency,
    amount,
  );
  const at = clockOf(merchant, context.scope.environment)();
  const verdict = await book(transaction, `wallet:${currency}`, at, { context, action: "wallet.fund" });
  if (verdict === "committed") return true;
  if (!(await hasFunding(context.scope, transaction))) {
    throw validationError("reference", "was already booked with another amount or currency");
  }
  return false;
}
