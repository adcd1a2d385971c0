// Booking inside the caller's transaction, for entries that must commit together with other rows.
import type { LedgerTransaction } from "@/server/domain/ledger";
import type { Transaction } from "../transaction";
import { BOOKING_STATEMENT } from "./statement";
import { bookingUnit, type Effects } from "./unit";

export interface Booking {
  readonly transaction: LedgerTransaction;
  /** What the audit entry is about. */
  readonly objectId: string;
  readonly effects: Effects;
}

/** Books them all, with their audit entries, by one statement; whatever the database refuses fails the transaction. */
export async function bookWithin(transaction: Transaction, bookings: readonly Booking[], at: Date): Promise<void> {
  const units = bookings.map((booking, n) => ({
    n,
    ...bookingUnit(booking.transaction, booking.objectId, at, booking.effects),
  }));
  await transaction.query(BOOKING_STATEMENT.money, JSON.stringify(units));
}
