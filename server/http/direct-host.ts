// The front of the production service: the route table answers directly, Next answers the rest, both within limits.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, BlockList } from "node:net";
import type { Duplex } from "node:stream";
import { clientAddress } from "@/server/platform/client-address";
import { log } from "@/server/platform/log";
import { hadOutageSince } from "@/server/services/outage";
import { DRAINING, malformed, methodNotAllowed, refuse, refuseConnection } from "./direct-host-refusals";
import type { ApiAnswer, ApiRequest } from "./exchange";
import { bodyOf, drainBody, headersOf } from "./incoming-message";
import { BODY_TOO_LARGE, limitBody, pageRefusal } from "./page-limits";
import { measureRequest, pageRoute, REFUSED_ROUTE } from "./request-metrics";
import { type Shape, shapeOf } from "./request-shape";
import { strictTransport } from "./strict-transport";

export interface FrontOptions {
  /** Networks of the proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: BlockList;
  readonly handle: (request: ApiRequest) => Promise<ApiAnswer>;
  readonly next: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** Closes a connection without progress after this time; 30 s by default. */
  readonly noProgressMs?: number;
}

export interface FrontServer {
  /** Accepts connections on `host` and resolves to the port; the system chooses one for 0. Rejects if it is taken. */
  listen(port: number, host: string): Promise<number>;
  /**
   * Stops accepting connections, answers new requests with 503, and waits up to `withinMs` for requests in progress.
   */
  drain(withinMs: number): Promise<void>;
}

/** A request for the route table, after its shape was checked. */
interface ApiMessage extends Pick<Shape, "target" | "duplicateHeaders"> {
  readonly request: IncomingMessage;
  /** The caller's address. */
  readonly address: string;
}

/**
 * A connection without progress for this long is closed: its reader is too slow. Longer than any request without
 * output; event streams ping every 15 s.
 */
const NO_PROGRESS_MS = 30_000;
const MAXIMUM_CONNECTIONS = 10_000;
/** Distributes long-lived connections over web processes again, and bounds what one connection can accumulate. */
const MAXIMUM_REQUESTS_PER_CONNECTION = 100_000;

const LIMITS = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
  /** Longer than the 60 s of usual load balancers, so that they close idle connections first. */
  keepAliveTimeout: 65_000,
  /** The shape check requires it instead, because that check can answer with the envelope. */
  requireHostHeader: false,
};

/** Every parser error answers 400: validation_failed is 400 everywhere. */
const PARSER_COMPLAINTS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: `The request's first line and headers are larger than ${LIMITS.maxHeaderSize} bytes.`,
  ERR_HTTP_REQUEST_TIMEOUT: "The request did not arrive in time.",
};

/** Has the route table answer, and writes the answer. */
async function answerApi(handle: FrontOptions["handle"], message: ApiMessage, response: ServerResponse): Promise<void> {
  const { request, target, duplicateHeaders, address } = message;
  const { status, headers, body } = await handle({
    method: request.method ?? "GET",
    target,
    headers: headersOf(request),
    peer: { address, duplicateHeaders },
    readBody: () => bodyOf(request),
  });
  response.writeHead(status, body === null ? headers : { "content-length": Buffer.byteLength(body), ...headers });
  response.end(body);
  if (!request.complete) drainBody(request);
}

/** Headers by which a caller could name another origin or address to Next. */
const FORWARDING_HEADERS = ["forwarded", "x-forwarded-host", "x-forwarded-port", "x-forwarded-proto", "x-real-ip"];

/** Replaces what the caller says about its address and origin, because Next believes it. */
function overwriteForwarding(request: IncomingMessage, address: string): void {
  for (const name of FORWARDING_HEADERS) delete request.headers[name];
  request.headers["x-forwarded-for"] = address;
}

/** Next answers 500 if it cannot render a page. If the database has failed meanwhile, a retry may succeed. */
function answerOutageWith503(response: ServerResponse): void {
  const startedAt = performance.now();
  const writeHead = response.writeHead.bind(response) as (...given: unknown[]) => ServerResponse;
  response.writeHead = ((status: number, ...more: unknown[]) => {
    const isOutage = status === 500 && hadOutageSince(startedAt);
    if (isOutage) response.setHeader("retry-after", "1");
    return writeHead(isOutage ? 503 : status, ...more);
  }) as typeof response.writeHead;
}

function onParserError(error: NodeJS.ErrnoException, socket: Duplex, answering: WeakMap<Duplex, ServerResponse>): void {
  const response = answering.get(socket);
  const isAnswered = response !== undefined && response.headersSent && !response.writableFinished;
  if (error.code === "ECONNRESET" || isAnswered) socket.destroy();
  else
    refuseConnection(socket, malformed(PARSER_COMPLAINTS[error.code ?? ""] ?? "The request is not well-formed HTTP."));
}

/** An event stream stays open for long. Its reader reconnects to a process that still accepts requests. */
function isEventStream(response: ServerResponse): boolean {
  return String(response.getHeader("content-type")).startsWith("text/event-stream");
}

const CALLER_LEFT = 499;

/** Measures an answer that the route table does not give, once it ends. */
function measureAnswer({ method = "" }: IncomingMessage, response: ServerResponse, route: string): void {
  const startedAt = performance.now();
  response.once("close", () => {
    const status = response.headersSent ? response.statusCode : CALLER_LEFT;
    const ms = isEventStream(response) ? null : performance.now() - startedAt;
    measureRequest({ method, route, status, ms });
  });
}

/** Creates the HTTP server, which does not listen yet. */
export function createFrontServer(options: FrontOptions): FrontServer {
  const { handle, next, trustedProxies, noProgressMs = NO_PROGRESS_MS } = options;
  /** The answer that each connection got last. */
  const answering = new WeakMap<Duplex, ServerResponse>();
  const connections = new Set<Duplex>();
  let draining = false;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    answering.set(request.socket, response);
    for (const [name, value] of Object.entries(strictTransport())) response.setHeader(name, value);
    const { isApi, refusal, duplicateHeaders, target } = shapeOf(request);
    if (draining || refusal) measureAnswer(request, response, REFUSED_ROUTE);
    else if (!isApi) measureAnswer(request, response, pageRoute(target));
    if (draining) return refuse(response, DRAINING);
    if (refusal) return refuse(response, refusal);
    const forwardedFor = headersOf(request).get("x-forwarded-for");
    const address = clientAddress(request.socket.remoteAddress ?? "", forwardedFor, trustedProxies);
    if (isApi) return answerApi(handle, { request, target, duplicateHeaders, address }, response);
    // Before anything is awaited: the body may arrive meanwhile.
    limitBody(request, () => (response.headersSent ? request.socket.destroy() : refuse(response, BODY_TOO_LARGE)));
    const pageFault = await pageRefusal(request, address);
    if (pageFault) return refuse(response, pageFault);
    if (response.headersSent) return;
    overwriteForwarding(request, address);
    answerOutageWith503(response);
    return next(request, response);
  }

  function begin(request: IncomingMessage, response: ServerResponse): void {
    serve(request, response).catch((error: unknown) => {
      log().error({ err: error }, "the host could not handle a request");
      if (response.headersSent) response.destroy();
      else refuse(response, { code: "internal_error", message: "Something went wrong on our side." });
    });
  }

  const server: Server = createServer(LIMITS, (request, response) => {
    // A request that was sent before the former answer was read waits for its turn on the connection: its answer could
    // not leave yet, and a client who reads nothing would make us prepare any number of them.
    if (response.socket) begin(request, response);
    else response.once("socket", () => begin(request, response));
  });
  // The 16 KiB limit bounds the headers. A limit on their number would silently drop the last ones.
  server.maxHeadersCount = 0;
  server.timeout = noProgressMs;
  server.maxConnections = MAXIMUM_CONNECTIONS;
  server.maxRequestsPerSocket = MAXIMUM_REQUESTS_PER_CONNECTION;
  server.on("connection", (socket) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
  });
  server.on("clientError", (error, socket) => onParserError(error, socket, answering));
  server.on("connect", (_request, socket: Duplex) => refuseConnection(socket, methodNotAllowed("GET, POST")));
  server.on("checkExpectation", (_request, response) =>
    refuse(response, malformed("Expect is not supported; omit the header.")),
  );

  return {
    listen(port, host) {
      return new Promise((resolve, reject) => {
        server.once("error", reject).listen(port, host, () => resolve((server.address() as AddressInfo).port));
      });
    },
    async drain(withinMs) {
      draining = true;
      for (const connection of connections) {
        const response = answering.get(connection);
        if (!response || response.writableFinished) continue;
        if (!response.headersSent) response.setHeader("connection", "close");
        else if (isEventStream(response)) response.destroy();
      }
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const timer = setTimeout(() => server.closeAllConnections(), withinMs);
      await closed;
      clearTimeout(timer);
    },
  };
}
