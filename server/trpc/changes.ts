// Owns the dashboard's one stream: word that something has changed, upon which a page asks again what it shows.
import { liveChanges } from "@/server/services/live-changes";
import { memberProcedure, router } from "./procedures";

/** Where nobody can say that they have stopped listening: a caller in this process, which ends the iteration itself. */
const NEVER_ABORTED = new AbortController().signal;

export const changesRouter = router({
  /** It carries no data, so that what a member may see is decided where it is read. */
  stream: memberProcedure("read_intents").subscription(({ ctx: { call }, signal = NEVER_ABORTED }) =>
    liveChanges(call.scope.merchantId, signal),
  ),
});
