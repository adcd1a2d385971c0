// Where the work of a session runs: in the cell that it was opened in, for its merchant.
import { type Cell, cellOfTag, inCell } from "@/server/platform/cell";
import { tagOfId } from "@/server/platform/ids";
import { withinMerchant } from "@/server/platform/reach";

/** Identifies a session; encrypted in the browser's cookie. */
export interface SessionKey {
  readonly merchantId: string;
  readonly sessionId: string;
}

/** The cell that the session was opened in, by the tag of its id. */
export function cellOfSession({ sessionId }: SessionKey): Cell {
  return cellOfTag(tagOfId(sessionId));
}

/** Runs work of a session, in its cell and for its merchant only. Throws OutOfCell and OutOfReach in the work of another. */
export function withinSession<Result>(session: SessionKey, work: () => Result): Result {
  return inCell(cellOfSession(session), () => withinMerchant(session.merchantId, work));
}
