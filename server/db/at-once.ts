/**
 * SQL for the present instant, never later than it: columns of instants round to ms, and half of all `now()` would lie a
 * little ahead, so that a look that follows at once would miss what it came for.
 */
export const AT_ONCE = "date_trunc('milliseconds', now())";
