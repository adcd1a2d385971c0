// A collector of OTLP over HTTP in the spec's own process: it decodes the spans that services send it.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import { bytesIn, type Message, messagesIn, numberIn, readMessage } from "./protobuf";

export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first span of a trace. */
  readonly parentId: string;
  readonly name: string;
  /** Times in ns since 1970. */
  readonly start: bigint;
  readonly end: bigint;
  readonly isError: boolean;
  readonly attributes: Readonly<Record<string, string>>;
  /** The attributes of the process. */
  readonly resource: Readonly<Record<string, string>>;
}

export interface Collector {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  /** The bytes of all requests, as text of one byte each. */
  readonly raw: () => string;
  /** Requests that have arrived. */
  readonly requests: () => number;
  /** From now on: answer 200, answer 503, or never answer. */
  behave(as: "well" | "failing" | "silent"): void;
  stop(): Promise<void>;
}

// Numbers of fields, from opentelemetry/proto/trace/v1/trace.proto and common/v1/common.proto, release 1.7.
const REQUEST = { resourceSpans: 1 };
const RESOURCE_SPANS = { resource: 1, scopeSpans: 2 };
const RESOURCE = { attributes: 1 };
const SCOPE_SPANS = { spans: 2 };
const SPAN = { traceId: 1, spanId: 2, parentSpanId: 4, name: 5, start: 7, end: 8, attributes: 9, status: 15 };
const KEY_VALUE = { key: 1, value: 2 };
const ANY_VALUE = { text: 1, boolean: 2, integer: 3 };
const STATUS = { code: 3 };
const STATUS_ERROR = 2n;

function valueOf(value: Message | undefined): string {
  if (!value) return "";
  if (value.has(ANY_VALUE.text)) return bytesIn(value, ANY_VALUE.text).toString("utf8");
  return String(numberIn(value, value.has(ANY_VALUE.integer) ? ANY_VALUE.integer : ANY_VALUE.boolean));
}

function attributesIn(message: Message, field: number): Readonly<Record<string, string>> {
  const pairs = messagesIn(message, field).map((pair) => [
    bytesIn(pair, KEY_VALUE.key).toString("utf8"),
    valueOf(messagesIn(pair, KEY_VALUE.value)[0]),
  ]);
  return Object.fromEntries(pairs) as Record<string, string>;
}

function spansIn(body: Buffer): CollectedSpan[] {
  return messagesIn(readMessage(body), REQUEST.resourceSpans).flatMap((group) => {
    const [about] = messagesIn(group, RESOURCE_SPANS.resource);
    const resource = about ? attributesIn(about, RESOURCE.attributes) : {};
    const spans = messagesIn(group, RESOURCE_SPANS.scopeSpans).flatMap((scope) => messagesIn(scope, SCOPE_SPANS.spans));
    return spans.map((span) => ({
      traceId: bytesIn(span, SPAN.traceId).toString("hex"),
      spanId: bytesIn(span, SPAN.spanId).toString("hex"),
      parentId: bytesIn(span, SPAN.parentSpanId).toString("hex"),
      name: bytesIn(span, SPAN.name).toString("utf8"),
      start: numberIn(span, SPAN.start),
      end: numberIn(span, SPAN.end),
      isError: messagesIn(span, SPAN.status).some((status) => numberIn(status, STATUS.code) === STATUS_ERROR),
      attributes: attributesIn(span, SPAN.attributes),
      resource,
    }));
  });
}

/** Starts on a free port of 127.0.0.1. */
export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const bodies: Buffer[] = [];
  let behavior: "well" | "failing" | "silent" = "well";
  let requests = 0;
  const answer = (response: ServerResponse, path: string | undefined, body: Buffer) => {
    if (behavior === "silent") return;
    if (behavior === "failing") return response.writeHead(503).end();
    if (path !== "/v1/traces") return response.writeHead(404).end();
    bodies.push(body);
    spans.push(...spansIn(body));
    response.writeHead(200, { "content-type": "application/x-protobuf" }).end();
  };
  const server = createServer((request, response) => {
    requests += 1;
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const sent = Buffer.concat(chunks);
      answer(response, request.url, request.headers["content-encoding"] === "gzip" ? gunzipSync(sent) : sent);
    });
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    raw: () => Buffer.concat(bodies).toString("latin1"),
    requests: () => requests,
    behave(as) {
      behavior = as;
    },
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
