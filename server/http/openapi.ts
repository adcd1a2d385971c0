// Builds the OpenAPI 3.1 document from the route table and the schemas that validate requests.
import type { z } from "zod";
import {
  createDocument,
  type ZodOpenApiComponentsObject,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiOverride,
  type ZodOpenApiPathsObject,
} from "zod-openapi";
import { errorEnvelope } from "@/server/contract/errors";
import { API_VERSION } from "@/server/domain/api-version";
import type { ErrorCode } from "@/server/domain/errors";
import { createErrorResponses, type ErrorResponses } from "./openapi-errors";
import { answerExamples, requestExamples } from "./openapi-examples";
import { HEADER_COMPONENTS, successHeaders } from "./openapi-headers";
import { webhookDescriptions } from "./openapi-webhooks";
import { isWrite, type Operation, TAGS } from "./operation";
import { BASE_PATH, OPERATIONS } from "./routes";

/** The URL of any operation can be too long, or asked with another method. */
const PUBLIC_ERRORS: readonly ErrorCode[] = [
  "validation_failed",
  "method_not_allowed",
  "rate_limited",
  "internal_error",
  "service_unavailable",
];
const KEYED_ERRORS: readonly ErrorCode[] = ["unauthorized", "forbidden", ...PUBLIC_ERRORS];
const WRITE_ERRORS: readonly ErrorCode[] = ["idempotency_conflict", "payload_too_large"];

const DESCRIPTION =
  "Collect payments, send payouts and fund wallets through payment service providers. Amounts are strings of minor units; " +
  "times are ISO 8601 UTC.\n\n" +
  "Operations, members, parameters and errors marked `x-extension` are not in the merchant payments service interface. " +
  "Answers may get new members under the same version: ignore those that you do not know. Any other path is answered " +
  "404.";

function errorsOf(operation: Operation): ErrorCode[] {
  const isPublic = !("run" in operation);
  const writes = isWrite(operation) ? WRITE_ERRORS : [];
  return [...new Set([...operation.errors, ...(isPublic ? PUBLIC_ERRORS : KEYED_ERRORS), ...writes])];
}

type Responses = NonNullable<ZodOpenApiOperationObject["responses"]>;

function responsesOf(operation: Operation, errors: ErrorResponses): Responses {
  const headers = successHeaders(operation);
  const responses: Record<string, object> = {};
  for (const [status, { schema, meaning }] of Object.entries(operation.answers)) {
    responses[status] = {
      description: meaning,
      headers,
      content: { "application/json": { schema, ...answerExamples(operation.id, status) } },
    };
  }
  if (!("run" in operation))
    responses["304"] = { description: "Not modified since the ETag in `If-None-Match`.", headers };
  return { ...responses, ...errors.referTo(errorsOf(operation)) } as Responses;
}

function parametersOf(operation: Operation): object[] {
  const path = [...operation.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    description: "The id of the object that the path names.",
    schema: { type: "string" },
  }));
  if (!isWrite(operation)) return path;
  return [
    ...path,
    {
      name: "Idempotency-Key",
      in: "header",
      required: operation.idempotencyKey === "required",
      description: "Makes retries safe for 24 hours; a UUID v4 is recommended.",
      schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x20-\\x7E]+$" },
    },
  ];
}

/** The text of an operation: its own, and the scope that it needs. */
function descriptionOf(operation: Operation): { description?: string } {
  const own = operation.description ? [operation.description] : [];
  const scope = "run" in operation ? [`Scope: \`${operation.keyScope}\`.`] : [];
  const description = [...own, ...scope].join("\n\n");
  return description === "" ? {} : { description };
}

function describe(operation: Operation, errors: ErrorResponses): ZodOpenApiOperationObject {
  const query = "query" in operation && operation.query ? { requestParams: { query: operation.query } } : {};
  // A DELETE needs no body; if one is sent, it is read and ignored.
  const body =
    isWrite(operation) && operation.method !== "DELETE"
      ? {
          requestBody: {
            required: !operation.bodyOptional,
            content: { "application/json": { schema: operation.body as z.ZodType, ...requestExamples(operation.id) } },
          },
        }
      : {};
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    ...descriptionOf(operation),
    ...(operation.extension ? { "x-extension": true } : {}),
    ...("run" in operation ? {} : { security: [] }),
    parameters: parametersOf(operation) as NonNullable<ZodOpenApiOperationObject["parameters"]>,
    ...query,
    ...body,
    responses: responsesOf(operation, errors),
  };
}

function pathsOf(operations: readonly Operation[], errors: ErrorResponses): ZodOpenApiPathsObject {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const operation of operations) {
    const path = operation.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(operation, errors) };
  }
  return paths;
}

/**
 * Answers may get new members: their schemas are open, unlike the data of events. Requests are open anyway, because unknown
 * members are ignored.
 */
const openAnswers: ZodOpenApiOverride = ({ zodSchema, jsonSchema, io }) => {
  const { def } = zodSchema._zod;
  if (io === "output" && def.type === "object" && def.catchall === undefined) delete jsonSchema.additionalProperties;
};

/** Returns the whole document as a value. */
export function openApiDocument() {
  const errors = createErrorResponses();
  const paths = pathsOf(OPERATIONS, errors);
  const document: ZodOpenApiObject = {
    openapi: "3.1.0",
    info: {
      title: "Sluice merchant payments API",
      version: API_VERSION,
      description: DESCRIPTION,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: BASE_PATH }],
    security: [{ apiKey: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: webhookDescriptions(),
    components: {
      schemas: { Error: errorEnvelope },
      headers: HEADER_COMPONENTS,
      responses: errors.components as NonNullable<ZodOpenApiComponentsObject["responses"]>,
      securitySchemes: {
        apiKey: {
          type: "http",
          scheme: "basic",
          description:
            "The public key is the user name, the secret key the password. A key can be limited to scopes, networks and a " +
            "time. Each operation names the one scope that it needs; without it the answer is 403 `forbidden`.",
        },
      },
    },
  };
  return createDocument(document, { override: openAnswers });
}

let text: string | null = null;

/** Returns the served document, built once. */
export function openApiText(): string {
  text ??= `${JSON.stringify(openApiDocument(), null, 2)}\n`;
  return text;
}
