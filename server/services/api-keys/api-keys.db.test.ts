// API keys in the hands of members: listed without secrets, rolled with a grace period, revoked, within their scope.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { query } from "@/server/db/client";
import { LONGEST_GRACE_SECONDS } from "@/server/domain/api-key";
import { newId } from "@/server/platform/ids";
import { requireInvariants } from "@/server/testing/invariants";
import { makeMerchant, type TestMerchant } from "@/server/testing/merchant";
import { operatorContext } from "../merchants/operator";
import { authenticate } from "./authenticate";
import { createApiKey } from "./create";
import { listApiKeys } from "./list";
import { revokeApiKey } from "./revoke";
import { revokeAllApiKeys } from "./revoke-all";
import { rollApiKey } from "./roll";

let merchant: TestMerchant;
beforeEach(async () => {
  merchant = await makeMerchant();
});
afterEach(requireInvariants);

const elsewhere = () => ({ ...merchant.byMember(), scope: { ...merchant.scope, environment: "live" as const } });
/** The keys in the list, without the one that the merchant was made with. */
async function listed() {
  return (await listApiKeys(merchant.scope)).filter(({ id }) => id !== merchant.context.actor.id);
}

const REFUSED = { code: "unauthorized" };
const NOT_FOUND = { code: "not_found" };

async function auditOf(id: string) {
  return query<{ action: string; actor_type: string; before: object | null; after: object }>(
    "SELECT action, actor_type, before, after FROM audit_entry WHERE object_id = $1 ORDER BY created_at, id",
    id,
  );
}

describe("the makers of a key", () => {
  const makersOf = async (id: string) => {
    const [row] = await query<{ makers: string[] | null }>("SELECT makers FROM api_key WHERE id = $1", id);
    return row?.makers;
  };

  it("are every member who created or rolled it, each once", async () => {
    const [creator, roller] = [merchant.byMember(), merchant.byMember()];
    const first = await createApiKey(creator, "Web shop");
    expect(await makersOf(first.id)).toEqual([creator.actor.id]);
    const second = await rollApiKey(roller, { id: first.id, graceSeconds: 60 });
    expect(await makersOf(first.id)).toEqual([creator.actor.id, roller.actor.id]);
    expect(await makersOf(second.id)).toEqual([roller.actor.id]);
    await rollApiKey(roller, { id: second.id, graceSeconds: 60 });
    expect(await makersOf(second.id)).toEqual([roller.actor.id]);
  });

  it("are nobody if an operator made it, also in a member's name", async () => {
    const { scope } = merchant;
    const byOperator = await createApiKey(operatorContext(scope.merchantId, scope.environment), "Operator");
    expect(await makersOf(byOperator.id)).toEqual([]);
    const member = merchant.byMember();
    const inTheirName = { ...member, actor: { ...member.actor, statedAddress: "eva@example.com" } };
    expect(await makersOf((await createApiKey(inTheirName, "In their name")).id)).toEqual([]);
  });

  it("stay unknown until the key is rolled, and are never removed", async () => {
    const [creator, roller] = [merchant.byMember(), merchant.byMember()];
    const { id } = await createApiKey(creator, "Web shop");
    const set = (makers: string[] | null) => query("UPDATE api_key SET makers = $2::text[] WHERE id = $1", id, makers);
    for (const makers of [null, [], [roller.actor.id]])
      await expect(set(makers)).rejects.toMatchObject({ constraint: "api_key_makers_stay" });

    const old = newId("apiKey");
    await query(
      `INSERT INTO api_key (merchant_id, id, environment, name, public_key, secret_hash, pepper_id)
       SELECT merchant_id, $2, environment, name, left(public_key, 8) || $2, secret_hash, pepper_id FROM api_key WHERE id = $1`,
      id,
      old,
    );
    const rolled = await rollApiKey(roller, { id: old, graceSeconds: 60 });
    expect(await makersOf(old)).toBeNull();
    expect(await makersOf(rolled.id)).toEqual([roller.actor.id]);
  });
});

describe("a rolled key", () => {
  it("works beside the new pair until its grace period ends, and both are in the audit log", async () => {
    const by = merchant.byMember();
    const old = await createApiKey(by, "Web shop");
    const rolled = await rollApiKey(by, { id: old.id, graceSeconds: 3_600 });
    expect(rolled).toMatchObject({ name: "Web shop", replaced: { id: old.id, publicKey: old.publicKey } });
    for (const pair of [old, rolled]) expect(await authenticate(pair)).toMatchObject({ apiKeyId: pair.id });
    expect((await listed()).map(({ id, state }) => [id, state])).toEqual([
      [rolled.id, "active"],
      [old.id, "expiring"],
    ]);
    const name = { name: "Web shop" };
    const expires = rolled.replaced.expiresAt.toISOString();
    expect(await auditOf(old.id)).toMatchObject([
      { action: "api_key.create", actor_type: "member" },
      { action: "api_key.roll", actor_type: "member", before: { expires_at: null }, after: { expires_at: expires } },
    ]);
    expect(await auditOf(rolled.id)).toMatchObject([
      { action: "api_key.create", after: { ...name, replaces: old.id } },
    ]);
  });

  it("without a grace period ends at once", async () => {
    const old = await createApiKey(merchant.byMember(), "Web shop");
    const rolled = await rollApiKey(merchant.byMember(), { id: old.id, graceSeconds: 0 });
    await expect(authenticate(old)).rejects.toMatchObject(REFUSED);
    expect(await authenticate(rolled)).toMatchObject({ apiKeyId: rolled.id });
  });

  it("has one successor, despite simultaneous requests", async () => {
    const { id } = await createApiKey(merchant.byMember(), "Web shop");
    const asked = Array.from({ length: 8 }, () => rollApiKey(merchant.byMember(), { id, graceSeconds: 60 }));
    const settled = await Promise.allSettled(asked);
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const reasons = settled.flatMap((one) => (one.status === "rejected" ? [one.reason as unknown] : []));
    expect(reasons).toMatchObject(Array.from({ length: 7 }, () => ({ code: "validation_failed" })));
    expect(await listed()).toHaveLength(2);
  });

  it("must exist in this environment, be valid, and get a grace period of at most a week", async () => {
    const by = merchant.byMember();
    const { id } = await createApiKey(by, "Web shop");
    for (const graceSeconds of [-1, 0.5, LONGEST_GRACE_SECONDS + 1])
      await expect(rollApiKey(by, { id, graceSeconds })).rejects.toMatchObject({ code: "validation_failed" });
    await expect(rollApiKey(elsewhere(), { id, graceSeconds: 60 })).rejects.toMatchObject(NOT_FOUND);
    await expect(rollApiKey(by, { id: "key_x", graceSeconds: 60 })).rejects.toMatchObject(NOT_FOUND);
    await revokeApiKey(by, id);
    await expect(rollApiKey(by, { id, graceSeconds: 60 })).rejects.toMatchObject({ code: "validation_failed" });
  });
});

describe("a revoked key", () => {
  it("is rejected at once, in its own environment only, and stays in the list", async () => {
    const by = merchant.byMember();
    const pair = await createApiKey(by, "Web shop");
    await expect(revokeApiKey(elsewhere(), pair.id)).rejects.toMatchObject(NOT_FOUND);
    expect(await authenticate(pair)).toMatchObject({ apiKeyId: pair.id });
    const at = await revokeApiKey(by, pair.id);
    await expect(authenticate(pair)).rejects.toMatchObject(REFUSED);
    expect(await revokeApiKey(by, pair.id)).toEqual(at);
    expect(await listed()).toMatchObject([{ id: pair.id, state: "revoked" }]);
  });
});

describe("the list", () => {
  it("contains neither secrets, nor their hashes, nor another environment's keys", async () => {
    const pair = await createApiKey(merchant.byMember(), "Web shop");
    await createApiKey(elsewhere(), "Live shop");
    const keys = await listed();
    expect(keys.map(({ name }) => name)).toEqual(["Web shop"]);
    const [row] = await query<{ secret_hash: string }>("SELECT secret_hash FROM api_key WHERE id = $1", pair.id);
    const text = JSON.stringify(keys);
    expect(text).toContain(pair.publicKey);
    expect(text).not.toContain(pair.secretKey);
    expect(text).not.toContain(row?.secret_hash);
  });
});

it("an operator revokes every live key at once; test keys and other merchants' keys still work", async () => {
  const other = await makeMerchant();
  const [first, second] = [await createApiKey(elsewhere(), "First"), await createApiKey(elsewhere(), "Second")];
  const inTest = await createApiKey(merchant.byMember(), "Test");
  const foreign = await createApiKey(operatorContext(other.scope.merchantId, "live"), "Foreign");
  for (const pair of [first, second, inTest, foreign]) await authenticate(pair);
  const operator = operatorContext(merchant.scope.merchantId, "live");
  expect((await revokeAllApiKeys(operator)).sort()).toEqual([first.publicKey, second.publicKey].sort());
  for (const pair of [first, second]) {
    expect((await auditOf(pair.id)).at(-1)).toMatchObject({ action: "api_key.revoke", actor_type: "operator" });
    await expect(authenticate(pair)).rejects.toMatchObject(REFUSED);
  }
  for (const pair of [inTest, foreign]) expect(await authenticate(pair)).toMatchObject({ apiKeyId: pair.id });
  expect(await revokeAllApiKeys(operator)).toEqual([]);
});
