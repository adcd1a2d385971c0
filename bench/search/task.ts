// What the bench's own process does for the search: it calls the service's functions, as the dashboard and the worker do.
interface Access {
  readonly databaseUrl: string;
  readonly secretsFile: string;
}

export interface SearchTask extends Access {
  readonly kind: "search";
  /** They take turns. */
  readonly merchantIds: readonly string[];
  /** What is typed, by the name of the figure. */
  readonly texts: Readonly<Record<string, string>>;
  readonly times: number;
}

/** Links the waiting entries to the audit chains, or fills the search table behind them, until nothing is left. */
export interface FollowTask extends Access {
  readonly kind: "link" | "fill";
}

/** By text, the median milliseconds and the number of payments found, in the order of the merchants. */
export type SearchTimes = Readonly<Record<string, readonly { readonly ms: number; readonly found: number }[]>>;

export interface FollowCost {
  /** User and system CPU seconds of this process for the work, without Postgres. */
  readonly cpuSeconds: number;
}
