// The span of a request of the API: what it was, and never what it said.
import type { RequestSpan } from "@/server/platform/tracing/tracing";
import type { Incoming } from "./route";

/** Probes and scrapes come every few seconds and say nothing. */
const NOT_TRACED: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/metrics"]);
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
/** Of OpenTelemetry, for methods that are none. */
const OTHER_METHOD = "_OTHER";

/** Returns the span of an answered request; null if it gets none. Its route is a template, never the path that was called. */
export function requestSpan({ request, requestId, trace }: Incoming, status: number): RequestSpan | null {
  const { template, caller } = trace;
  if (NOT_TRACED.has(template)) return null;
  const method = METHODS.has(request.method) ? request.method : OTHER_METHOD;
  return {
    name: `${method} ${template}`,
    kind: "server",
    attributes: {
      "http.request.method": method,
      "http.route": template,
      "http.response.status_code": status,
      "sluice.request_id": requestId,
      ...(caller && {
        "sluice.merchant_id": caller.scope.merchantId,
        "sluice.environment": caller.scope.environment,
      }),
    },
    error: status >= 500 ? String(status) : undefined,
  };
}
