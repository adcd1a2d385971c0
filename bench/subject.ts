// The seeded payments that are read, and the position of the deep page of a list.
import type { Stage } from "./stage";

/** Number of 25-row pages before the deep one. */
export const DEEP_PAGES = 1_000;
const ROWS_BEFORE_DEEP_PAGE = DEEP_PAGES * 25;
const LARGEST_PAGE = 100;

export interface Subject {
  readonly ids: readonly string[];
  /** The last row of page 1,000. */
  readonly deep: { readonly createdAt: string; readonly id: string };
}

export async function chooseSubject({ database, reader }: Stage): Promise<Subject> {
  const order = "ORDER BY created_at DESC, id DESC";
  const rows = await database.query<{ id: string }>(
    `SELECT id FROM payment_intent WHERE merchant_id = $1 ${order} LIMIT 1000`,
    reader.id,
  );
  const [deep] = await database.query<{ id: string; created_at: Date }>(
    `SELECT id, created_at FROM payment_intent WHERE merchant_id = $1 ${order} OFFSET ${ROWS_BEFORE_DEEP_PAGE - 1} LIMIT 1`,
    reader.id,
  );
  if (!deep) throw new Error("too few payments were seeded");
  return { ids: rows.map(({ id }) => id), deep: { createdAt: deep.created_at.toISOString(), id: deep.id } };
}

/** Pages through 1,000 pages as a client would, 100 rows at a time; returns null if the list ends earlier. */
export async function walkToDeepCursor(listUrl: string, authorization: string): Promise<string | null> {
  const url = new URL(listUrl);
  url.searchParams.set("limit", String(LARGEST_PAGE));
  for (let seen = 0; seen < ROWS_BEFORE_DEEP_PAGE; seen += LARGEST_PAGE) {
    const response = await fetch(url, { headers: { authorization }, signal: AbortSignal.timeout(30_000) });
    if (response.status !== 200)
      throw new Error(`a page of ${url.pathname}${url.search} was answered ${response.status}`);
    const { next_cursor: cursor } = (await response.json()) as { next_cursor: string | null };
    if (cursor === null) return null;
    url.searchParams.set("cursor", cursor);
  }
  return url.searchParams.get("cursor");
}
