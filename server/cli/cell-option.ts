import { optional } from "./command";

/** For a command whose other options do not name the cell. */
export const CELL_OPTION = optional("NAME", "the cell, of those that `cells list` shows; main if omitted");
