// Owns booking what a provider kept for itself: once per line of its settlement, however often that is imported.
import { book } from "@/server/db/commit/commit";
import { findUnbooked } from "@/server/db/reconciliation/fees";
import type { ImportScope } from "@/server/db/reconciliation/import";
import { openAccounts } from "@/server/db/wallets";
import { type IntentTransaction, providerFee } from "@/server/domain/ledger";
import { chargeOf, type JudgedLine } from "@/server/domain/reconciliation";
import { merchantClock } from "../merchants/clock";
import { operatorContext } from "../merchants/operator";

const AT_ONCE = 64;

interface Charge {
  readonly merchantId: string;
  readonly uniqueKey: string;
  readonly transaction: IntentTransaction;
}

function chargeOfLine(provider: string, judged: JudgedLine): Charge | null {
  const { line, merchantId } = judged;
  const amount = chargeOf(judged);
  if (amount === null || merchantId === null || line.reference === null) return null;
  const { currency, digest, reference: id } = line;
  const transaction = providerFee(`${provider}:${digest}`, { id, currency, amount });
  return { merchantId, uniqueKey: transaction.uniqueKey, transaction };
}

/** Books the charges of those lines that are not booked yet; returns how many it booked. */
export async function bookFees({ provider, environment }: ImportScope, lines: readonly JudgedLine[]): Promise<number> {
  const charges = lines.flatMap((judged) => chargeOfLine(provider, judged) ?? []);
  const open = await findUnbooked(environment, charges);
  const accounts = new Map(
    open.map(({ merchantId, transaction }) => [`${merchantId} ${currencyOf(transaction)}`, merchantId]),
  );
  for (const [key, merchantId] of accounts) {
    await openAccounts({ merchantId, environment }, key.slice(merchantId.length + 1));
  }
  let booked = 0;
  for (let start = 0; start < open.length; start += AT_ONCE) {
    const verdicts = await Promise.all(
      open.slice(start, start + AT_ONCE).map(async ({ merchantId, transaction }) => {
        const context = operatorContext(merchantId, environment);
        const clock = await merchantClock(context.scope);
        return book(transaction, transaction.intentId, clock(), { context, action: "ledger.provider_fee" });
      }),
    );
    booked += verdicts.filter((verdict) => verdict === "committed").length;
  }
  return booked;
}

function currencyOf({ entries }: IntentTransaction): string {
  return entries[0]?.currency ?? "";
}
