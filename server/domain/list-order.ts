// The orders that a list of intents can be read in.

/** By the time of creation, ids deciding between equals. */
export type ListOrder = "newest_first" | "oldest_first";

/** What `sort` may say in the dashboard; a list without it is newest first, as all of REST's are (interface §2.5). */
export const LIST_SORTS = ["created_at", "-created_at"] as const;

export type ListSort = (typeof LIST_SORTS)[number];

/** The order that a `sort` names. */
export function orderOf(sort: ListSort | undefined): ListOrder {
  return sort === "created_at" ? "oldest_first" : "newest_first";
}
