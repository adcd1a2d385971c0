// Rates and latencies of requests, by route. Routes are templates: no path of a caller becomes a label.
import { counter, durations } from "@/server/platform/metrics/instruments";

const countRequest = counter({
  name: "sluice_http_requests_total",
  help: "Answered requests. Status 499: the caller left before the answer.",
  labelNames: ["method", "route", "status"],
});

const timeRequest = durations({
  name: "sluice_http_request_duration_seconds",
  help: "Time until the answer was ready (API) or sent (pages). Event streams are not included.",
  labelNames: ["method", "route"],
  buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
});

/** The route of requests for paths that do not exist. */
export const UNKNOWN_ROUTE = "unknown";
/** The route of requests that the host rejects before they reach a route. */
export const REFUSED_ROUTE = "refused";

const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

export interface MeasuredRequest {
  readonly method: string;
  /** A template such as `/v1/payment_intents/:id`. */
  readonly route: string;
  readonly status: number;
  /** Null if the time means nothing, as that of an event stream. */
  readonly ms: number | null;
}

/** Records one request. */
export function measureRequest({ method, route, status, ms }: MeasuredRequest): void {
  const labels = { method: METHODS.has(method) ? method : "other", route };
  countRequest({ ...labels, status: String(status) });
  if (ms !== null) timeRequest(labels, ms);
}

const PAGE_ROUTES: readonly (readonly [begins: RegExp, route: string])[] = [
  [/^\/(?:_next\/|icon\.svg)/, "files"],
  [/^\/api\/trpc\//, "/api/trpc"],
  [/^\/api\/auth\//, "/api/auth"],
  [/^\/api\/export\//, "/api/export"],
  [/^\/api\//, "/api"],
  [/^\/pay\//, "/pay/:id"],
  [/^\/docs(?:[/?]|$)/, "/docs"],
];

/** Returns the route of a request that Next answers. */
export function pageRoute(url: string): string {
  return PAGE_ROUTES.find(([begins]) => begins.test(url))?.[1] ?? "pages";
}
