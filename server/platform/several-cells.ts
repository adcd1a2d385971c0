/**
 * False while some requests do not find the cell of their merchant: then a configuration with several cells is refused.
 * docs/decisions/0079 says what is missing.
 */
export const SEVERAL_CELLS_ARE_SERVED: boolean = false;
