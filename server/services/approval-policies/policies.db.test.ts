// A change of the approval policy takes two people, leaves its trace, and that a bad one is refused.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { query } from "@/server/db/client";
import type { ApprovalPolicy } from "@/server/domain/approval-policy";
import { Forbidden } from "@/server/domain/errors";
import { newId } from "@/server/platform/ids";
import { addMember } from "@/server/services/members/manage";
import { operatorContext } from "@/server/services/merchants/operator";
import { requireInvariants } from "@/server/testing/invariants";
import { makeMerchant, type TestMerchant } from "@/server/testing/merchant";
import { activePolicy } from "./active";
import { confirmPolicy, rejectPolicy } from "./decide";
import { proposePolicy } from "./propose";
import { showPolicies } from "./show";

const STRICT: ApprovalPolicy = { defaultApprovals: 2, rules: [{ currency: "BRL", amountAtLeast: 500n, approvals: 3 }] };
const LOOSE: ApprovalPolicy = { defaultApprovals: 0, rules: [] };

let merchant: TestMerchant;
beforeEach(async () => {
  merchant = await makeMerchant();
});
afterEach(requireInvariants);

const setMember = (id: string, change: string) =>
  query(`UPDATE member SET ${change} WHERE merchant_id = $1 AND id = $2`, merchant.merchantId, id);

/** Leaves that many members who may approve payouts. */
async function keepApprovers(count: number): Promise<void> {
  await query(
    `UPDATE member SET disabled_at = now() WHERE merchant_id = $1 AND id NOT IN (
       SELECT id FROM member WHERE merchant_id = $1 ORDER BY id LIMIT $2)`,
    merchant.merchantId,
    count,
  );
}

async function auditOf(version: number) {
  return query<{ action: string; actor_id: string; environment: string; before: object; after: object }>(
    `SELECT action, actor_id, environment, before, after FROM audit_entry
     WHERE merchant_id = $1 AND object_id = $2 ORDER BY created_at, id`,
    merchant.merchantId,
    `approval_policy:${version}`,
  );
}

it("an owner alone cannot change the policy, with an owner whom they made after proposing it", async () => {
  const owner = merchant.byMember();
  const { version } = await proposePolicy(owner, LOOSE);
  const person = { email: "straw@shop.example", roles: ["owner"] };
  const id = await addMember(operatorContext(merchant.merchantId, "test"), person, "correct horse battery");
  const straw = { ...owner, actor: { ...owner.actor, id } };
  await expect(confirmPolicy(straw, version)).rejects.toMatchObject({ code: "approval_required" });
  expect((await rejectPolicy(straw, version)).state).toBe("rejected");
});

describe("a change of the policy", () => {
  it("is proposed by one member and takes effect when another confirms it, with both in the audit log", async () => {
    const [first, second] = [merchant.byMember(), merchant.byMember()];
    const proposed = await proposePolicy(first, STRICT);
    expect(proposed).toMatchObject({ version: 2, state: "proposed", policy: STRICT, decidedBy: null });
    expect(await activePolicy(merchant.scope)).toMatchObject({ version: 1 });
    const confirmed = await confirmPolicy(second, 2);
    expect(confirmed).toMatchObject({
      state: "active",
      proposedBy: { id: first.actor.id },
      decidedBy: second.actor.id,
    });
    expect(await activePolicy(merchant.scope)).toMatchObject({ version: 2, policy: STRICT });
    const live = { ...merchant.scope, environment: "live" as const };
    expect(await activePolicy(live)).toMatchObject({ version: 1 });
    const before = { version: 1, state: "active", default_approvals: 1, rules: [] };
    const rules = [{ currency: "BRL", amount_at_least: "500", approvals: 3 }];
    const after = { version: 2, default_approvals: 2, rules };
    expect(await auditOf(2)).toEqual([
      {
        action: "approval_policy.propose",
        actor_id: first.actor.id,
        environment: "test",
        before,
        after: { ...after, state: "proposed" },
      },
      {
        action: "approval_policy.confirm",
        actor_id: second.actor.id,
        environment: "test",
        before,
        after: { ...after, state: "active" },
      },
    ]);
    expect(
      await query(
        "SELECT version, state FROM approval_policy WHERE merchant_id = $1 AND environment = 'test' ORDER BY 1",
        merchant.merchantId,
      ),
    ).toEqual([
      { version: 1, state: "superseded" },
      { version: 2, state: "active" },
    ]);
  });

  it("is never confirmed by who proposed it, who may take it back; another may reject it", async () => {
    const [first, second] = [merchant.byMember(), merchant.byMember()];
    await proposePolicy(first, LOOSE);
    await expect(confirmPolicy(first, 2)).rejects.toMatchObject({ code: "approval_required" });
    expect(await rejectPolicy(first, 2)).toMatchObject({ state: "rejected" });
    await expect(confirmPolicy(second, 2)).rejects.toMatchObject({ code: "not_found" });
    await proposePolicy(first, LOOSE);
    expect(await rejectPolicy(second, 3)).toMatchObject({ version: 3, state: "rejected", decidedBy: second.actor.id });
    expect((await showPolicies(merchant.scope)).active).toMatchObject({ version: 1 });
    expect((await auditOf(3)).map(({ action }) => action)).toEqual([
      "approval_policy.propose",
      "approval_policy.reject",
    ]);
  });

  it("is one at a time, also when several are proposed at once", async () => {
    const results = await Promise.allSettled([1, 2, 3, 4].map(() => proposePolicy(merchant.byMember(), LOOSE)));
    const refused = results.filter(({ status }) => status === "rejected");
    expect(refused).toHaveLength(3);
    for (const one of refused) expect(one).toMatchObject({ reason: { code: "validation_failed" } });
    expect((await showPolicies(merchant.scope)).proposed).toMatchObject({ version: 2 });
  });

  it("is decided once, when many confirm and reject it at once", async () => {
    await proposePolicy(merchant.byMember(), LOOSE);
    const people = Array.from({ length: 6 }, () => merchant.byMember());
    const decide = people.map((person, n) => (n % 2 ? confirmPolicy(person, 2) : rejectPolicy(person, 2)));
    const results = await Promise.allSettled(decide);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await auditOf(2)).toHaveLength(2);
    expect((await showPolicies(merchant.scope)).proposed).toBeNull();
  });

  it("is a matter of owners and admins of the merchant, as they are when they act", async () => {
    const [first, second, third] = [merchant.byMember(), merchant.byMember(), merchant.byMember()];
    await setMember(first.actor.id, "roles = ARRAY['approver','finance','developer']");
    await expect(proposePolicy(first, LOOSE)).rejects.toThrow(Forbidden);
    await proposePolicy(second, LOOSE);
    await setMember(third.actor.id, "disabled_at = now()");
    for (const person of [first, third]) await expect(confirmPolicy(person, 2)).rejects.toThrow(Forbidden);
    const key = { ...merchant.context, actor: { type: "api_key", id: newId("apiKey") } } as const;
    const operator = { ...merchant.context, actor: { type: "operator", id: "cli" } } as const;
    const stranger = { ...(await makeMerchant()).byMember(), scope: merchant.scope };
    for (const context of [key, operator, stranger]) {
      await expect(proposePolicy(context, LOOSE)).rejects.toMatchObject({ code: "approval_required" });
      await expect(confirmPolicy(context, 2)).rejects.toMatchObject({ code: "approval_required" });
      await expect(rejectPolicy(context, 2)).rejects.toMatchObject({ code: "approval_required" });
    }
  });
});

describe("a policy that nobody could satisfy", () => {
  it("is refused when it is proposed, with the numbers, and accepted with one approver more than it asks for", async () => {
    await keepApprovers(3);
    const [person] = await query<{ id: string }>(
      "SELECT id FROM member WHERE merchant_id = $1 AND disabled_at IS NULL LIMIT 1",
      merchant.merchantId,
    );
    const context = { ...merchant.byMember(), actor: { type: "member", id: person?.id ?? "" } } as const;
    await expect(proposePolicy(context, STRICT)).rejects.toMatchObject({
      code: "validation_failed",
      message: expect.stringContaining("3 active members may approve payouts") as string,
    });
    expect(await proposePolicy(context, { ...STRICT, rules: [] })).toMatchObject({ state: "proposed" });
  });

  it("is refused when it is confirmed, if members have left since; a policy in effect then warns", async () => {
    const [first, second] = [merchant.byMember(), merchant.byMember()];
    await proposePolicy(first, STRICT);
    const others = await query<{ id: string }>(
      "SELECT id FROM member WHERE merchant_id = $1 AND id NOT IN ($2, $3)",
      merchant.merchantId,
      first.actor.id,
      second.actor.id,
    );
    for (const { id } of others.slice(1)) await setMember(id, "disabled_at = now()");
    await expect(confirmPolicy(second, 2)).rejects.toMatchObject({ code: "validation_failed" });
    expect(await showPolicies(merchant.scope)).toMatchObject({ active: { version: 1 }, approvers: 3, warnings: [] });
    await setMember(others[1]?.id ?? "", "disabled_at = NULL");
    await confirmPolicy(second, 2);
    await setMember(others[1]?.id ?? "", "roles = ARRAY['finance']");
    expect((await showPolicies(merchant.scope)).warnings).toEqual([
      "the active policy can ask for 3 approvals; 3 active members may approve payouts, and the maker of a payout cannot approve it, so 4 are needed",
    ]);
  });
});

it("a faulty policy and one in a currency that is not the merchant's are refused, and nothing is stored", async () => {
  const bad: readonly [string, ApprovalPolicy][] = [
    ["default_approvals", { defaultApprovals: 4, rules: [] }],
    ["rules[0].currency is not enabled", { defaultApprovals: 1, rules: [{ currency: "MXN", approvals: 1 }] }],
    ["rules[0].amount_at_least", { defaultApprovals: 1, rules: [{ amountAtLeast: 5n, approvals: 1 }] }],
  ];
  for (const [start, policy] of bad) {
    await expect(proposePolicy(merchant.byMember(), policy)).rejects.toMatchObject({
      code: "validation_failed",
      message: expect.stringContaining(start) as string,
    });
  }
  expect((await showPolicies(merchant.scope)).proposed).toBeNull();
});
