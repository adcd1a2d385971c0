// The procedures on the member's own saved views of the lists of intents.
import { z } from "zod";
import { renameViewBody, saveViewBody, viewsOfList } from "@/server/contract/saved-views";
import { viewQuery } from "@/server/domain/saved-view";
import type { CallContext } from "@/server/domain/scope";
import { removeSavedView, renameSavedView, savedViews, saveView } from "@/server/services/members/saved-views";
import { readListAddress } from "./list-address";
import { memberProcedure, router } from "./procedures";

/** Members who may read the lists may save views of them. */
const own = memberProcedure("read_intents");

function ownerOf({ scope, actor }: CallContext) {
  return { ...scope, memberId: actor.id };
}

/** Only its query is used. */
function addressWith(query: string): URL {
  const url = new URL("http://list.invalid/");
  url.search = query;
  return url;
}

export const savedViewsRouter = router({
  list: own.input(viewsOfList).query(({ ctx: { call }, input: { list } }) => savedViews({ ...ownerOf(call), list })),

  /** Stores the query in normalized form: the list's parameters without the position. */
  save: own.input(saveViewBody).mutation(({ ctx: { call }, input: { list, name, query } }) => {
    const stored = viewQuery({ ...readListAddress(list, addressWith(query)) });
    return saveView({ ...ownerOf(call), list }, { name, query: stored });
  }),

  rename: own
    .input(renameViewBody)
    .mutation(({ ctx: { call }, input: { id, name } }) => renameSavedView(ownerOf(call), id, name)),

  remove: own.input(z.object({ id: z.string().max(64) })).mutation(async ({ ctx: { call }, input: { id } }) => {
    await removeSavedView(ownerOf(call), id);
    return { id };
  }),
});
