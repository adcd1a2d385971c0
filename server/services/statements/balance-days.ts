// A wallet's balance at the end of each of the last days, from the ledger alone.
import { sumBetween } from "@/server/db/account-entries";
import { type BalanceDay, closingBalances } from "@/server/domain/balance-days";
import { addDays, dayAt, dayStarts, daysBetween } from "@/server/domain/days";
import { ServiceError } from "@/server/domain/errors";
import type { Scope } from "@/server/domain/scope";
import type { WalletAccount } from "@/server/domain/statement";
import { merchantClock } from "../merchants/settings";

export interface AccountOfWallet {
  readonly scope: Scope;
  readonly currency: string;
  readonly account: WalletAccount;
}

/**
 * Returns the last `count` days in the zone, an IANA name, including today by the scope's clock, oldest first. Throws
 * not_found if the merchant has no such wallet.
 */
export async function readBalanceDays(
  { scope, currency, account: kind }: AccountOfWallet,
  count: number,
  zone: string,
): Promise<readonly BalanceDay[]> {
  const to = dayAt((await merchantClock(scope))(), zone);
  const from = addDays(to, 1 - count);
  const booked = await sumBetween({ scope, currency, kind }, dayStarts(from, to, zone));
  if (!booked) throw new ServiceError("not_found", "The merchant has no such wallet.");
  return closingBalances(daysBetween(from, to), booked.amounts, booked.balance);
}
