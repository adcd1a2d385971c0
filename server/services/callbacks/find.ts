// Finds callbacks for people, and shows their bodies without what is personal.
import { findCallbackAcrossMerchants, listCallbacksAcrossMerchants, type StoredCallback } from "@/server/db/callbacks";
import { type CallbackState, parseCallbackName } from "@/server/domain/callback";
import { ServiceError } from "@/server/domain/errors";
import { CENSOR, redactedJson } from "@/server/platform/redaction";
import type { StoredException } from "../exceptions/list";

export type { StoredCallback };

const MAXIMUM = 1_000;
/** Characters of a body that are shown. */
const LONGEST_BODY = 4_096;
/** In a body that is not JSON, a number this long may be an account's. */
const LONG_NUMBER = /\d{8,}/g;

/** The newest thousand; of every provider and in every state where null. `hasMore` says that there are more. */
export async function listCallbacks(filter: {
  readonly provider: string | null;
  readonly state: CallbackState | null;
}): Promise<{ readonly callbacks: readonly StoredCallback[]; readonly hasMore: boolean }> {
  const found = await listCallbacksAcrossMerchants(filter, MAXIMUM + 1);
  return { callbacks: found.slice(0, MAXIMUM), hasMore: found.length > MAXIMUM };
}

/** The callback of a name such as `acme/cb_7f3a`. Throws not_found. */
export async function requireCallback(name: string): Promise<StoredCallback> {
  const key = parseCallbackName(name);
  const callback = key && (await findCallbackAcrossMerchants(key));
  if (!callback) throw new ServiceError("not_found", "There is no such callback.");
  return callback;
}

/** The callback that an exception is about. Throws not_found for an exception about something else. */
export function callbackOf({ kind, detail }: StoredException): Promise<StoredCallback> {
  return requireCallback((kind === "unapplied_callback" && detail.callback) || "");
}

/** The body as people may read it: at most 4,096 characters, with personal and secret values hidden. */
export function readableBody({ body }: StoredCallback): string {
  let content: unknown;
  try {
    content = JSON.parse(body);
  } catch {
    return body.slice(0, LONGEST_BODY).toWellFormed().replaceAll(LONG_NUMBER, CENSOR);
  }
  return redactedJson(content, LONGEST_BODY);
}
