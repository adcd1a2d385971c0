// Builds the OpenAPI 3.1 document from the route table and the schemas that validate requests.
import type { z } from "zod";
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from "zod-openapi";
import { errorEnvelope } from "@/server/contract/errors";
import { API_VERSION } from "@/server/domain/api-version";
import { ERROR_STATUS, type ErrorCode } from "@/server/domain/errors";
import { webhookDescriptions } from "./openapi-webhooks";
import { isWrite, type Operation, TAGS } from "./operation";
import { BASE_PATH, OPERATIONS } from "./routes";

const KEYED_ERRORS: readonly ErrorCode[] = [
  "validation_failed",
  "unauthorized",
  "forbidden",
  "rate_limited",
  "internal_error",
  "service_unavailable",
];
const PUBLIC_ERRORS: readonly ErrorCode[] = ["rate_limited", "internal_error", "service_unavailable"];
const WRITE_ERRORS: readonly ErrorCode[] = ["idempotency_conflict", "payload_too_large"];

/** Codes that the interface document does not have. */
const EXTENSION_ERRORS: ReadonlySet<ErrorCode> = new Set(["forbidden"]);

const DESCRIPTION =
  "Collect payments, send payouts and fund wallets through payment service providers. Operations and fields marked " +
  "`x-extension` extend the merchant payments service interface. Amounts are strings of minor units; times are ISO 8601 UTC.";

function errorsOf(operation: Operation): ErrorCode[] {
  const isPublic = !("run" in operation);
  const writes = isWrite(operation) ? WRITE_ERRORS : [];
  return [...new Set([...operation.errors, ...(isPublic ? PUBLIC_ERRORS : KEYED_ERRORS), ...writes])];
}

function responsesOf(operation: Operation): NonNullable<ZodOpenApiOperationObject["responses"]> {
  const responses: Record<string, { description: string; content?: object }> = {};
  for (const [status, { schema, meaning }] of Object.entries(operation.answers)) {
    responses[status] = { description: meaning, content: { "application/json": { schema } } };
  }
  if (!("run" in operation)) responses["304"] = { description: "Not modified since the ETag in `If-None-Match`." };
  const codes = errorsOf(operation);
  for (const status of new Set(codes.map((code) => ERROR_STATUS[code]).sort((a, b) => a - b))) {
    const ofStatus = codes.filter((code) => ERROR_STATUS[code] === status);
    const extension = ofStatus.every((code) => EXTENSION_ERRORS.has(code)) ? { "x-extension": true } : {};
    const content = { "application/json": { schema: errorEnvelope } };
    responses[status] = { description: ofStatus.join(", "), ...extension, content };
  }
  return responses as NonNullable<ZodOpenApiOperationObject["responses"]>;
}

function parametersOf(operation: Operation): object[] {
  const path = [...operation.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
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

function describe(operation: Operation): ZodOpenApiOperationObject {
  const query = "query" in operation && operation.query ? { requestParams: { query: operation.query } } : {};
  // A DELETE needs no body; if one is sent, it is read and ignored.
  const body =
    isWrite(operation) && operation.method !== "DELETE"
      ? {
          requestBody: {
            required: !operation.bodyOptional,
            content: { "application/json": { schema: operation.body as z.ZodType } },
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
    responses: responsesOf(operation),
  };
}

function pathsOf(operations: readonly Operation[]): ZodOpenApiPathsObject {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const operation of operations) {
    const path = operation.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(operation) };
  }
  return paths;
}

/** Returns the whole document as a value. */
export function openApiDocument() {
  return createDocument({
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
    paths: pathsOf(OPERATIONS),
    webhooks: webhookDescriptions(),
    components: {
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
  });
}

let text: string | null = null;

/** Returns the served document, built once. */
export function openApiText(): string {
  text ??= `${JSON.stringify(openApiDocument(), null, 2)}\n`;
  return text;
}
