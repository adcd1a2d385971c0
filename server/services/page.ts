export type { PagePosition } from "@/server/db/intents/store";

/** A page of a list. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

/** The page that rows make, of which one more than `limit` was read to know whether there are more. */
export function pageOfRows<Row>(rows: readonly Row[], limit: number): Page<Row> {
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
}
