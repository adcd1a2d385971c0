// Stores callbacks whose signatures were verified.
import { storeCallbackAcrossMerchants, takeOverCallbackAcrossMerchants } from "@/server/db/callback-receipt";
import type { StoredCallback } from "@/server/db/callbacks";
import { type CallbackKey, callbackName, keyOfBody, MAXIMUM_BODIES, originalKey } from "@/server/domain/callback";
import { ServiceError } from "@/server/domain/errors";
import { allCells, type Cell, inCell } from "@/server/platform/cell";
import { cellOfId, cellOfReference } from "@/server/platform/cell-of";
import { now } from "@/server/platform/clock";
import { log } from "@/server/platform/log";
import { callbackDigest } from "./digest";
import { parseCallback } from "./try";

/** Replaces NUL, which Postgres cannot store in text. Such a body is invalid JSON anyway. */
function storable(body: string): string {
  return body.replaceAll("\0", "\u{fffd}");
}

/**
 * The cell of the merchant that a callback names, else that of the reference that it names. One that names neither is for
 * the operator, in the first cell.
 */
export function cellOfCallback(callback: CallbackKey & { readonly body: string }): Cell {
  const [first, ...further] = allCells();
  if (further.length === 0) return first;
  const { merchantId, reference } = parseCallback(callback);
  if (merchantId !== null) return cellOfId(merchantId);
  return reference === null ? first : cellOfReference(reference);
}

/**
 * Stores a verified callback in the cell that it is about, with its digest, received now. An equal body under a known id is a
 * duplicate and changes nothing, unless it may be missing in another cell; another body is a separate report. Throws idempotency_conflict for too many bodies under one id.
 */
export function storeCallback(key: CallbackKey, rawBody: string): Promise<void> {
  const body = storable(rawBody);
  return inCell(cellOfCallback({ ...key, body }), () =>
    storeBody(key, { body, receivedAt: now() }, storeCallbackAcrossMerchants),
  );
}

/**
 * Stores a callback of another cell in the running work's cell, with a digest of its own, under its provider's id or the next number of
 * that. An equal body under the same id changes nothing if its tries have ended here, else it is due again.
 */
export function takeOverCallback(callback: StoredCallback): Promise<void> {
  // Its provider was answered, so it is stored however many bodies have its id here.
  return storeBody(originalKey(callback), callback, takeOverCallbackAcrossMerchants, Number.POSITIVE_INFINITY);
}

async function storeBody(
  key: CallbackKey,
  { body, receivedAt }: Pick<StoredCallback, "body" | "receivedAt">,
  store: typeof storeCallbackAcrossMerchants,
  most = MAXIMUM_BODIES,
): Promise<void> {
  for (let number = 1; number <= most; number += 1) {
    const received = { ...keyOfBody(key, number), body, receivedAt };
    if ((await store(received, callbackDigest(received))) !== "different") return;
  }
  log().error({ callback: callbackName(key) }, "a callback was rejected: its id was used with too many bodies");
  const message = `The callback_id was used with ${MAXIMUM_BODIES} other bodies; give each report its own callback_id.`;
  throw new ServiceError("idempotency_conflict", message);
}
