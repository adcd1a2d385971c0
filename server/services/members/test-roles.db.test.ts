// Roles that differ between the environments: what somebody may do in test gives them nothing in live.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findCurrentPolicies } from "@/server/db/approval-policies";
import { query } from "@/server/db/client";
import type { Role } from "@/server/domain/permissions";
import type { CallContext, Environment } from "@/server/domain/scope";
import { requireInvariants } from "@/server/testing/invariants";
import { makeLiveMerchant, payout, type TestMerchant } from "@/server/testing/merchant";
import { installScriptedProvider } from "@/server/testing/scripted-provider";
import { confirmPolicy } from "../approval-policies/decide";
import { proposePolicy } from "../approval-policies/propose";
import { withoutIdempotency } from "../idempotency/completion";
import { operatorContext } from "../merchants/operator";
import { approvePayoutIntent } from "../payouts/approve";
import { createPayoutIntent } from "../payouts/create";
import { addMember, changeRoles, changeTestRoles } from "./manage";

const FORBIDDEN = { code: "forbidden" };
const POLICY = { rules: [], defaultApprovals: 1 };

let merchant: TestMerchant;
beforeEach(async () => {
  installScriptedProvider();
  merchant = await makeLiveMerchant();
});
afterEach(requireInvariants);

async function join(roles: Role[], testRoles: Role[] | null): Promise<(environment: Environment) => CallContext> {
  const operator = operatorContext(merchant.merchantId, "test");
  const id = await addMember(
    operator,
    { email: `${crypto.randomUUID()}@shop.example`, roles },
    "correct horse battery",
  );
  await changeTestRoles(operator, id, testRoles);
  const actor = { type: "member", id } as const;
  return (environment) => ({ ...merchant.context, scope: { merchantId: merchant.merchantId, environment }, actor });
}

async function createBy(context: CallContext): Promise<string> {
  return (await createPayoutIntent(context, payout(), withoutIdempotency())).intent.id;
}

describe("an owner of test who is finance in live", () => {
  let tester: (environment: Environment) => CallContext;
  beforeEach(async () => {
    tester = await join(["finance"], ["owner"]);
  });

  it("approves payouts in test, and none in live", async () => {
    const scopes = { test: operatorContext(merchant.merchantId, "test").scope, live: merchant.scope };
    const keys = await query<{ id: string; environment: Environment }>(
      "SELECT id, environment FROM api_key WHERE merchant_id = $1",
      merchant.merchantId,
    );
    const byKey = (environment: Environment): CallContext => {
      const id = keys.find((key) => key.environment === environment)?.id ?? "";
      return { ...merchant.context, scope: scopes[environment], actor: { type: "api_key", id } };
    };
    const inTest = await createBy(byKey("test"));
    expect((await approvePayoutIntent(tester("test"), { id: inTest })).status).toBe("processing");
    await proposeLivePolicy();
    const inLive = await createBy(byKey("live"));
    await expect(approvePayoutIntent(tester("live"), { id: inLive })).rejects.toMatchObject(FORBIDDEN);
    const bare = query(
      `INSERT INTO approval (merchant_id, payout_id, member_id, digest, created_at, revision, policy_version)
       VALUES ($1, $2, $3, 'x', now(), 0, 1)`,
      merchant.merchantId,
      inLive,
      tester("live").actor.id,
    );
    await expect(bare).rejects.toThrow("approval_by_an_approver");
  });

  it("cannot propose a policy in live", async () => {
    await expect(proposePolicy(tester("live"), POLICY)).rejects.toMatchObject(FORBIDDEN);
    expect((await proposePolicy(tester("test"), POLICY)).state).toBe("proposed");
  });

  it("changes no member from the pages of test", async () => {
    const id = await addMember(
      operatorContext(merchant.merchantId, "test"),
      { email: `${crypto.randomUUID()}@shop.example`, roles: ["finance"] },
      "correct horse battery",
    );
    for (const environment of ["test", "live"] as const) {
      const call = tester(environment);
      await expect(changeRoles(call, id, ["owner"])).rejects.toMatchObject(FORBIDDEN);
    }
  });
});

/** Requires one approval of each live payout. */
async function proposeLivePolicy(): Promise<void> {
  const { version } = await proposePolicy(merchant.byMember(), POLICY);
  await confirmPolicy(merchant.byMember(), version);
  expect((await findCurrentPolicies(merchant.scope)).some((one) => one.version === version)).toBe(true);
}

it("a developer of test needs no role in live; without roles in test somebody keeps one in live", async () => {
  const operator = operatorContext(merchant.merchantId, "test");
  const developer = await join(["developer"], ["developer"]);
  const { id } = developer("test").actor;
  expect((await changeRoles(operator, id, [])).roles).toEqual([]);
  await expect(createBy(developer("live"))).rejects.toMatchObject(FORBIDDEN);
  await changeRoles(operator, id, ["developer"]);
  expect((await changeTestRoles(operator, id, null)).testRoles).toBeNull();
  await expect(changeRoles(operator, id, [])).rejects.toMatchObject({ code: "validation_failed" });
  await expect(changeTestRoles(operator, id, ["king"])).rejects.toMatchObject({ code: "validation_failed" });
});

it("authority in test begins with the role there, and authority in live does not", async () => {
  const authority = () =>
    query<{ test: Date; live: Date }>(
      "SELECT authority_test_from AS test, authority_live_from AS live FROM member WHERE id = $1",
      member("test").actor.id,
    );
  const member = await join(["approver"], []);
  const [before] = await authority();
  await changeTestRoles(operatorContext(merchant.merchantId, "test"), member("test").actor.id, null);
  const [after] = await authority();
  expect(after?.test.getTime()).toBeGreaterThan(before?.test.getTime() ?? Number.POSITIVE_INFINITY);
  expect(after?.live).toEqual(before?.live);
});
