// Owns what a round of the database limit is told, whichever program runs it.
import type { Position } from "../peer/payments";

export interface LimitTask {
  readonly url: string;
  readonly samplePath: string;
  readonly work: "statements" | "cte" | "read" | "list" | "deep";
  readonly connections: number;
  readonly seconds: number;
  readonly merchantId: string;
  readonly ids: readonly string[];
  readonly deep: Position;
}

/** The server takes 100 in all, and more of them only slow it down. */
const MOST_CONNECTIONS = 40;

/** How many connections the limit uses for a load of so many. */
export function limitLanes(connections: number): number {
  return Math.min(connections, MOST_CONNECTIONS);
}
