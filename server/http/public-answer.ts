// Answers to visitors without credentials, for the payer's page and for one-time links.
import { ServiceError } from "@/server/domain/errors";
import { limitedNetwork } from "@/server/platform/client-address";
import { newId } from "@/server/platform/ids";
import { log } from "@/server/platform/log";
import { asServiceError } from "@/server/services/outage";
import { forwardedAddress } from "./client-address";
import { toResponse } from "./exchange";
import { takeToken } from "./rate-limit";
import { errorAnswer } from "./response";

/** Headers of private content: not cached, not indexed, not sent as referrer. */
export const PRIVATE = { "cache-control": "no-store", "x-robots-tag": "noindex", "referrer-policy": "no-referrer" };

/** Runs the request within the rate limit of its address; turns every error into the API's error envelope. */
export async function publicAnswer(
  headers: Headers,
  run: (requestId: string, address: string) => Promise<Response>,
): Promise<Response> {
  const requestId = newId("request");
  const address = forwardedAddress(headers);
  try {
    takeToken(`address:${limitedNetwork(address)}`);
    return await run(requestId, address);
  } catch (error) {
    const known = asServiceError(error);
    if (!known) log().error({ requestId, err: error }, "a request without credentials failed");
    const publicError = known ?? new ServiceError("internal_error", "Something went wrong on our side.");
    return toResponse(errorAnswer(publicError, requestId));
  }
}
