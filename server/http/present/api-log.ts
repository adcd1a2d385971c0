// Presents calls of the API log on the wire.
import type { ApiLogResource, ApiLogWithBodies } from "@/server/contract/api-logs";
import { formatInstant } from "@/server/contract/instants";
import type { Environment } from "@/server/domain/scope";
import type { getApiCall, listApiCalls } from "@/server/services/api-logs/list";

type Call = Awaited<ReturnType<typeof listApiCalls>>["entries"][number];

/** Presents a call without its bodies. */
export function presentApiLog(environment: Environment, call: Call): ApiLogResource {
  const { id, method, route, path, status, durationUs, address, apiKeyId, keyName, createdAt } = call;
  return {
    object: "api_log",
    id,
    environment,
    method,
    route: route || null,
    path,
    status,
    duration_ms: durationUs / 1_000,
    address: address || null,
    api_key: { id: apiKeyId, name: keyName },
    created_at: formatInstant(createdAt),
  };
}

/** Presents a call with its redacted bodies. */
export function presentApiLogWithBodies(
  environment: Environment,
  call: Awaited<ReturnType<typeof getApiCall>>,
): ApiLogWithBodies {
  return {
    ...presentApiLog(environment, call),
    request_body: call.requestBody,
    response_body: call.responseBody,
  };
}
