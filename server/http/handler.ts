// The entry of every non-page request: dispatches it and turns errors into answers.
import { notFoundError, ServiceError, validationError } from "@/server/domain/errors";
import { inCell } from "@/server/platform/cell";
import { limitedNetwork } from "@/server/platform/client-address";
import { newId } from "@/server/platform/ids";
import { log, logRequest } from "@/server/platform/log";
import { traceRequest } from "@/server/platform/tracing/tracing";
import { recordApiCall } from "@/server/services/api-logs/record";
import { receiveCallback } from "@/server/services/callbacks/receive-callback";
import { asServiceError } from "@/server/services/outage";
import type { ApiAnswer, ApiRequest } from "./exchange";
import { healthAnswer, readinessAnswer } from "./health";
import { metricsAnswer } from "./metrics";
import { openApiText } from "./openapi";
import { takeTokens } from "./rate-limit";
import { measureRequest } from "./request-metrics";
import { requestSpan } from "./request-span";
import { errorAnswer, jsonAnswer } from "./response";
import { type Incoming, MethodNotAllowed, newTrace, routeApiRequest } from "./route";
import { BASE_PATH } from "./routes";

const MAXIMUM_URL_LENGTH = 4096;
/** The document has 190 KB, which wait in memory for a slow reader. */
const DOCUMENT_COSTS = 20;
const CALLBACK_PATH = /^\/providers\/([a-z0-9_-]{1,64})\/callbacks$/;
/** Paths outside /v1 that are routes of their own. */
const PATHS: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/metrics", "/openapi.json"]);

/** Answers a request; never throws. Every failure becomes an answer of the contract without internal details. */
export async function handleApiRequest(request: ApiRequest): Promise<ApiAnswer> {
  const startedAt = performance.now();
  const requestId = newId("request");
  const url = new URL(`http://localhost${request.target}`);
  const trace = newTrace();
  const incoming = { request, url, requestId, trace };
  const answer = await traceRequest(
    () => answered(incoming),
    ({ status }) => requestSpan(incoming, status),
  );
  const ms = Math.round((performance.now() - startedAt) * 10) / 10;
  const { method, peer } = request;
  const { status, body } = answer;
  if (trace.caller && trace.cell) {
    const { caller, cell, route, request: parsed } = trace;
    const path = url.pathname + url.search;
    const called = { requestId, method, route, path, status, ms, address: peer.address };
    const logged = trace.answerIsLogged ? (body ?? "") : null;
    const call = { request: parsed, answer: logged, scope: caller.scope, apiKeyId: caller.apiKeyId, ...called };
    inCell(cell, () => recordApiCall(call));
  }
  measureRequest({ method, route: trace.template, status, ms });
  logRequest({ requestId, method, path: url.pathname, status, ms });
  return answer;
}

async function answered(incoming: Incoming): Promise<ApiAnswer> {
  try {
    if (incoming.request.target.length > MAXIMUM_URL_LENGTH) throw validationError("url", "is longer than 4 KiB");
    return await dispatch(incoming);
  } catch (error) {
    return toErrorAnswer(error, incoming.requestId);
  }
}

async function dispatch(incoming: Incoming): Promise<ApiAnswer> {
  const { url, request, requestId, trace } = incoming;
  const { pathname } = url;
  if (pathname === BASE_PATH || pathname.startsWith(`${BASE_PATH}/`)) return routeApiRequest(incoming);
  const provider = CALLBACK_PATH.exec(pathname)?.[1];
  if (provider) return takeCallback(provider, incoming);
  if (PATHS.has(pathname)) trace.template = pathname;
  if (request.method !== "GET" && request.method !== "HEAD") throw new MethodNotAllowed("GET");
  if (pathname === "/healthz") return healthAnswer(requestId);
  if (pathname === "/readyz") return readinessAnswer(requestId);
  if (pathname === "/metrics") return metricsAnswer(request, requestId);
  if (pathname === "/openapi.json") {
    takeTokens(`document:${limitedNetwork(request.peer.address)}`, DOCUMENT_COSTS);
    return jsonAnswer(200, openApiText(), requestId, { "cache-control": "public, max-age=300" });
  }
  throw notFoundError();
}

async function takeCallback(provider: string, { request, requestId, trace }: Incoming): Promise<ApiAnswer> {
  trace.template = "/providers/:provider/callbacks";
  if (request.method !== "POST") throw new MethodNotAllowed("POST");
  const body = Buffer.from(await request.readBody()).toString("utf8");
  await receiveCallback(provider, request.headers, body);
  return jsonAnswer(200, '{"received":true}', requestId);
}

function toErrorAnswer(error: unknown, requestId: string): ApiAnswer {
  const known = asServiceError(error);
  if (!known || known.code === "service_unavailable") log().error({ requestId, err: error }, "request failed");
  const allow = error instanceof MethodNotAllowed ? { allow: error.allow } : {};
  return errorAnswer(
    known ?? new ServiceError("internal_error", "Something went wrong on our side."),
    requestId,
    allow,
  );
}
