// The event catalogue in the dashboard: as GET /webhook_events returns it (interface §4.6), the schema of each
// message, and the code that verifies it.
import { z } from "zod";
import { messageSchema } from "@/server/contract/event-messages";
import { EVENT_CATALOGUE_BODY } from "@/server/contract/events";
import { EVENT_TYPES } from "@/server/domain/events";
import { verificationSnippets } from "@/server/http/guides/verification";
import { memberProcedure, router } from "./procedures";

const read = memberProcedure("read_catalogue");
const named = z.object({ type: z.enum(EVENT_TYPES) });

export const webhookEventsRouter = router({
  list: read.query(() => EVENT_CATALOGUE_BODY),

  /** Code that verifies messages, by language. */
  verification: read.query(() => verificationSnippets()),

  /** The JSON schema of the type's message, as text. */
  schema: read.input(named).query(({ input }) => JSON.stringify(messageSchema(input.type), null, 2)),
});
