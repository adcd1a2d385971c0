// The input of a round of the database limit, for either program.
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

/** The server accepts 100 in total, and more would only slow it down. */
const MOST_CONNECTIONS = 40;

/** The number of connections that the limit uses for a load with this many. */
export function limitLanes(connections: number): number {
  return Math.min(connections, MOST_CONNECTIONS);
}
