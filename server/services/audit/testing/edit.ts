/** One planted edit; in its statements `$1` is a seed text that picks the rows. */
export interface RowEdit {
  readonly name: string;
  readonly statements: readonly string[];
}

/** Returns a subquery for the row that the seed picks among those that match the condition. */
export function pick(columns: string, from: string, condition = "true"): string {
  return `(SELECT ${columns} FROM ${from} WHERE ${condition} ORDER BY md5(ctid::text || $1) LIMIT 1)`;
}

export const onPicked = (table: string, condition?: string) => `ctid = ${pick("ctid", table, condition)}`;

export const edit = (name: string, ...statements: string[]): RowEdit => ({ name, statements });

/** Returns an edit that changes a column of a picked row. */
export function column(table: string, name: string, value: string, condition = "true"): RowEdit {
  const assignment = `UPDATE ${table} SET ${name} = ${value} WHERE ${onPicked(table, condition)}`;
  return edit(`${table}.${name} := ${value}`, assignment);
}
