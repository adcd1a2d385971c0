import { readWalletHistory, type WalletPeriod } from "@/server/db/statements";
import { ServiceError, validationError } from "@/server/domain/errors";
import { addUp, type Statement } from "@/server/domain/statement";

/**
 * Opening balances, every transaction with what it did to the wallet, closing balances. The closing is what the
 * accounts keep less what was booked after the period; `unexplained` is what it has beyond opening and lines. Throws
 * validation_failed for bounds that make no time, not_found when the merchant has no wallet in the currency.
 */
export async function walletStatement(period: WalletPeriod): Promise<Statement> {
  if (period.from >= period.to) throw validationError("from", "must be before to");
  const history = await readWalletHistory(period);
  if (!history) throw new ServiceError("not_found", "The merchant has no such wallet.");
  const { before, entries, kept, after } = history;
  const closing = { available: kept.available - after.available, held: kept.held - after.held };
  return addUp(before, entries, closing);
}
