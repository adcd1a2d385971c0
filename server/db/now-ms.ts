/**
 * SQL for the current time, rounded down to ms. Columns of instants round to the nearest ms, so half of all `now()` would lie
 * ahead, and a poll that follows immediately would miss the row.
 */
export const NOW_MS = "date_trunc('milliseconds', now())";
