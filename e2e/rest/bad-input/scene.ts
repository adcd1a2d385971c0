// The values of the tables' placeholders: a service of its own, two merchants, keys and intents of each.
import { setTimeout as sleep } from "node:timers/promises";
import { basicAuthorization } from "../../support/api";
import { cli } from "../../support/cli";
import { type ApiKey, createKey, createMerchant, type Merchant } from "../../support/merchant";
import type { ServiceAddress } from "../../support/service";
import { paymentBody, payoutBody, topupBody, unused } from "../bodies";
import { ENABLED } from "./oracle-lists";
import type { ListKind } from "./oracle-query";
import { KINDS, LISTS } from "./oracle-query";
import type { Values } from "./placeholders";

const BODIES = { payment: paymentBody, payout: payoutBody, topup: topupBody } as const;
/** Every process rejects a revoked key within a second. */
const REVOKED_AFTER_MS = 1_100;

/** Sends JSON with a key's credentials and returns the JSON of the answer. Throws unless it succeeds. */
async function call<Body>({ baseUrl }: ServiceAddress, key: ApiKey, path: string, body?: object): Promise<Body> {
  const headers = {
    authorization: basicAuthorization(key),
    "content-type": "application/json",
    "idempotency-key": unused("key"),
  };
  const request = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
  const answer = await fetch(`${baseUrl}${path}`, request);
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Body;
}

export function createPayout(service: ServiceAddress, key: ApiKey): Promise<{ id: string }> {
  return call(service, key, LISTS.payout, payoutBody());
}

/** Two intents of the kind, so that a page of one has a cursor. */
async function intentsOf(service: ServiceAddress, key: ApiKey, kind: ListKind, prefix: string): Promise<Values> {
  const { id } = await call<{ id: string }>(service, key, LISTS[kind], BODIES[kind]());
  await call(service, key, LISTS[kind], BODIES[kind]());
  const page = await call<{ next_cursor: string }>(service, key, `${LISTS[kind]}?limit=1`);
  return { [`${prefix}${kind}_id`]: id, [`${prefix}${kind}_cursor`]: page.next_cursor };
}

function keysOf({ keys }: Merchant, prefix: string): Values {
  return {
    [`${prefix}public_key`]: keys.test.publicKey,
    [`${prefix}secret_key`]: keys.test.secretKey,
    [`${prefix}auth`]: basicAuthorization(keys.test),
  };
}

async function revokedKey(service: ServiceAddress, merchantId: string): Promise<Values> {
  const { publicKey, secretKey } = await createKey(service, merchantId, "test");
  await cli(service, "keys", "revoke", "--public-key", publicKey);
  await sleep(REVOKED_AFTER_MS);
  return { revoked_public_key: publicKey, revoked_secret_key: secretKey };
}

export interface Scene {
  readonly values: Values;
  /** The test key of the tables' requests. */
  readonly key: ApiKey;
}

/** Creates everything that the tables refer to, on a service that nothing else uses. */
export async function setScene(service: ServiceAddress): Promise<Scene> {
  const merchant = await createMerchant(service, { name: "Bad input", currencies: [...ENABLED] });
  const stranger = await createMerchant(service, { name: "Stranger", currencies: [...ENABLED] });
  const key = merchant.keys.test;
  const revoked = await revokedKey(service, merchant.id);
  const parts = await Promise.all([
    ...KINDS.map((kind) => intentsOf(service, key, kind, "")),
    ...KINDS.map((kind) => intentsOf(service, stranger.keys.test, kind, "stranger_")),
  ]);
  const { id: cancelled } = await createPayout(service, key);
  await call(service, key, `${LISTS.payout}/${cancelled}/cancel`, {});
  const values = {
    host: new URL(service.baseUrl).host,
    ...keysOf(merchant, ""),
    ...keysOf(stranger, "stranger_"),
    stranger_merchant_id: stranger.id,
    live_public_key: merchant.keys.live.publicKey,
    live_secret_key: merchant.keys.live.secretKey,
    live_auth: basicAuthorization(merchant.keys.live),
    cancelled_payout_id: cancelled,
    ...revoked,
  };
  return { key, values: Object.assign(values, ...parts) as Values };
}
