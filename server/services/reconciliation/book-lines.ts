import { book } from "@/server/db/commit/commit";
import { findUnbooked } from "@/server/db/reconciliation/bookings";
import type { ImportScope } from "@/server/db/reconciliation/import";
import { openAccounts } from "@/server/db/wallets";
import { type IntentTransaction, providerFee, providerSettlement } from "@/server/domain/ledger";
import { type BankedLine, chargeOf, type JudgedLine } from "@/server/domain/reconciliation";
import { withinMerchant } from "@/server/platform/reach";
import { operatorContext } from "../merchants/operator";
import { merchantClock } from "../merchants/settings";

const CONCURRENCY = 64;

interface LineBooking {
  readonly merchantId: string;
  readonly uniqueKey: string;
  readonly currency: string;
  readonly transaction: IntentTransaction;
}

function bookingOf(merchantId: string, currency: string, transaction: IntentTransaction): LineBooking {
  return { merchantId, uniqueKey: transaction.uniqueKey, currency, transaction };
}

function feeOf(provider: string, judged: JudgedLine): LineBooking[] {
  const { line, intentId: id, merchantId } = judged;
  const amount = chargeOf(judged);
  if (amount === null || merchantId === null || id === null) return [];
  const { currency, digest } = line;
  return [bookingOf(merchantId, currency, providerFee({ provider, digest, id, currency, amount }))];
}

/** Books what the provider kept of each line, if that is not booked yet; returns how many bookings it made. */
export function bookFees(scope: ImportScope, lines: readonly JudgedLine[]): Promise<number> {
  const fees = lines.flatMap((judged) => feeOf(scope.provider, judged));
  return bookMissing(scope, "ledger.provider_fee", fees);
}

/** Books each line that the file's bank lines settle to the bank account, once; returns how many bookings it made. */
export function bookBankLines(scope: ImportScope, lines: readonly BankedLine[]): Promise<number> {
  const { provider } = scope;
  const settled = lines.map(({ line: { digest, currency }, merchantId, intentId: id, amount }) =>
    bookingOf(merchantId, currency, providerSettlement({ provider, digest, id, currency, amount })),
  );
  return bookMissing(scope, "ledger.provider_settlement", settled);
}

async function bookMissing(
  { environment }: ImportScope,
  action: string,
  bookings: readonly LineBooking[],
): Promise<number> {
  const missing = await findUnbooked(environment, bookings);
  const accounts = new Map(missing.map((one) => [`${one.merchantId} ${one.currency}`, one]));
  for (const { merchantId, currency } of accounts.values())
    await withinMerchant(merchantId, () => openAccounts({ merchantId, environment }, currency));
  let booked = 0;
  for (let start = 0; start < missing.length; start += CONCURRENCY) {
    const verdicts = await Promise.all(
      missing.slice(start, start + CONCURRENCY).map(({ merchantId, transaction }) =>
        withinMerchant(merchantId, async () => {
          const context = operatorContext(merchantId, environment);
          const clock = await merchantClock(context.scope);
          return book(transaction, transaction.intentId, clock(), { context, action });
        }),
      ),
    );
    booked += verdicts.filter((verdict) => verdict === "committed").length;
  }
  return booked;
}
