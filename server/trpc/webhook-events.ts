// Owns the dashboard's view of the event catalogue, the very one that GET /webhook_events gives (interface §4.6).
import { EVENT_CATALOGUE_BODY } from "@/server/contract/events";
import { memberProcedure, router } from "./procedures";

export const webhookEventsRouter = router({
  list: memberProcedure("read_catalogue").query(() => EVENT_CATALOGUE_BODY),
});
