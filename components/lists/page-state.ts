interface PageQuery {
  readonly data: { readonly data: readonly unknown[]; readonly next_cursor: string | null } | undefined;
  readonly error: unknown;
  readonly isPlaceholderData: boolean;
  refetch(): Promise<unknown>;
}

export interface PageState {
  /** The number of rows; undefined until the first answer. */
  readonly rows: number | undefined;
  readonly error: unknown;
  /** True while the rows of the previous filters are still shown. */
  readonly isStale: boolean;
  readonly nextCursor: string | null | undefined;
  /** Fetches the rows again. */
  readonly onRead: () => void;
}

/** The state of a page that is fetched once and not watched. */
export function pageState({ data, error, isPlaceholderData, refetch }: PageQuery): PageState {
  return {
    rows: data?.data.length,
    error,
    isStale: isPlaceholderData,
    nextCursor: data?.next_cursor,
    onRead: () => void refetch(),
  };
}
