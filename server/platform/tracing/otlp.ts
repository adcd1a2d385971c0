// Exports spans by OpenTelemetry's SDK. Imported only if the operator has configured it.
import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import {
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type IdGenerator,
  RandomIdGenerator,
  type SpanExporter,
  TraceIdRatioBasedSampler,
} from "@opentelemetry/sdk-trace-base";
import { log } from "../log";
import type { TracingSetting } from "./setting";
import { firstSpanOf, type SpanIds } from "./trace-ids";
import type { SpanEnd, SpanStart, Tracer } from "./tracing";

const STOPS_WITHIN_MS = 2_000;
const WARNS_EVERY_MS = 60_000;

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const satisfies Record<SpanStart["kind"], SpanKind>;

/** Where running work is: the span that its spans are children of. */
interface Place extends SpanIds {
  readonly kind: "span";
  /** True if the place is an intent's trace, and none of its spans. */
  readonly isTop?: boolean;
  /** The span that led here from another trace. */
  readonly from?: SpanIds | undefined;
}

/** A request, whose trace is decided by the first intent that it touches. Its span is written when it ends. */
interface RequestPlace {
  readonly kind: "request";
  ids: SpanIds | null;
  /** The span above, if the request did not begin its trace. */
  parentId: string | null;
}

/** What a span hangs on. */
interface Above {
  readonly parent: SpanIds | null;
  readonly from?: SpanIds | undefined;
}

/** Gives the next span chosen ids, if any. Creating a span is synchronous. */
class ChosenIds implements IdGenerator {
  private readonly random = new RandomIdGenerator();
  private next: SpanIds | null = null;

  generateSpanId = (): string => this.next?.spanId ?? this.random.generateSpanId();
  generateTraceId = (): string => this.next?.traceId ?? this.random.generateTraceId();

  draw(): SpanIds {
    return { traceId: this.random.generateTraceId(), spanId: this.random.generateSpanId() };
  }

  use<Result>(ids: SpanIds, create: () => Result): Result {
    this.next = ids;
    try {
      return create();
    } finally {
      this.next = null;
    }
  }
}

const contextOf = ({ traceId, spanId }: SpanIds): SpanContext => ({
  traceId,
  spanId,
  traceFlags: TraceFlags.SAMPLED,
  isRemote: true,
});

/** Logs failures of the exporter, once a minute at most: spans are lost then, and nothing else. */
function reporting(exporter: SpanExporter): SpanExporter {
  let quietUntil = 0;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.error && performance.now() >= quietUntil) {
          quietUntil = performance.now() + WARNS_EVERY_MS;
          log().warn({ err: result.error, spans: spans.length }, "spans could not be exported and are lost");
        }
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}

/** Creates the tracer of a process, a `web` process or a `worker`. `exporter` is a test's to choose. */
export function createTracer(
  { ratio }: TracingSetting,
  role: string,
  exporter: SpanExporter = new OTLPTraceExporter(),
): Tracer {
  const places = new AsyncLocalStorage<Place | RequestPlace>();
  const ids = new ChosenIds();
  const own = resourceFromAttributes({ "service.name": "sluice", "sluice.process": role, "process.pid": process.pid });
  const provider = new BasicTracerProvider({
    sampler: new TraceIdRatioBasedSampler(ratio),
    idGenerator: ids,
    resource: defaultResource()
      .merge(own)
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(reporting(exporter))],
  });
  const tracer = provider.getTracer("sluice");

  function open(start: SpanStart, own: SpanIds, above: Above, startedAt?: number): Span {
    const { name, kind, attributes } = start;
    const context = above.parent ? trace.setSpanContext(ROOT_CONTEXT, contextOf(above.parent)) : ROOT_CONTEXT;
    const links = above.from ? [{ context: contextOf(above.from) }] : [];
    const options = {
      kind: KINDS[kind],
      attributes: { ...attributes },
      links,
      ...(startedAt !== undefined && { startTime: startedAt }),
    };
    return ids.use(own, () => tracer.startSpan(name, options, context));
  }

  /** The place of the running work. A request that nobody has bound to an intent gets a trace of its own. */
  function here(): Place | null {
    const place = places.getStore();
    if (place?.kind !== "request") return place ?? null;
    place.ids ??= ids.draw();
    return { kind: "span", ...place.ids };
  }

  return {
    async request(work, describe) {
      const place: RequestPlace = { kind: "request", ids: null, parentId: null };
      const [startedAt, begunAt] = [Date.now(), performance.now()];
      const result = await places.run(place, work);
      const described = describe(result);
      if (!described) return result;
      const own = place.ids ?? ids.draw();
      const parent = place.parentId === null ? null : { traceId: own.traceId, spanId: place.parentId };
      close(open(described, own, { parent }, startedAt), described, startedAt + performance.now() - begunAt);
      return result;
    },

    beginIntent(intentId) {
      const place = places.getStore();
      if (place?.kind === "request") place.ids ??= firstSpanOf(intentId);
    },

    withinIntent(intentId, work) {
      const first = firstSpanOf(intentId);
      if (!first) return work();
      const place = places.getStore();
      if (place?.kind === "request" && place.ids === null) {
        place.ids = { traceId: first.traceId, spanId: ids.draw().spanId };
        place.parentId = first.spanId;
      }
      const from = here();
      if (from?.traceId === first.traceId) return work();
      return places.run({ kind: "span", ...first, isTop: true, from: from ?? undefined }, work);
    },

    async span(start, work, conclude) {
      const place = here();
      const { traceId, spanId } = ids.draw();
      // A request that creates one intent is its first span itself; of several, or outside of requests, the commits are.
      const isFirst = start.isFirst === true && place?.isTop === true;
      const own = isFirst ? place : { traceId: place?.traceId ?? traceId, spanId };
      const span = open(start, own, { parent: isFirst ? null : place, from: place?.from });
      try {
        const result = await places.run({ kind: "span", traceId: own.traceId, spanId: own.spanId }, work);
        close(span, conclude(result));
        return result;
      } catch (error) {
        // Its message may contain what a span must not.
        close(span, { error: error instanceof Error ? error.name : "error" });
        throw error;
      }
    },

    async stop() {
      const timer = new AbortController();
      const late = sleep(STOPS_WITHIN_MS, undefined, { signal: timer.signal }).catch(() => undefined);
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
      timer.abort();
    },
  };
}

/** Ends the span, `at` a time in ms since 1970 or now. */
function close(span: Span, { attributes, error }: SpanEnd, at?: number): void {
  if (attributes) span.setAttributes({ ...attributes });
  if (error !== undefined) {
    span.setAttribute("error.type", error);
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end(at);
}
