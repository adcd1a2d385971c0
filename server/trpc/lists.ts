// What the procedures of every list of intents share: their inputs, and the form of a watched list.
import { z } from "zod";
import { parseInstant } from "@/server/contract/instants";
import type { ListUpdate } from "@/server/services/intents/watch";
import type { PagePosition } from "@/server/services/page";

/** The newest row on the screen, and the rows to watch for changes. */
export const shownInput = z.object({
  newest: z.object({ id: z.string().max(64), created_at: z.string().max(64) }).nullable(),
  ids: z.array(z.string().max(64)).max(100),
});

type ShownInput = z.output<typeof shownInput>;

/** The position of the newest row; null for an empty list. */
export function positionOf({ newest }: ShownInput): PagePosition | null {
  const createdAt = newest && parseInstant(newest.created_at);
  return createdAt ? { createdAt, id: newest.id } : null;
}

/** Presents a watched list with its intents. */
export function presentWatched<Intent, Resource>(watched: ListUpdate<Intent>, intents: readonly Resource[]) {
  return { counts: watched.counts && Object.fromEntries(watched.counts), newer: watched.newer, intents };
}
