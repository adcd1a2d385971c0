// Reads a whole list page by page while others write: what was there before comes once.
import type { Answer } from "../../support/api";

interface Page {
  readonly data: readonly { readonly id: string; readonly status: string }[];
  readonly next_cursor: string | null;
}

/** A row of a list. */
export interface Listed {
  readonly id: string;
  readonly status: string;
  /** When its page was asked for, in ms. */
  readonly since: number;
}

/** A list would have to be this long to need so many pages. */
const MOST_PAGES = 1_000;

/**
 * Walks the list at `path`, which has a query. `get` sends a request until its answer is definite; it returns null without one,
 * with the time in ms at which the last attempt began. Returns the rows in their order, and what was wrong with the pages.
 */
export async function walkList(
  get: (path: string) => Promise<{ readonly answer: Answer | null; readonly since: number }>,
  path: string,
): Promise<{ readonly rows: readonly Listed[]; readonly problems: readonly string[] }> {
  const rows: Listed[] = [];
  let cursor = "";
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const { answer, since } = await get(`${path}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
    // Whoever sent it complains about a missing answer.
    if (!answer) return { rows, problems: ["a walk did not come to its end"] };
    if (answer.status !== 200) return { rows, problems: [`a page was answered ${answer.status}: ${answer.text}`] };
    const { data, next_cursor } = answer.body as Page;
    rows.push(...data.map(({ id, status }) => ({ id, status, since })));
    if (next_cursor === null) return { rows, problems: [] };
    cursor = next_cursor;
  }
  return { rows, problems: ["a walk did not end"] };
}

/** What is wrong with the ids that a walk has met: one that was there before it began is missing, or any comes twice. */
export function complaintsAboutWalk(before: readonly string[], met: readonly string[]): string[] {
  const times = new Map<string, number>();
  for (const id of met) times.set(id, (times.get(id) ?? 0) + 1);
  return [
    ...before.filter((id) => !times.has(id)).map((id) => `a walk left out ${id}`),
    ...[...times].filter(([, count]) => count > 1).map(([id, count]) => `a walk met ${id} ${count} times`),
  ];
}
