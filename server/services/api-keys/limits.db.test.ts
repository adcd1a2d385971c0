// Limits of API keys: scopes, networks and expiry, set at creation and kept for life.
import { beforeEach, expect, it, vi } from "vitest";
import { query } from "@/server/db/client";
import { type KeyLimits, NO_LIMITS } from "@/server/domain/api-key";
import { now } from "@/server/platform/clock";
import { makeMerchant, type TestMerchant } from "@/server/testing/merchant";
import { queryAsOwner } from "@/server/testing/owner";
import { authenticate } from "./authenticate";
import { createApiKey } from "./create";
import { listApiKeys } from "./list";
import { revokeAllApiKeys } from "./revoke-all";
import { rollApiKey } from "./roll";

const HOUR_MS = 3_600_000;
const REFUSED = { code: "unauthorized", message: "The API credentials are missing or invalid." };
const INSIDE = "203.0.113.7";

let merchant: TestMerchant;

beforeEach(async () => {
  merchant = await makeMerchant();
});

const create = (limits: Partial<KeyLimits>) =>
  createApiKey(merchant.byMember(), "Limited", { ...NO_LIMITS, ...limits });
const soon = (ms = HOUR_MS) => new Date(now().getTime() + ms);

/** Returns a key whose expiry is over. */
async function createExpired() {
  const validUntil = soon(200);
  const key = await create({ validUntil });
  await vi.waitFor(() => expect(now() >= validUntil).toBe(true), 2_000);
  return key;
}

it("a key used from another network is an unknown key, and the attempt is audited", async () => {
  const key = await create({ networks: ["203.0.113.0/24", "2001:db8::/48"] });
  for (const address of [INSIDE, "2001:db8:0:1::1"])
    expect(await authenticate(key, address)).toMatchObject({ apiKeyId: key.id });
  for (const address of ["203.0.114.7", "2001:db8:1::1", "::1", "", undefined])
    await expect(authenticate(key, address)).rejects.toMatchObject(REFUSED);
  await vi.waitFor(async () => {
    const entries = await query(
      "SELECT after FROM audit_entry WHERE object_id = $1 AND action = 'api_key.refused'",
      key.id,
    );
    expect(entries).toEqual([{ after: { cause: "other_network", times: 1 } }]);
  });
});

it("a list of networks with a fault lets nobody in", async () => {
  const sound = await create({});
  const faulty = await create({});
  await queryAsOwner(
    `WITH gone AS (DELETE FROM api_key WHERE id = $1 RETURNING *)
     INSERT INTO api_key (merchant_id, id, environment, name, public_key, secret_hash, pepper_id, networks)
     SELECT merchant_id, id || 'x', environment, name, left(public_key, 8) || right(public_key, 23) || 'x', secret_hash,
            pepper_id, ARRAY['203.0.113.0/24', 'x'] FROM gone`,
    faulty.id,
  );
  const publicKey = `${faulty.publicKey.slice(0, 8)}${faulty.publicKey.slice(-23)}x`;
  await expect(authenticate({ ...faulty, publicKey }, INSIDE)).rejects.toMatchObject(REFUSED);
  expect(await authenticate(sound, INSIDE)).toMatchObject({ apiKeyId: sound.id });
});

it("an expired key is an unknown key, and cannot be rolled back into life", async () => {
  const key = await createExpired();
  await expect(authenticate(key)).rejects.toMatchObject(REFUSED);
  const roll = rollApiKey(merchant.byMember(), { id: key.id, graceSeconds: 60 });
  await expect(roll).rejects.toMatchObject({ code: "validation_failed" });
  const [listed] = (await listApiKeys(merchant.scope)).filter(({ id }) => id === key.id);
  expect(listed?.state).toBe("expired");
  expect(await revokeAllApiKeys(merchant.byMember())).not.toContain(key.publicKey);
});

it("a key that replaces another has the same scopes, networks and expiry", async () => {
  const limits: KeyLimits = { scopes: ["wallets:read"], networks: ["203.0.113.7/32"], validUntil: soon() };
  const old = await create(limits);
  expect((await listApiKeys(merchant.scope)).find(({ id }) => id === old.id)).toMatchObject({ state: "active" });
  const rolled = await rollApiKey(merchant.byMember(), { id: old.id, graceSeconds: 24 * 3_600 });
  expect(rolled.replaced.expiresAt).toEqual(limits.validUntil);
  const keys = await listApiKeys(merchant.scope);
  expect(keys.find(({ id }) => id === rolled.id)).toMatchObject({ ...limits, state: "active", expiresAt: null });
  expect(await authenticate(rolled, "203.0.113.7")).toMatchObject({ keyScopes: ["wallets:read"] });
  await expect(authenticate(rolled, "203.0.113.8")).rejects.toMatchObject(REFUSED);
  const [entry] = await query("SELECT after FROM audit_entry WHERE object_id = $1", rolled.id);
  const { validUntil, ...others } = limits;
  expect(entry).toMatchObject({ after: { ...others, valid_until: validUntil?.toISOString() } });
});

it("the limits of a key never change", async () => {
  const limited = await create({ scopes: ["wallets:read"], networks: ["203.0.113.0/24"], validUntil: soon() });
  for (const change of [
    "scopes = NULL",
    "scopes = ARRAY['wallets:read', 'payout_intents:write']",
    "networks = NULL",
    "networks = ARRAY['0.0.0.0/0']",
    "valid_until = NULL",
    "valid_until = valid_until + interval '1 day'",
  ])
    await expect(query(`UPDATE api_key SET ${change} WHERE id = $1`, limited.id)).rejects.toMatchObject({
      constraint: "api_key_limits_stay",
    });
});

it("limits are checked at creation", async () => {
  const twentyOne = Array.from({ length: 21 }, (_, n) => `10.0.${n}.0/24`);
  const faults: readonly Partial<KeyLimits>[] = [
    { scopes: [] },
    { networks: [] },
    { networks: ["203.0.113.7"] },
    { networks: ["203.0.113.0/33"] },
    { networks: ["example.com"] },
    { networks: twentyOne },
    { validUntil: soon(-1) },
  ];
  for (const limits of faults) await expect(create(limits)).rejects.toMatchObject({ code: "validation_failed" });
});
