// Owns showing each row as it was last heard of, in the place where it was first shown.

export interface Row {
  readonly id: string;
  readonly updated_at: string;
}

/** The rows in their order, each in the newest state that any of the later readings gives; of equals the later one. */
export function newestStates<Resource extends Row>(
  rows: readonly Resource[],
  ...readings: readonly (readonly Resource[] | undefined)[]
): Resource[] {
  return rows.map((row) =>
    readings.reduce<Resource>((newest, reading) => {
      const found = reading?.find(({ id }) => id === row.id);
      return found && found.updated_at >= newest.updated_at ? found : newest;
    }, row),
  );
}

/** What a watched list is asked about: the rows in view, newest first, and the place of the first one. */
export function shownOf(rows: readonly { readonly id: string; readonly created_at: string }[] = []) {
  const [first] = rows;
  return {
    newest: first ? { id: first.id, created_at: first.created_at } : null,
    ids: rows.map(({ id }) => id),
  };
}
