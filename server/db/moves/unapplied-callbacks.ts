// Callbacks that wait for an operator: their exceptions move with the merchant, and name them.
import {
  type CallbackKey,
  callbackName,
  keyOfBody,
  originalKey,
  parseCallbackName,
  unappliedCallbackFact,
} from "@/server/domain/callback";
import { type StoredCallback, UNAPPLIED } from "../callbacks";
import { type Owner, transact, WITHOUT_TRIGGERS } from "./owner";

/** A callback that goes along. */
export interface MovedCallback
  extends Pick<StoredCallback, "provider" | "callbackId" | "body" | "receivedAt" | "digest"> {
  /** The text of its row. */
  readonly row: string;
  /** The ids of the merchant's exceptions about it. */
  readonly exceptions: readonly string[];
}

/** The digest of a callback under another key. */
export type Redigest = (callback: MovedCallback, key: CallbackKey) => string | null;

const READ = `
  SELECT c::text AS row, provider, callback_id AS "callbackId", body, received_at AS "receivedAt", digest, x.exceptions
  FROM (SELECT fact, array_agg(id) AS exceptions FROM exception
        WHERE merchant_id = $1 AND kind = 'unapplied_callback' GROUP BY fact) x
  JOIN provider_callback c ON 'callback:' || provider || '/' || callback_id = x.fact
  WHERE ${UNAPPLIED}`;

const NAME = "SELECT detail ->> 'callback' AS name FROM exception WHERE merchant_id = $1 AND id = ANY ($2) LIMIT 1";

const STORE = `
  INSERT INTO provider_callback AS c
  SELECT (jsonb_populate_record($1::text::provider_callback,
                                jsonb_build_object('callback_id', $2::text, 'digest', $3::text))).*
  ON CONFLICT (provider, callback_id) DO UPDATE
  SET result = excluded.result, applied_at = excluded.applied_at, attempts = c.attempts + 1
  WHERE c.body = excluded.body AND c.result = 'handed_over'`;

const WITH_BODY = "SELECT FROM provider_callback WHERE (provider, callback_id, body) = ($1, $2, $3)";

const OTHER_OF_THAT_NAME = "SELECT FROM exception WHERE merchant_id = $1 AND fact = $2";

const RENAME = `
  UPDATE exception
  SET fact = $3, detail = detail || jsonb_build_object('callback', $5::text),
      object_id = CASE object_id WHEN $4 THEN $5 ELSE object_id END
  WHERE merchant_id = $1 AND id = ANY ($2)`;

const END = `
  UPDATE provider_callback SET result = 'handed_over' WHERE (provider, callback_id) = ($1, $2) AND ${UNAPPLIED}`;

/**
 * Hands over the callbacks that exceptions of the merchant are about, once it has left; may be repeated. One that was handed over
 * from the new cell before comes back. Where another body has its name in the new cell, it gets the next one that is free, and its
 * exceptions there name that: rows are not compared any more.
 */
export async function handOverUnapplied(from: Owner, to: Owner, merchantId: string, redigest: Redigest): Promise<void> {
  for (const callback of await from.query<MovedCallback>(READ, merchantId)) {
    const isStored = await transact(to, WITHOUT_TRIGGERS, () => store(to, merchantId, callback, redigest));
    if (isStored) await transact(from, WITHOUT_TRIGGERS, () => from.query(END, callback.provider, callback.callbackId));
  }
}

const RETRY = `
  UPDATE provider_callback c SET due_at = now(), applied_at = NULL, result = NULL, attempts = attempts + 1
  FROM exception x
  WHERE x.merchant_id = $1 AND x.kind = 'unapplied_callback' AND x.resolved_at IS NULL
    AND x.fact = 'callback:' || c.provider || '/' || c.callback_id AND ${UNAPPLIED}`;

/** Makes callbacks due again that open exceptions of the merchant are about: its rows here are to be removed. */
export async function retryUnapplied(owner: Owner, merchantId: string): Promise<void> {
  await owner.query(RETRY, merchantId);
}

/** Returns whether the new cell has the callback, under the name that its exceptions there have from now on. */
async function store(to: Owner, merchantId: string, callback: MovedCallback, redigest: Redigest): Promise<boolean> {
  const { row, body, digest, exceptions } = callback;
  const has = async (sql: string, ...values: unknown[]) => (await to.query(sql, ...values)).length > 0;
  const isAt = (key: CallbackKey) => has(WITH_BODY, key.provider, key.callbackId, body);
  const [named] = await to.query<{ name: string }>(NAME, merchantId, exceptions);
  const present = named ? parseCallbackName(named.name) : null;
  if (!present) return false;
  // An earlier run has renamed it.
  if (present.callbackId !== callback.callbackId) return isAt(present);
  for (let number = 1; ; number += 1) {
    // Else the next free number of its provider's id.
    const key = number === 1 ? callback : keyOfBody(originalKey(callback), number);
    const fact = unappliedCallbackFact(key);
    const isRenamed = key.callbackId !== callback.callbackId;
    // The name may be that of another callback of the merchant, which goes along, too.
    if (isRenamed && (await has(OTHER_OF_THAT_NAME, merchantId, fact))) continue;
    await to.query(STORE, row, key.callbackId, isRenamed ? redigest(callback, key) : digest);
    if (!(await isAt(key))) continue;
    if (isRenamed) await to.query(RENAME, merchantId, exceptions, fact, callbackName(callback), callbackName(key));
    return true;
  }
}
