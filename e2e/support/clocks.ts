// Owns how far apart two clocks of a run may be.

/**
 * In ms. Each process of the service follows the database's clock, known to within a round trip on a busy machine; a spec
 * has its own machine's.
 */
export const CLOCKS_DIFFER_MS = 1_000;
