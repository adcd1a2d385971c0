// Keys, people and settings change together with their audit entry, which holds no secret.
import { afterEach, describe, expect, it } from "vitest";
import { insertApiKey } from "@/server/db/api-keys";
import type { Act } from "@/server/db/audit/record";
import { query } from "@/server/db/client";
import { insertMerchant } from "@/server/db/merchants";
import { NO_LIMITS } from "@/server/domain/api-key";
import { walletFunding } from "@/server/domain/ledger";
import { newId } from "@/server/platform/ids";
import { countRows, requireInvariants } from "@/server/testing/invariants";
import { makeMember, makeMerchant } from "@/server/testing/merchant";
import { createApiKey } from "../api-keys/create";
import { revokeApiKey } from "../api-keys/revoke";
import { addMember } from "../members/manage";
import { setCheckoutMode } from "./checkout-mode";
import { createMerchant } from "./create";
import { operatorAct, operatorContext } from "./operator";

afterEach(requireInvariants);

const BY_OPERATOR = { actor_type: "operator", actor_id: "cli", reason: null, request_id: null, address: null };

/** Somebody the database refuses as an actor: the audit entry cannot be written. */
const NOBODY = { ...operatorAct(), actor: { type: "nobody", id: "x" } } as unknown as Act;

async function entriesOf(merchantId: string) {
  return query<{ action: string; object_id: string; environment: string | null; before: object; after: object }>(
    `SELECT action, object_id, environment, actor_type, actor_id, before, after, reason, request_id, address
     FROM audit_entry WHERE merchant_id = $1 ORDER BY created_at, id`,
    merchantId,
  );
}

async function lastEntryOf(merchantId: string) {
  return (await entriesOf(merchantId)).at(-1);
}

describe("an operator's change", () => {
  it("of a merchant's existence is audited, with what its test wallets start with", async () => {
    const id = await createMerchant("Shop", ["BRL", "JPY"]);
    const entries = await entriesOf(id);
    expect(entries.map(({ action, object_id: about }) => [action, about]).sort()).toEqual([
      ["merchant.create", id],
      ["wallet.fund", "wallet:BRL"],
      ["wallet.fund", "wallet:JPY"],
    ]);
    expect(entries.find(({ action }) => action === "merchant.create")).toEqual({
      ...BY_OPERATOR,
      action: "merchant.create",
      object_id: id,
      environment: null,
      before: null,
      after: {
        name: "Shop",
        currencies: ["BRL", "JPY"],
        approval_policy: { default_approvals: 1, rules: [] },
      },
    });
  });

  it("of keys is audited: created, and revoked once", async () => {
    const { merchantId } = await makeMerchant();
    const live = operatorContext(merchantId, "live");
    const { id, publicKey } = await createApiKey(live, "Till 4");
    const key = { ...BY_OPERATOR, object_id: id, environment: "live" };
    const state = { name: "Till 4", public_key: publicKey };
    expect(await lastEntryOf(merchantId)).toEqual({ ...key, action: "api_key.create", before: null, after: state });
    const at = await revokeApiKey(live, id);
    const revoked = {
      ...key,
      action: "api_key.revoke",
      before: { ...state, revoked_at: null },
      after: { ...state, revoked_at: at.toISOString() },
    };
    expect(await lastEntryOf(merchantId)).toEqual(revoked);
    const count = await countRows("audit_entry", merchantId);
    expect(await revokeApiKey(live, id)).toEqual(at);
    expect(await countRows("audit_entry", merchantId)).toBe(count);
  });

  it("of people and settings is audited; setting what is set already is no change", async () => {
    const { merchantId } = await makeMerchant();
    const id = await makeMember(merchantId, "eva@shop.example", "finance");
    const about = { ...BY_OPERATOR, environment: null };
    const member = { email: "eva@shop.example", roles: ["finance"] };
    const created = { ...about, action: "member.create", object_id: id, before: null, after: member };
    expect(await lastEntryOf(merchantId)).toEqual(created);
    await setCheckoutMode(merchantId, "hosted");
    await setCheckoutMode(merchantId, "hosted");
    const modes = { before: { checkout_mode: "direct" }, after: { checkout_mode: "hosted" } };
    const changed = { ...about, action: "merchant.set_checkout", object_id: merchantId, ...modes };
    expect((await entriesOf(merchantId)).slice(-2)).toEqual([created, changed]);
  });

  it("leaves no secret, nor the hash of one, in any audit row", async () => {
    const { merchantId } = await makeMerchant();
    const password = "correct horse battery staple";
    const operator = operatorContext(merchantId, "test");
    const { id, secretKey, publicKey } = await createApiKey(operator, "k");
    await addMember(operator, { email: "s@shop.example", roles: ["owner"] }, password);
    await revokeApiKey(operator, id);
    const [kept] = await query<{ secret_hash: string; password_hash: string }>(
      `SELECT k.secret_hash, m.password_hash FROM api_key k JOIN member m USING (merchant_id)
       WHERE k.merchant_id = $1 AND k.id = $2 AND m.email = 's@shop.example'`,
      merchantId,
      id,
    );
    const [log] = await query<{ text: string }>("SELECT string_agg(e::text, ' ') AS text FROM audit_entry e");
    expect(log?.text).toContain(publicKey);
    for (const secret of [secretKey, password, kept?.secret_hash, kept?.password_hash]) {
      expect(secret?.length).toBeGreaterThan(20);
      expect(log?.text).not.toContain(secret);
    }
  });
});

describe("change and audit entry stand or fall together", () => {
  it("a change that is refused leaves no entry", async () => {
    const { merchantId } = await makeMerchant();
    const create = () => makeMember(merchantId, "x@shop.example", "owner");
    await create();
    const count = await countRows("audit_entry", merchantId);
    await expect(create()).rejects.toMatchObject({ code: "validation_failed" });
    expect(await countRows("audit_entry", merchantId)).toBe(count);
    expect(await countRows("audit_pending", merchantId)).toBe(count);
  });

  it("an entry that cannot be written leaves no change", async () => {
    const { merchantId } = await makeMerchant();
    const names = { id: newId("apiKey"), merchantId, name: "k", publicKey: "pk_test_lost" };
    const key = { ...names, environment: "test", secretHash: "h", pepperId: "p", ...NO_LIMITS } as const;
    const before = await countRows("api_key", merchantId);
    await expect(insertApiKey(key, NOBODY)).rejects.toThrow("audit_entry_actor_type_known");
    expect(await countRows("api_key", merchantId)).toBe(before);
  });

  it("a merchant whose opening funds cannot be booked does not come to be", async () => {
    const id = newId("merchant");
    const effects = { context: operatorContext(id, "test"), action: "wallet.fund" };
    const booking = { transaction: walletFunding("opening:BRL", "BRL", 1n), objectId: "wallet:BRL", effects };
    const merchant = { id, name: "Shop", currencies: ["BRL"], opening: [booking, booking], keys: [] };
    await expect(insertMerchant(merchant, operatorAct())).rejects.toThrow(
      "ledger_transaction_merchant_id_environment_unique_key_key",
    );
    expect(await query("SELECT id FROM merchant WHERE id = $1", id)).toEqual([]);
    for (const table of ["merchant_currency", "ledger_account", "ledger_entry", "audit_entry", "audit_pending"]) {
      expect([table, await countRows(table, id)]).toEqual([table, 0]);
    }
  });
});
