// Finds callbacks for staff, and shows their bodies without personal data.
import { findCallbackAcrossMerchants, listCallbacksAcrossMerchants, type StoredCallback } from "@/server/db/callbacks";
import { type CallbackState, parseCallbackName } from "@/server/domain/callback";
import { ServiceError } from "@/server/domain/errors";
import { CENSOR, redactedJson } from "@/server/platform/redaction";
import type { StoredException } from "../exceptions/list";
import { readCallback } from "./try";

export type { StoredCallback };

const MAXIMUM = 1_000;
/** Maximum shown length of a body, in characters. */
const LONGEST_BODY = 4_096;
/** In a body that is not JSON, a number this long may be an account number. */
const LONG_NUMBER = /\d{8,}/g;

/** Returns the newest thousand callbacks, of all providers or states if null. `hasMore`: older ones exist. */
export async function listCallbacks(filter: {
  readonly provider: string | null;
  readonly state: CallbackState | null;
}): Promise<{ readonly callbacks: readonly StoredCallback[]; readonly hasMore: boolean }> {
  const found = await listCallbacksAcrossMerchants(filter, MAXIMUM + 1);
  return { callbacks: found.slice(0, MAXIMUM), hasMore: found.length > MAXIMUM };
}

/** Returns the callback with a name such as `acme/cb_7f3a`. Throws not_found. */
export async function requireCallback(name: string): Promise<StoredCallback> {
  const key = parseCallbackName(name);
  const callback = key && (await findCallbackAcrossMerchants(key));
  if (!callback) throw noCallback();
  return callback;
}

/**
 * Returns the callback of an exception. Throws not_found if the exception is not about a callback, and for a merchant's exception if
 * the callback names another merchant: in a cell to which a merchant moves, another one's callback may have the name until the move is
 * over.
 */
export async function callbackOf({ kind, detail, merchantId }: StoredException): Promise<StoredCallback> {
  const callback = await requireCallback((kind === "unapplied_callback" && detail.callback) || "");
  if (merchantId !== null && ((await readCallback(callback)).merchantId ?? merchantId) !== merchantId)
    throw noCallback();
  return callback;
}

const noCallback = () => new ServiceError("not_found", "There is no such callback.");

/** Returns the body for display: at most 4,096 characters, with personal and secret values hidden. */
export function readableBody({ body }: StoredCallback): string {
  let content: unknown;
  try {
    content = JSON.parse(body);
  } catch {
    return body.slice(0, LONGEST_BODY).toWellFormed().replaceAll(LONG_NUMBER, CENSOR);
  }
  return redactedJson(content, LONGEST_BODY);
}
