/** What a test has said before the process's first module, for a whole service. */
const { sluiceServesSeveralCells: said } = globalThis as typeof globalThis & { sluiceServesSeveralCells?: boolean };

/**
 * False while some requests do not find the cell of their merchant: then a configuration with several cells is refused.
 * docs/decisions/0079 says what is missing.
 */
export const SEVERAL_CELLS_ARE_SERVED: boolean = said ?? false;
