// The dashboard's API over HTTP: same-origin writes only, bounded batches and bodies, no caching.
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { ServiceError } from "@/server/domain/errors";
import { readBytes } from "@/server/http/body";
import { toResponse } from "@/server/http/exchange";
import { isSameOrigin } from "@/server/http/payer/same-origin";
import { errorAnswer } from "@/server/http/response";
import { newId } from "@/server/platform/ids";
import { log } from "@/server/platform/log";
import { type RequestSpan, traceRequest } from "@/server/platform/tracing/tracing";
import { asServiceError } from "@/server/services/outage";
import { createContext } from "./context";
import { appRouter } from "./router";

const ENDPOINT = "/api/trpc";
const MAXIMUM_BATCH = 10;

/** Answers a request below /api/trpc. */
export async function handleTrpcRequest(request: Request): Promise<Response> {
  return traceRequest(
    () => answered(request),
    ({ status }) => spanOf(request.method, status),
  );
}

/** An open page asks every few seconds, so only what changes something is a trace. The names of procedures are its commits'. */
function spanOf(method: string, status: number): RequestSpan | null {
  if (method !== "POST") return null;
  const attributes = { "http.request.method": method, "http.route": ENDPOINT, "http.response.status_code": status };
  const error = status >= 500 ? String(status) : undefined;
  return { name: `${method} ${ENDPOINT}`, kind: "server", attributes, error };
}

async function answered(request: Request): Promise<Response> {
  try {
    return await answer(request);
  } catch (error) {
    const known = asServiceError(error);
    if (!known) log().error({ err: error }, "a dashboard request failed");
    const publicError = known ?? new ServiceError("internal_error", "Something went wrong on our side.");
    return toResponse(errorAnswer(publicError, newId("request")));
  }
}

async function answer(request: Request): Promise<Response> {
  if (request.method === "POST" && !isSameOrigin(request.headers)) {
    return new Response("This request belongs to another page.\n", { status: 403 });
  }
  return fetchRequestHandler({
    endpoint: ENDPOINT,
    req: await bounded(request),
    router: appRouter,
    createContext: () => createContext(request.headers),
    maxBatchSize: MAXIMUM_BATCH,
    responseMeta: ({ ctx }) => ({
      headers: new Headers({
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        ...(ctx ? { "request-id": ctx.requestId } : {}),
      }),
    }),
    onError({ error, path, ctx }) {
      if (error.code !== "INTERNAL_SERVER_ERROR") return;
      log().error({ err: error.cause ?? error, path, requestId: ctx?.requestId }, "a dashboard procedure failed");
    },
  });
}

/** The request with its body read within the limit, whatever its Content-Length states. */
async function bounded(request: Request): Promise<Request> {
  if (request.method !== "POST") return request;
  const body = await readBytes(request);
  return new Request(request.url, { method: "POST", headers: request.headers, body: Buffer.from(body) });
}
