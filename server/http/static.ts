// Answers that are the same for every caller: cacheable, validated by ETag.
import { createHash } from "node:crypto";
import type { ApiAnswer, ApiRequest } from "./exchange";
import type { StaticOperation } from "./operation";
import { emptyAnswer, jsonAnswer } from "./response";

const MAXIMUM_AGE_SECONDS = 300;
const tags = new Map<string, string>();

function tagOf(body: string): string {
  let tag = tags.get(body);
  if (!tag) {
    tag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
    tags.set(body, tag);
  }
  return tag;
}

/** Returns the operation's body, or 304 if the caller has the current version. */
export function staticAnswer(
  operation: StaticOperation,
  { request, requestId }: { readonly request: ApiRequest; readonly requestId: string },
): ApiAnswer {
  const etag = tagOf(operation.body);
  const headers = { etag, "cache-control": `public, max-age=${MAXIMUM_AGE_SECONDS}` };
  const known = request.headers
    .get("if-none-match")
    ?.split(",")
    .map((tag) => tag.trim().replace(/^W\//, ""));
  if (known?.includes(etag)) return emptyAnswer(304, requestId, headers);
  return jsonAnswer(200, operation.body, requestId, headers);
}
