// One move of a merchant while a command works on it: its record, and connections to the cells that it touches.
import type { Owner } from "@/server/db/moves/owner";
import type { MoveRecord } from "@/server/db/moves/record";
import type { MovedTable } from "@/server/db/moves/shape";

/** Enough to undo it. */
export interface OpenMove {
  readonly record: MoveRecord;
  readonly merchantId: string;
  /** The old cell; the session has the move's lock. */
  readonly from: Owner;
  /** The new cell. */
  readonly to: Owner;
  /** The first cell, which has the record. */
  readonly home: Owner;
  readonly tables: readonly MovedTable[];
  /** Tells the operator how far it is. */
  readonly say: (line: string) => void;
}

export interface Move extends OpenMove {
  /** The number of the stay that begins in the new cell. */
  readonly stay: number;
}

/** The rows of a statement: some MB at most. */
export const ROWS_AT_ONCE = 1_000;

/** How long a merchant may be closed. Closing, leaving and the last checks take less while both cells answer. */
export const PAUSE_MS = 30_000;
