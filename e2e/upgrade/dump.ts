// Reads every row of a database as text, in the form of a recording.
import type { Database } from "../rest/database";

/** An upgrade cannot change the meaning of the API log. */
const LEFT_OUT: ReadonlySet<string> = new Set(["api_log"]);

/** Every row of every table: the table's name, a tab, and the row as JSON exactly as Postgres writes it. */
export async function dumpRows(database: Database): Promise<string[]> {
  const tables = await database.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY relname`,
  );
  const lines: string[] = [];
  for (const { name } of tables.filter((table) => !LEFT_OUT.has(table.name))) {
    const rows = await database.query<{ row: string }>(
      `SELECT row_to_json(t)::text AS row FROM "${name}" t ORDER BY 1`,
    );
    lines.push(...rows.map(({ row }) => `${name}\t${row}`));
  }
  return lines;
}
