// When a pending delivery is due. One that waits is due at the merchant's time in `due_at`; one in flight is due when its
// claim expires, by the database's clock in `due_at`, so that no move of a test clock ends a claim.

/** SQL that is true if the pending delivery `row` is due while its merchant's clock is `ahead` of the database's. */
export function isDue(row: string, ahead: string): string {
  return `${row}.due_at <= now() + ${ahead} AND (NOT ${row}.in_flight OR ${row}.due_at <= now())`;
}

/** SQL for the database's time at which the pending delivery `row` is due, if the clock is not moved until then. */
export function dueAt(row: string, ahead: string): string {
  return `${row}.due_at - CASE WHEN ${row}.in_flight THEN interval '0' ELSE ${ahead} END`;
}
