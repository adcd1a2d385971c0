// Owns serving the route table from Next route handlers, for `next start`, `next dev` and serverless hosts.
import { readBytes } from "./body";
import { toResponse } from "./exchange";
import { handleApiRequest } from "./handler";

/**
 * Answers a request that Next has received. The address is the nearest proxy's word for it, since Next tells none. Next
 * joins repeated headers with a comma, which no key, media type or credential of ours contains in that form.
 */
export async function handleNextRequest(request: Request): Promise<Response> {
  const address = request.headers.get("x-forwarded-for")?.split(",")[0]?.trim() ?? "";
  const { method, headers, url } = request;
  const answer = await handleApiRequest({
    method,
    target: url.slice(new URL(url).origin.length),
    headers,
    peer: { address, duplicateHeaders: [] },
    readBody: () => readBytes(request),
  });
  return toResponse(answer);
}
