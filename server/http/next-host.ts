// Serves the API from Next's route handlers, for `next start`, `npm run dev` and serverless hosts.
import { readBytes } from "./body";
import { forwardedAddress } from "./client-address";
import { toResponse } from "./exchange";
import { handleApiRequest } from "./handler";
import { strictTransport } from "./strict-transport";

/**
 * Answers a request that Next received, by the same route table as the direct host. Next joins
 * repeated headers with a comma; no key, media type or credential is valid in that form.
 */
export async function answer(request: Request): Promise<Response> {
  const { method, headers, url } = request;
  const answered = await handleApiRequest({
    method,
    target: url.slice(new URL(url).origin.length),
    headers,
    peer: { address: forwardedAddress(headers), duplicateHeaders: [] },
    readBody: () => readBytes(request),
  });
  return toResponse({ ...answered, headers: { ...answered.headers, ...strictTransport() } });
}
