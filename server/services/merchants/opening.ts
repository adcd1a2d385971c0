import type { Booking } from "@/server/db/commit/book-within";
import { walletFunding } from "@/server/domain/ledger";
import { fromMajorUnits } from "@/server/domain/money";
import { operatorContext } from "./operator";

/** Opening balance of each test wallet, in major units, so that a first payout works. */
const TEST_FUNDS = 1_000_000n;

/** The booking that a new test wallet starts with. */
export function openingOf(merchantId: string, currency: string): Booking {
  return {
    transaction: walletFunding(`opening:${currency}`, currency, fromMajorUnits(TEST_FUNDS, currency)),
    objectId: `wallet:${currency}`,
    effects: { context: operatorContext(merchantId, "test"), action: "wallet.fund" },
  };
}
