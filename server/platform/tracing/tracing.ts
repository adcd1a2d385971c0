// Spans of requests, commits, calls to providers and deliveries; docs/monitoring.md lists them. Without the variables of
// OpenTelemetry, work runs as if this file was not there: `otlp.ts` and its packages are not even loaded.

/** All that a span may say. Nothing here is a secret, an account number or a body. */
interface Attributes {
  readonly "http.request.method"?: string;
  readonly "http.route"?: string;
  readonly "http.response.status_code"?: number;
  readonly "sluice.request_id"?: string;
  readonly "sluice.merchant_id"?: string;
  readonly "sluice.environment"?: string;
  readonly "sluice.intent_id"?: string;
  /** The change and its trigger, such as `payout_intent.approve`. */
  readonly "sluice.action"?: string;
  readonly "sluice.status"?: string;
  readonly "sluice.verdict"?: string;
  readonly "sluice.provider"?: string;
  readonly "sluice.provider_call"?: string;
  readonly "sluice.outcome"?: string;
  readonly "sluice.event_id"?: string;
  readonly "sluice.event_type"?: string;
  readonly "sluice.endpoint_id"?: string;
  readonly "sluice.delivery_id"?: string;
  /** Of a delivery, the number of this attempt, from 1. */
  readonly "sluice.attempt"?: number;
}

/** What is known of a span when its work begins. */
export interface SpanStart {
  readonly name: string;
  readonly kind: "server" | "client" | "producer" | "consumer" | "internal";
  readonly attributes: Attributes;
  /** True if the work creates the intent of its trace. */
  readonly isFirst?: boolean;
}

/** What is known when it has ended. */
export interface SpanEnd {
  readonly attributes?: Attributes;
  /** A short name of what failed; absent if nothing did. */
  readonly error?: string | undefined;
}

/** A request's span is described when it has ended. */
export type RequestSpan = SpanStart & SpanEnd;

/** What `otlp.ts` does; the functions below say the same. */
export interface Tracer {
  request<Result>(work: () => Promise<Result>, describe: (result: Result) => RequestSpan | null): Promise<Result>;
  beginIntent(intentId: string): void;
  withinIntent<Result>(intentId: string, work: () => Result): Result;
  span<Result>(start: SpanStart, work: () => Promise<Result>, conclude: (result: Result) => SpanEnd): Promise<Result>;
  stop(): Promise<void>;
}

/** Next's bundles and the custom server are separate module graphs; they share state through globalThis. */
const shared = globalThis as typeof globalThis & { sluiceTracer?: Tracer };

/** Sets the tracer of this process; null ends tracing. Returns the former one. */
export function setTracer(tracer: Tracer | null): Tracer | null {
  const former = shared.sluiceTracer ?? null;
  if (tracer) shared.sluiceTracer = tracer;
  else delete shared.sluiceTracer;
  return former;
}

/** True if spans are exported. */
export function isTraced(): boolean {
  return shared.sluiceTracer !== undefined;
}

/**
 * Runs the work of a request. Its span joins the trace of the first intent that the request creates or changes, or is a
 * trace of its own. Null from `describe` exports nothing.
 */
export function traceRequest<Result>(
  work: () => Promise<Result>,
  describe: (result: Result) => RequestSpan | null,
): Promise<Result> {
  return shared.sluiceTracer?.request(work, describe) ?? work();
}

/** States that the running request creates this intent, before anything is done for it. */
export function traceCreationOf(intentId: string): void {
  shared.sluiceTracer?.beginIntent(intentId);
}

/** Runs work whose spans belong to the trace of this intent. */
export function withinIntentTrace<Result>(intentId: string, work: () => Result): Result {
  return shared.sluiceTracer ? shared.sluiceTracer.withinIntent(intentId, work) : work();
}

/** Runs work that is a span. */
export function traced<Result>(
  start: () => SpanStart,
  work: () => Promise<Result>,
  conclude: (result: Result) => SpanEnd = () => ({}),
): Promise<Result> {
  return shared.sluiceTracer ? shared.sluiceTracer.span(start(), work, conclude) : work();
}
