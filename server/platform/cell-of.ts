// The cell that the name of an object leads to. A name of no cell leads to the first one, where it is unknown.
import { type Cell, cellOfTag } from "./cell";
import { tagOfReference } from "./dispatch-reference";
import { tagOfId } from "./ids";

/** The cell that made an id. */
export function cellOfId(id: string): Cell {
  return cellOfTag(tagOfId(id));
}

/** The cell whose object providers know by this reference. */
export function cellOfReference(reference: string): Cell {
  return cellOfTag(tagOfReference(reference));
}
