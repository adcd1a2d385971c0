import { readWalletHistory, type WalletPeriod } from "@/server/db/statements";
import { ServiceError, validationError } from "@/server/domain/errors";
import { addUp, type Statement } from "@/server/domain/statement";
import { type Reported, readReport } from "../reports";

/**
 * Returns opening balances, every transaction with its effect on the wallet, and closing balances. The closing balance
 * is the stored balance less later bookings; `unexplained` is its difference from opening plus lines. Throws
 * validation_failed for an empty period, not_found if the merchant has no wallet in the currency.
 */
export async function walletStatement(period: WalletPeriod): Promise<Statement & Pick<Reported<unknown>, "asOf">> {
  if (period.from >= period.to) throw validationError("from", "must be before to");
  const { asOf, result: history } = await readReport(() => readWalletHistory(period));
  if (!history) throw new ServiceError("not_found", "The merchant has no such wallet.");
  const { before, entries, stored: kept, after } = history;
  const closing = { available: kept.available - after.available, held: kept.held - after.held };
  return { ...addUp(before, entries, closing), asOf };
}
