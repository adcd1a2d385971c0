// The error answers in the OpenAPI document: one component for each status and set of codes that operations share.
import { ERROR_STATUS, type ErrorCode } from "@/server/domain/errors";
import { errorExamples } from "./openapi-examples";
import { errorHeaders } from "./openapi-headers";

/** Codes that the interface document does not have. */
const EXTENSION_ERRORS: ReadonlySet<ErrorCode> = new Set(["forbidden", "merchant_suspended", "payout_limit_exceeded"]);

/** What each code means, and what to do. */
const MEANING: Readonly<Record<ErrorCode, string>> = {
  validation_failed: "The request is invalid; the message begins with the field.",
  unauthorized: "The credentials are missing, wrong, revoked or expired.",
  forbidden: "The key lacks the scope of this operation.",
  merchant_suspended: "The operator has suspended the merchant: nothing is created.",
  not_found: "The id does not exist, or not for this merchant and environment.",
  method_not_allowed: "The path has other methods; `Allow` lists them.",
  idempotency_conflict: "The `Idempotency-Key` belongs to another request, or the first request is still running.",
  duplicate_merchant_reference: "Your `merchant_reference` belongs to an intent with other fields.",
  payload_too_large: "The body is larger than 64 KiB.",
  approval_required: "The payout is no longer in the approval gate; the message names its status.",
  insufficient_balance: "The available balance does not cover the payout.",
  payout_limit_exceeded: "The payout exceeds a limit of the key, the recipient or the merchant.",
  rate_limited: "There were too many requests; wait for `Retry-After`.",
  internal_error: "An internal error. A retry under the same `Idempotency-Key` is safe.",
  service_unavailable: "The service cannot work at the moment; retry after `Retry-After`.",
};

function pascalCase(code: string): string {
  return code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function describe(status: number, codes: readonly ErrorCode[]): object {
  const description = codes.map((code) => `\`${code}\`: ${MEANING[code]}`).join("\n\n");
  const isExtension = codes.every((code) => EXTENSION_ERRORS.has(code));
  const narrowed = {
    type: "object",
    properties: {
      error: { type: "object", properties: { code: { type: "string", enum: codes }, message: { type: "string" } } },
    },
  };
  const schema = { allOf: [{ $ref: "#/components/schemas/Error" }, narrowed] };
  return {
    description,
    ...(isExtension ? { "x-extension": true } : {}),
    headers: errorHeaders(status),
    content: { "application/json": { schema, ...errorExamples(codes) } },
  };
}

/** The error answers of operations: each is a reference, and `components` holds what they refer to. */
export interface ErrorResponses {
  /** By status, for an operation with these codes. */
  referTo(codes: readonly ErrorCode[]): Record<string, { $ref: string }>;
  readonly components: Record<string, object>;
}

export function createErrorResponses(): ErrorResponses {
  const components: Record<string, object> = {};
  return {
    components,
    referTo(codes) {
      const referred: Record<string, { $ref: string }> = {};
      for (const status of new Set(codes.map((code) => ERROR_STATUS[code]))) {
        const ofStatus = [...new Set(codes)].filter((code) => ERROR_STATUS[code] === status).toSorted();
        const name = ofStatus.map(pascalCase).join("Or");
        components[name] ??= describe(status, ofStatus);
        referred[status] = { $ref: `#/components/responses/${name}` };
      }
      return referred;
    },
  };
}
