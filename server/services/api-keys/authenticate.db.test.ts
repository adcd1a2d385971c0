// Credentials: each pair grants access to one environment of one merchant; all other pairs get the same error.
import { beforeEach, describe, expect, it, vi } from "vitest";
import { query } from "@/server/db/client";
import type { ServiceError } from "@/server/domain/errors";
import { newId } from "@/server/platform/ids";
import { makeMerchant } from "@/server/testing/merchant";
import { operatorContext } from "../merchants/operator";
import { authenticate, type Credentials } from "./authenticate";
import { createApiKey } from "./create";
import type { CreatedKey } from "./new-key";
import { revokeApiKey } from "./revoke";

let merchantId: string;
let test: CreatedKey;
let live: CreatedKey;
beforeEach(async () => {
  ({ merchantId } = await makeMerchant());
  test = await createApiKey(operatorContext(merchantId, "test"), "first");
  live = await createApiKey(operatorContext(merchantId, "live"), "second");
});

const refusalOf = (credentials: Credentials | null): Promise<ServiceError> =>
  authenticate(credentials).then(
    () => Promise.reject(new Error("nothing was refused")),
    (error: unknown) => error as ServiceError,
  );

describe("a pair of keys", () => {
  it("has the documented form and grants access in the environment of its prefix", async () => {
    expect(test.publicKey).toMatch(/^pk_test_[0-9A-Za-z]{24}$/);
    expect(test.secretKey).toMatch(/^sk_test_[0-9A-Za-z]{43}$/);
    const scopes = { test: { merchantId, environment: "test" }, live: { merchantId, environment: "live" } };
    expect(await authenticate(test)).toEqual({ apiKeyId: test.id, scope: scopes.test, keyScopes: null });
    expect(await authenticate(live)).toEqual({ apiKeyId: live.id, scope: scopes.live, keyScopes: null });
  });

  it("is stored without its secret", async () => {
    const [row] = await query<{ text: string }>("SELECT k::text AS text FROM api_key k WHERE id = $1", test.id);
    expect(row?.text).toContain(test.publicKey);
    expect(row?.text).not.toContain(test.secretKey.slice(8));
  });

  it("has a time of last use", async () => {
    await authenticate(test);
    await vi.waitFor(async () => {
      const [row] = await query<{ last_used_at: Date | null }>(
        "SELECT last_used_at FROM api_key WHERE id = $1",
        test.id,
      );
      expect(row?.last_used_at).not.toBeNull();
    }, 30_000);
  });
});

it("every wrong pair gets the same answer", async () => {
  const other = await createApiKey((await makeMerchant()).context, "other");
  const wrong: (Credentials | null)[] = [
    null,
    { publicKey: "", secretKey: "" },
    { ...test, secretKey: "" },
    { ...test, secretKey: test.publicKey },
    { ...test, secretKey: `${test.secretKey}x` },
    { ...test, secretKey: test.secretKey.slice(0, -1) },
    { ...test, secretKey: live.secretKey },
    { ...test, secretKey: other.secretKey },
    { ...live, secretKey: test.secretKey },
    { ...test, publicKey: test.publicKey.replace("pk_test", "pk_live") },
    { ...test, publicKey: `${test.publicKey}\n` },
    { ...test, publicKey: test.publicKey.toUpperCase() },
    { publicKey: `pk_test_${"0".repeat(24)}`, secretKey: test.secretKey },
  ];
  const refusals = await Promise.all(wrong.map(refusalOf));
  expect(new Set(refusals.map(({ code, message }) => `${code} ${message}`)).size).toBe(1);
  expect(refusals[0]?.code).toBe("unauthorized");
});

describe("a revoked key", () => {
  it("is rejected at once by the process that revoked it; the merchant's other keys still work", async () => {
    await authenticate(test);
    await revokeApiKey(operatorContext(merchantId, "test"), test.id);
    expect((await refusalOf(test)).code).toBe("unauthorized");
    expect((await authenticate(live)).apiKeyId).toBe(live.id);
  });

  it("is rejected by every other process once its cache entry is stale", async () => {
    await authenticate(test);
    await query("UPDATE api_key SET revoked_at = now() WHERE id = $1", test.id);
    const outcome = () =>
      authenticate(test).then(
        () => "accepted",
        (error: unknown) => (error as { code: string }).code,
      );
    await expect.poll(outcome).toBe("unauthorized");
  });

  it("retains the time of its first revocation; an unknown one is not found", async () => {
    const operator = operatorContext(merchantId, "test");
    const first = await revokeApiKey(operator, test.id);
    expect(await revokeApiKey(operator, test.id)).toEqual(first);
    await expect(revokeApiKey(operator, newId("apiKey"))).rejects.toMatchObject({ code: "not_found" });
  });
});

it("an expired key is rejected", async () => {
  await query("UPDATE api_key SET expires_at = now() - interval '1 second' WHERE id = $1", test.id);
  expect((await refusalOf(test)).code).toBe("unauthorized");
});
