// The rows of a list of intents: fetched once, then each updated in place.
"use client";
import { keepPreviousData, type QueryKey, type UseQueryOptions, useQuery } from "@tanstack/react-query";
import type { ListOrder } from "@/server/domain/list-order";
import { usePollingInterval } from "../shell/live-changes";
import { newestStates, type Row, shownOf } from "./newest-state";

export interface ListedRow extends Row {
  readonly created_at: string;
}

interface PageOfRows<Listed> {
  readonly data: readonly Listed[];
  readonly next_cursor: string | null;
}

interface RowUpdates<Listed> {
  /** Status → number of rows that match the other filters; null if counting them would take long. */
  readonly counts: Readonly<Record<string, number>> | null;
  readonly newer: number;
  readonly intents: readonly Listed[];
}

type Options<Data, Failure, Key extends QueryKey> = UseQueryOptions<Data, Failure, Data, Key>;

interface Queries<Listed, Page extends PageOfRows<Listed>, Failure, Key extends QueryKey> {
  /** Fetches the page in view. */
  readonly page: Options<Page, Failure, Key>;
  /** Newest first by default. */
  readonly order?: ListOrder;
  /** Polls the state of the rows in view, and the list around them. */
  readonly updates: (shown: ReturnType<typeof shownOf>) => Options<RowUpdates<Listed>, Failure, Key>;
  /** Newer states of rows that this page changed itself. */
  readonly changed?: readonly Listed[];
}

export interface WatchedList<Listed> {
  /** Undefined until the first answer. */
  readonly rows: readonly Listed[] | undefined;
  readonly nextCursor: string | null | undefined;
  readonly counts: Readonly<Record<string, number>> | undefined;
  readonly newer: number;
  readonly error: unknown;
  /** True while the rows of the previous filters are still shown. */
  readonly isStale: boolean;
  readRows(): void;
  readNews(): void;
}

export function useWatchedList<
  Listed extends ListedRow,
  Page extends PageOfRows<Listed>,
  Failure,
  Key extends QueryKey,
>({ page, updates: news, order, changed = [] }: Queries<Listed, Page, Failure, Key>): WatchedList<Listed> {
  const pollingInterval = usePollingInterval();
  const list = useQuery({ ...page, placeholderData: keepPreviousData });
  const isStale = list.isPlaceholderData;
  const watch = useQuery({
    ...news(shownOf(list.data?.data, order)),
    enabled: list.isSuccess && !isStale,
    refetchInterval: pollingInterval,
    placeholderData: keepPreviousData,
  });
  return {
    rows: list.data && newestStates(list.data.data, changed, watch.data?.intents),
    nextCursor: list.data?.next_cursor,
    counts: watch.data?.counts ?? undefined,
    newer: isStale ? 0 : (watch.data?.newer ?? 0),
    error: list.error,
    isStale,
    readRows: () => void list.refetch(),
    readNews: () => void watch.refetch(),
  };
}
