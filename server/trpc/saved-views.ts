// Owns the procedures on the views that a member keeps of the lists of intents: their own, and nobody else's.
import { z } from "zod";
import { renameViewBody, saveViewBody, viewsOfList } from "@/server/contract/saved-views";
import { viewQuery } from "@/server/domain/saved-view";
import type { CallContext } from "@/server/domain/scope";
import { removeSavedView, renameSavedView, savedViews, saveView } from "@/server/services/members/saved-views";
import { readListAddress } from "./list-address";
import { memberProcedure, router } from "./procedures";

/** Who sees the lists may keep views of them. */
const own = memberProcedure("read_intents");

function ownerOf({ scope, actor }: CallContext) {
  return { ...scope, memberId: actor.id };
}

/** Only the query of it is read. */
function addressWith(query: string): URL {
  const url = new URL("http://list.invalid/");
  url.search = query;
  return url;
}

export const savedViewsRouter = router({
  list: own.input(viewsOfList).query(({ ctx: { call }, input: { list } }) => savedViews({ ...ownerOf(call), list })),

  /** With the query as it is kept: what the list's address may say, in its one form, without a place in the list. */
  save: own.input(saveViewBody).mutation(({ ctx: { call }, input: { list, name, query } }) => {
    const kept = viewQuery({ ...readListAddress(list, addressWith(query)) });
    return saveView({ ...ownerOf(call), list }, { name, query: kept });
  }),

  rename: own
    .input(renameViewBody)
    .mutation(({ ctx: { call }, input: { id, name } }) => renameSavedView(ownerOf(call), id, name)),

  remove: own.input(z.object({ id: z.string().max(64) })).mutation(async ({ ctx: { call }, input: { id } }) => {
    await removeSavedView(ownerOf(call), id);
    return { id };
  }),
});
