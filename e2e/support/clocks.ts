/**
 * The maximum difference of two clocks of a run, in ms. Each process of the service follows the database clock to
 * within a round trip on a busy machine; a spec uses its own machine's clock.
 */
export const CLOCKS_DIFFER_MS = 1_000;
