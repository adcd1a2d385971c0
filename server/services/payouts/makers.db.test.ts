// Four eyes are two people: nobody approves what they made, also through an API key, nor with authority that is newer.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { query } from "@/server/db/client";
import type { Role } from "@/server/domain/permissions";
import type { CallContext, Environment } from "@/server/domain/scope";
import { newId } from "@/server/platform/ids";
import { requireInvariants } from "@/server/testing/invariants";
import { adoptPolicy, makeMerchant, payout, type TestMerchant } from "@/server/testing/merchant";
import { installScriptedProvider } from "@/server/testing/scripted-provider";
import { createApiKey } from "../api-keys/create";
import { rollApiKey } from "../api-keys/roll";
import { withoutIdempotency } from "../idempotency/completion";
import { getIntent } from "../intents/read";
import { addMember, changeRoles, disableMember, enableMember, resetPassword } from "../members/manage";
import { choosePassword } from "../members/one-time-links";
import { confirmGrant, listOpenGrants } from "../members/role-grants";
import { setAuthorityCoolDown } from "../merchants/authority-cool-down";
import { operatorContext } from "../merchants/operator";
import { fundWallet } from "../wallets";
import { approvePayoutIntent } from "./approve";
import { createPayoutIntent } from "./create";
import { PAYOUTS } from "./kind";
import { countWaitingFor } from "./waiting";

let merchant: TestMerchant;
beforeEach(async () => {
  merchant = await makeMerchant();
});
afterEach(requireInvariants);

const PASSWORD = "correct horse battery";
const inEnvironment = (context: CallContext, environment: Environment): CallContext => ({
  ...context,
  scope: { ...context.scope, environment },
});
const withKey = (context: CallContext, id: string): CallContext => ({ ...context, actor: { type: "api_key", id } });

/** A member whom the operator adds: their authority counts at once. */
async function join(...roles: readonly Role[]): Promise<CallContext> {
  const email = `${newId("request")}@shop.example`;
  const id = await addMember(operatorContext(merchant.merchantId, "test"), { email, roles }, PASSWORD);
  return { ...merchant.context, actor: { type: "member", id } };
}

async function createBy(context: CallContext): Promise<string> {
  return (await createPayoutIntent(context, payout(), withoutIdempotency())).intent.id;
}

const REFUSED = { code: "approval_required" };
const statusOf = async (id: string, scope = merchant.scope) => (await getIntent(PAYOUTS, scope, id)).status;

/** Confirms every role that waits for another person, as one of the merchant's other owners. */
async function confirmGrants(): Promise<void> {
  for (const { id } of await listOpenGrants(merchant.merchantId)) await confirmGrant(merchant.byMember(), id);
}

describe("an admin alone cannot send money", () => {
  it("through a key that they created", async () => {
    const admin = await join("admin");
    const id = await createBy(withKey(admin, (await createApiKey(admin, "Mine")).id));
    await expect(approvePayoutIntent(admin, { id })).rejects.toMatchObject(REFUSED);
    expect(await countWaitingFor(merchant.scope, admin.actor.id)).toBe(0);
    expect(await statusOf(id)).toBe("requires_approval");
    await approvePayoutIntent(merchant.byMember(), { id });
    expect(await statusOf(id)).toBe("processing");
  });

  it("through a key that they rolled, nor through the former key in its grace period", async () => {
    const [admin, developer] = [await join("admin"), await join("developer")];
    const old = await createApiKey(developer, "Web shop");
    const before = await createBy(withKey(admin, old.id));
    const rolled = await rollApiKey(admin, { id: old.id, graceSeconds: 600 });
    for (const keyId of [old.id, rolled.id]) {
      const id = await createBy(withKey(admin, keyId));
      await expect(approvePayoutIntent(admin, { id })).rejects.toMatchObject(REFUSED);
    }
    await approvePayoutIntent(admin, { id: before });
    expect(await statusOf(before)).toBe("processing");
  });

  it("through a key whose maker is unknown", async () => {
    const [admin, approver] = [await join("admin"), await join("approver")];
    const unknown = withKey(admin, newId("apiKey"));
    const id = await createBy(unknown);
    await expect(approvePayoutIntent(admin, { id })).rejects.toMatchObject(REFUSED);
    await approvePayoutIntent(approver, { id });
    expect(await statusOf(id)).toBe("processing");
  });

  it("through colleagues whom they invite, under a policy of three", async () => {
    await adoptPolicy(merchant, { rules: [], defaultApprovals: 3 });
    const owner = await join("owner");
    const id = await createBy(withKey(owner, (await createApiKey(owner, "Mine")).id));
    const invited = await addMember(owner, { email: "straw@shop.example", roles: ["approver"] }, PASSWORD);
    await confirmGrants();
    const straw: CallContext = { ...owner, actor: { type: "member", id: invited } };
    await expect(approvePayoutIntent(straw, { id })).rejects.toMatchObject(REFUSED);
    expect(await countWaitingFor(merchant.scope, invited)).toBe(0);
  });

  it("through a member whom they gave a role or a password, or enabled, after the payout was made", async () => {
    const owner = await join("owner");
    const [promoted, reset, enabled] = [await join("finance"), await join("approver"), await join("approver")];
    await disableMember(owner, enabled.actor.id);
    const id = await createBy(withKey(owner, (await createApiKey(owner, "Mine")).id));
    await changeRoles(owner, promoted.actor.id, ["finance", "approver"]);
    const { link } = await resetPassword(owner, reset.actor.id);
    await enableMember(owner, enabled.actor.id);
    await confirmGrants();
    for (const approver of [promoted, reset, enabled])
      await expect(approvePayoutIntent(approver, { id })).rejects.toMatchObject(REFUSED);
    const later = await createBy(merchant.context);
    await choosePassword(link.split("#")[1] ?? "", "another battery staple", { requestId: null, address: null });
    await expect(approvePayoutIntent(reset, { id: later })).rejects.toMatchObject(REFUSED);
    await approvePayoutIntent(promoted, { id: later });
    expect(await statusOf(later)).toBe("processing");
  });

  it("nor does the database accept it, whatever the service believes", async () => {
    const admin = await join("admin");
    const id = await createBy(withKey(admin, (await createApiKey(admin, "Mine")).id));
    const straw = await join("approver");
    const approve = (member: CallContext) =>
      query(
        `INSERT INTO approval (merchant_id, payout_id, member_id, digest, created_at, revision, policy_version)
         VALUES ($1, $2, $3, 'digest', now(), 0, 1)`,
        merchant.merchantId,
        id,
        member.actor.id,
      );
    await expect(approve(admin)).rejects.toMatchObject({ constraint: "approval_by_another_person" });
    await expect(approve(straw)).rejects.toMatchObject({ constraint: "approver_predates_payout" });
    const change = (set: string, of: string, id: string) => query(`UPDATE ${of} SET ${set} WHERE id = $1`, id);
    await expect(change("makers = '{}'", "payout_intent", id)).rejects.toMatchObject({
      constraint: "payout_intent_identity_is_fixed",
    });
    await change("authority_test_from = '2020-01-01'", "member", straw.actor.id);
    await expect(approve(straw)).rejects.toMatchObject({ constraint: "approver_predates_payout" });
  });
});

describe("authority in live", () => {
  beforeEach(async () => {
    installScriptedProvider();
    const context = operatorContext(merchant.merchantId, "live");
    await fundWallet(context, { currency: "BRL", amount: 1_000_000n, reference: "live" });
  });
  const live = (context: CallContext) => inEnvironment(context, "live");
  const invite = async (by: CallContext) => {
    const email = `${newId("request")}@shop.example`;
    const id = await addMember(by, { email, roles: ["approver"] }, PASSWORD);
    await confirmGrants();
    return { ...by, actor: { type: "member", id } } as CallContext;
  };

  it("counts after the cool-down if a member gave it, and at once if the operator did", async () => {
    const owner = live(await join("owner"));
    const [straw, byOperator] = [await invite(owner), live(await join("approver"))];
    const id = await createBy(withKey(owner, (await createApiKey(owner, "Mine")).id));
    await expect(approvePayoutIntent(straw, { id })).rejects.toMatchObject(REFUSED);
    await approvePayoutIntent(byOperator, { id });
    expect(await statusOf(id, owner.scope)).toBe("processing");
    const [row] = await query<{ seconds: number }>(
      `SELECT extract(epoch FROM authority_live_from - authority_test_from)::int AS seconds FROM member WHERE id = $1`,
      straw.actor.id,
    );
    expect(row?.seconds).toBe(86_400);
  });

  it("has the cool-down that the operator sets, between none and thirty days", async () => {
    await setAuthorityCoolDown(merchant.merchantId, 0);
    const owner = live(await join("owner"));
    const straw = await invite(owner);
    const id = await createBy(withKey(owner, (await createApiKey(owner, "Mine")).id));
    await approvePayoutIntent(straw, { id });
    expect(await statusOf(id, owner.scope)).toBe("processing");
    for (const seconds of [-1, 0.5, 2_592_001])
      await expect(setAuthorityCoolDown(merchant.merchantId, seconds)).rejects.toMatchObject({
        code: "validation_failed",
      });
  });
});
