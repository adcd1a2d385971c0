// The choices of the filters of the dashboard's lists.
import { z } from "zod";
import { parseInstant } from "@/server/contract/instants";
import { createdBounds } from "@/server/contract/lists";
import { VIEW_LISTS } from "@/server/domain/saved-view";
import { filterChoices } from "@/server/services/intents/filter-choices";
import { COUNT_CAP } from "@/server/services/intents/watch";
import { memberProcedure, router } from "./procedures";

export const filterChoicesRouter = router({
  /** The values that rows of the list have, with their numbers of rows of the period; a count of `cap` means that or more. */
  list: memberProcedure("read_intents")
    .input(z.object({ list: z.enum(VIEW_LISTS), ...createdBounds }))
    .query(async ({ ctx: { call }, input: { list, created_after: after, created_before: before } }) => {
      const createdAfter = (after && parseInstant(after)) || undefined;
      const createdBefore = (before && parseInstant(before)) || undefined;
      return { choices: await filterChoices(list, call.scope, { createdAfter, createdBefore }), cap: COUNT_CAP };
    }),
});
