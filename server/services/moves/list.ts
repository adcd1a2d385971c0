import { listMovesAcrossMerchants, type MoveRecord } from "@/server/db/moves/record";
import { allCells, inCell } from "@/server/platform/cell";

export type { MoveRecord } from "@/server/db/moves/record";

const SHOWN = 100;

/** The open moves of merchants, then the newest, at most 100. */
export function listMoves(): Promise<MoveRecord[]> {
  return inCell(allCells()[0], () => listMovesAcrossMerchants(SHOWN));
}
