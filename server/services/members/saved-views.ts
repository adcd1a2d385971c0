// A member's saved views of a list. They are private to the member.
import { deleteView, findViews, insertView, renameView, type ViewOwner } from "@/server/db/saved-views";
import { notFoundError, ServiceError, validationError } from "@/server/domain/errors";
import {
  LONGEST_VIEW_NAME,
  LONGEST_VIEW_QUERY,
  MAXIMUM_VIEWS,
  type SavedView,
  type ViewShelf,
  viewNameKey,
} from "@/server/domain/saved-view";
import { isId, newId } from "@/server/platform/ids";

/** Lists the member's views of one list, sorted by name. */
export function savedViews(shelf: ViewShelf): Promise<SavedView[]> {
  return findViews(shelf);
}

/**
 * Saves the normalized query string of a list under a name. Throws validation_failed for a name that is empty, too long
 * or taken (ignoring case), for a query that is too long, and if the member already has fifty views.
 */
export async function saveView(
  shelf: ViewShelf,
  { name, query }: { readonly name: string; readonly query: string },
): Promise<SavedView> {
  requireName(name);
  if (query.length > LONGEST_VIEW_QUERY)
    throw validationError("query", `must have at most ${LONGEST_VIEW_QUERY} characters`);
  const view = { id: newId("savedView"), name, nameKey: viewNameKey(name), query };
  const stored = await insertView(shelf, view, MAXIMUM_VIEWS);
  if (stored === "full") throw new ServiceError("validation_failed", fullText(shelf));
  if (stored === "taken") throw taken();
  return stored;
}

/** Renames a view. Throws not_found if the owner has no such view, otherwise as `saveView` does. */
export async function renameSavedView(owner: ViewOwner, id: string, name: string): Promise<SavedView> {
  requireName(name);
  const stored = isId("savedView", id) ? await renameView(owner, id, { name, nameKey: viewNameKey(name) }) : null;
  if (stored === null) throw notFoundError();
  if (stored === "taken") throw taken();
  return stored;
}

/** Deletes a view. Throws not_found if the owner has no such view. */
export async function removeSavedView(owner: ViewOwner, id: string): Promise<void> {
  if (!isId("savedView", id) || !(await deleteView(owner, id))) throw notFoundError();
}

function requireName(name: string): void {
  const { length } = [...name];
  if (length === 0 || length > LONGEST_VIEW_NAME || name.trim() !== name)
    throw validationError("name", `must have 1 to ${LONGEST_VIEW_NAME} characters`);
}

function taken(): ServiceError {
  return validationError("name", "is the name of another of your views of this list");
}

function fullText({ list }: ViewShelf): string {
  return `list ${list} already has ${MAXIMUM_VIEWS} of your views: delete one first`;
}
