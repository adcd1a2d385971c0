// The dashboard's one stream: it signals that something has changed, and pages refetch what they show.
import { liveChanges, requireFreeStream } from "@/server/services/live-changes";
import { memberProcedure, router } from "./procedures";

/** For callers in this process, which pass no signal and end the iteration themselves. */
const NEVER_ABORTED = new AbortController().signal;

export const changesRouter = router({
  /** It carries no data, so that access is checked where the data is read. */
  stream: memberProcedure("read_intents").subscription(({ ctx: { session }, signal = NEVER_ABORTED }) => {
    requireFreeStream(session.sessionId);
    return liveChanges(session, signal);
  }),
});
