// The event catalogue in the dashboard, the same as GET /webhook_events returns (interface §4.6).
import { EVENT_CATALOGUE_BODY } from "@/server/contract/events";
import { memberProcedure, router } from "./procedures";

export const webhookEventsRouter = router({
  list: memberProcedure("read_catalogue").query(() => EVENT_CATALOGUE_BODY),
});
