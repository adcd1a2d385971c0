// Approvals by several people: who may approve, what they sign, and what is stored.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { query } from "@/server/db/client";
import { Forbidden } from "@/server/domain/errors";
import { requireInvariants } from "@/server/testing/invariants";
import { adoptPolicy, makeMerchant, payout, type TestMerchant } from "@/server/testing/merchant";
import { withoutIdempotency } from "../idempotency/completion";
import { getIntent } from "../intents/read";
import { approvalDigest } from "./approval-digest";
import { approvePayoutIntent } from "./approve";
import { createPayoutIntent } from "./create";
import { PAYOUTS } from "./kind";

let merchant: TestMerchant;
beforeEach(async () => {
  merchant = await makeMerchant();
});
afterEach(requireInvariants);

async function create(approvals: number, context = merchant.context) {
  if (approvals !== 1) await adoptPolicy(merchant, { rules: [], defaultApprovals: approvals });
  return (await createPayoutIntent(context, payout(), withoutIdempotency())).intent;
}

interface StoredApproval {
  readonly memberId: string;
  readonly digest: string;
  readonly revision: number;
  readonly policyVersion: number;
}

/** Returns the payout with its digest and its approvals in order. */
async function view(id: string) {
  const intent = await getIntent(PAYOUTS, merchant.scope, id);
  const approvals = await query<StoredApproval>(
    `SELECT member_id AS "memberId", digest, revision, policy_version AS "policyVersion" FROM approval
     WHERE payout_id = $1 ORDER BY created_at, member_id`,
    id,
  );
  return { intent, digest: approvalDigest(intent), approvals };
}

describe("a payout that needs several approvals", () => {
  it("stays at the gate until enough different people have approved", async () => {
    const { id, ...made } = await create(3);
    expect(made).toMatchObject({
      status: "requires_approval",
      approvalsRequired: 3,
      approvalsGiven: 0,
      policyVersion: 2,
    });
    const people = [merchant.byMember(), merchant.byMember(), merchant.byMember()];
    const steps = [];
    for (const person of people) steps.push(await approvePayoutIntent(person, { id }));
    expect(steps.map(({ status, approvalsGiven, revision }) => [status, approvalsGiven, revision])).toEqual([
      ["requires_approval", 1, 1],
      ["requires_approval", 2, 2],
      ["processing", 3, 3],
    ]);
    expect(steps[0]?.dueAt).toEqual(made.dueAt);
    const { approvals, intent } = await view(id);
    expect(
      approvals.map(({ memberId, policyVersion, revision, digest }) => [memberId, policyVersion, revision, digest]),
    ).toEqual(people.map(({ actor }, revision) => [actor.id, 2, revision, approvalDigest(intent, revision)]));
    const audited = await query<{ action: string; actor_id: string }>(
      "SELECT action, actor_id FROM audit_entry WHERE object_id = $1 AND actor_type = 'member' ORDER BY created_at, id",
      id,
    );
    expect(audited.map(({ action, actor_id }) => [action, actor_id])).toEqual([
      ["payout_intent.approve_partly", people[0]?.actor.id],
      ["payout_intent.approve_partly", people[1]?.actor.id],
      ["payout_intent.approve", people[2]?.actor.id],
    ]);
  });

  it("counts a person once, and requires the next approval from another", async () => {
    const { id } = await create(2);
    const person = merchant.byMember();
    await approvePayoutIntent(person, { id });
    await expect(approvePayoutIntent(person, { id })).rejects.toMatchObject({
      code: "approval_required",
      message: "You have already approved this payout; another member must give the next approval.",
    });
    const { intent, approvals } = await view(id);
    expect([intent.approvalsGiven, intent.status, approvals.length]).toEqual([1, "requires_approval", 1]);
  });

  it("can never be approved by its maker", async () => {
    const maker = merchant.byMember();
    const { id } = await create(2, maker);
    await approvePayoutIntent(merchant.byMember(), { id });
    await expect(approvePayoutIntent(maker, { id })).rejects.toMatchObject({ code: "approval_required" });
  });
});

it("a payout that needs no approval goes to dispatch at once", async () => {
  const intent = await create(0);
  expect(intent).toMatchObject({ status: "processing", approvalsRequired: 0, approvalsGiven: 0, policyVersion: 2 });
  expect(intent.dueAt).toEqual(intent.createdAt);
});

describe("an approver's digest", () => {
  it("matches the shown payout, also after another person's approval", async () => {
    const { id } = await create(2);
    const shown = await view(id);
    const [first, second] = [merchant.byMember(), merchant.byMember()];
    await approvePayoutIntent(first, { id, digest: shown.digest });
    expect(await approvePayoutIntent(second, { id, digest: shown.digest })).toMatchObject({ status: "processing" });
    const { approvals } = await view(id);
    expect(approvals.map(({ revision, digest }) => [revision, digest])).toEqual([
      [0, shown.digest],
      [0, shown.digest],
    ]);
  });

  it("of anything else is rejected without an approval", async () => {
    const [{ id }, other] = [await create(1), await create(1)];
    const { intent, digest } = await view(id);
    const changed = [
      approvalDigest({ ...intent, amount: intent.amount + 1n }),
      approvalDigest({ ...intent, currency: "JPY" }),
      approvalDigest({ ...intent, recipient: { ...intent.recipient, bankCode: "002" } }),
      approvalDigest({ ...intent, recipient: { ...intent.recipient, holderName: "Eva" } }),
      approvalDigest({ ...intent, account: { ...intent.account, digest: "k.other" } }),
      approvalDigest(intent, intent.revision + 1),
      approvalDigest(other),
      "",
    ];
    expect(new Set([digest, ...changed]).size).toBe(changed.length + 1);
    for (const wrong of changed) {
      await expect(approvePayoutIntent(merchant.byMember(), { id, digest: wrong })).rejects.toMatchObject({
        code: "approval_required",
        message: expect.stringContaining("has changed since it was shown") as string,
      });
    }
    expect((await view(id)).approvals).toEqual([]);
    expect(await approvePayoutIntent(merchant.byMember(), { id, digest })).toMatchObject({ status: "processing" });
  });
});

describe("a member who is disabled or loses the role", () => {
  const lose = { disabled: "disabled_at = now()", demoted: "roles = ARRAY['finance']" } as const;

  it.each(["disabled", "demoted"] as const)("cannot approve once %s, and earlier approvals count", async (how) => {
    const { id } = await create(2);
    const [early, late] = [merchant.byMember(), merchant.byMember()];
    await approvePayoutIntent(early, { id });
    for (const { actor } of [early, late]) {
      await query(`UPDATE member SET ${lose[how]} WHERE merchant_id = $1 AND id = $2`, merchant.merchantId, actor.id);
    }
    await expect(approvePayoutIntent(late, { id })).rejects.toThrow(Forbidden);
    expect(await approvePayoutIntent(merchant.byMember(), { id })).toMatchObject({ status: "processing" });
  });
});
