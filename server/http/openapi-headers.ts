// The headers of answers in the OpenAPI document: which an answer always has, and which it may have.
import type { ZodOpenApiComponentsObject } from "zod-openapi";
import { API_VERSION } from "@/server/domain/api-version";
import { isWrite, type Operation } from "./operation";

const TEXT = { type: "string" } as const;
const SECONDS = { type: "integer", minimum: 0 } as const;

/** Component name → header. */
export const HEADER_COMPONENTS = {
  RequestId: {
    description: "The id of this request, for your log and for support.",
    required: true,
    schema: { ...TEXT, pattern: "^req_" },
  },
  ApiVersion: {
    description: "The version of the API that answered.",
    required: true,
    schema: { ...TEXT, examples: [API_VERSION] },
  },
  IdempotentReplayed: {
    description: "Present if this is the stored answer of an earlier request under the same `Idempotency-Key`.",
    schema: { ...TEXT, enum: ["true"] },
  },
  IgnoredParameters: {
    description: "The names of query parameters that the operation does not know, percent-encoded, at most ten.",
    schema: TEXT,
  },
  Challenge: {
    description: "How to authenticate.",
    required: true,
    schema: { ...TEXT, examples: ['Basic realm="merchant-api", charset="UTF-8"'] },
  },
  Allow: { description: "The methods of this path.", required: true, schema: { ...TEXT, examples: ["GET, POST"] } },
  RetryAfter: {
    description: "The seconds after which a retry can succeed.",
    required: true,
    schema: SECONDS,
  },
  RetryAfterConflict: {
    description: "The seconds after which a retry can succeed; present only while the first request is running.",
    schema: SECONDS,
  },
  RateLimit: {
    description: "What is left of the limit (`r`) and the seconds until more is (`t`).",
    required: true,
    schema: { ...TEXT, examples: ['"default";r=0;t=1'] },
  },
  RateLimitPolicy: { description: "The limit.", required: true, schema: TEXT },
  ETag: { description: "The version of the body, for `If-None-Match`.", required: true, schema: TEXT },
} satisfies NonNullable<ZodOpenApiComponentsObject["headers"]>;

type Component = keyof typeof HEADER_COMPONENTS;
type Headers = Readonly<Record<string, { readonly $ref: string }>>;

const NAMES: Readonly<Partial<Record<Component, string>>> = {
  RequestId: "Request-Id",
  ApiVersion: "Api-Version",
  IdempotentReplayed: "Idempotent-Replayed",
  IgnoredParameters: "Ignored-Parameters",
  Challenge: "WWW-Authenticate",
  RetryAfter: "Retry-After",
  RetryAfterConflict: "Retry-After",
  RateLimitPolicy: "RateLimit-Policy",
};

function referring(components: readonly Component[]): Headers {
  return Object.fromEntries(
    components.map((component) => [NAMES[component] ?? component, { $ref: `#/components/headers/${component}` }]),
  );
}

const ALWAYS: readonly Component[] = ["RequestId", "ApiVersion"];
/** A request that reached its operation. */
const OF_OPERATION: readonly Component[] = ["IgnoredParameters", "IdempotentReplayed"];

const OF_STATUS: Readonly<Record<number, readonly Component[]>> = {
  400: OF_OPERATION,
  401: ["Challenge"],
  403: OF_OPERATION,
  404: OF_OPERATION,
  405: ["Allow"],
  409: [...OF_OPERATION, "RetryAfterConflict"],
  422: OF_OPERATION,
  429: ["RetryAfter", "RateLimit", "RateLimitPolicy"],
  503: ["RetryAfter"],
};

/** Returns the headers of an error of this status. */
export function errorHeaders(status: number): Headers {
  return referring([...ALWAYS, ...(OF_STATUS[status] ?? [])]);
}

/** Returns the headers of an operation's success, or of its 304. */
export function successHeaders(operation: Operation): Headers {
  if (!("run" in operation)) return referring([...ALWAYS, "ETag"]);
  return referring([...ALWAYS, "IgnoredParameters", ...(isWrite(operation) ? ["IdempotentReplayed" as const] : [])]);
}
