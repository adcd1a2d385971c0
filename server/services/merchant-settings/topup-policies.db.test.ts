// Top-up policies in live take two people; the terms that cost the operator money are no member's.

import { beforeEach, describe, expect, it } from "vitest";
import { query } from "@/server/db/client";
import type { CallContext, Environment } from "@/server/domain/scope";
import type { TopupPolicies } from "@/server/domain/topup-terms";
import { makeMember, makeMerchant, type TestMerchant } from "@/server/testing/merchant";
import { addMember, changeTestRoles, disableMember } from "../members/manage";
import { operatorContext } from "../merchants/operator";
import { getTopupTerms, setTopupTerms } from "../merchants/topup-terms";
import { recentNotices } from "../notices/notices";
import { changeTopupPolicies, confirmTopupPolicies, openProposal, rejectTopupPolicies } from "./topup-policies";

const FIRST: TopupPolicies = { overpayment: "credit_actual", underpayment: "credit_actual", latePayment: "hold" };
const STRICT: TopupPolicies = { overpayment: "hold", underpayment: "refund", latePayment: "refund" };
const NEEDS_ANOTHER = { code: "approval_required" };

let merchant: TestMerchant;
let [owner, admin]: CallContext[] = [];
beforeEach(async () => {
  merchant = await makeMerchant();
  [owner, admin] = [await join("owner"), await join("admin")];
});

async function join(...roles: readonly string[]): Promise<CallContext> {
  const id = await makeMember(merchant.merchantId, `${crypto.randomUUID()}@shop.example`, ...roles);
  return { ...merchant.context, scope: live(), actor: { type: "member", id } };
}

function people() {
  if (!owner || !admin) throw new Error("nobody is there");
  return { owner, admin };
}

const live = () => ({ merchantId: merchant.merchantId, environment: "live" as Environment });
const policiesIn = async (environment: Environment) => {
  const { overpayment, underpayment, latePayment } = await getTopupTerms({ ...live(), environment });
  return { overpayment, underpayment, latePayment };
};

async function propose(wanted = STRICT): Promise<string> {
  expect(await changeTopupPolicies(people().owner, wanted)).toBe(false);
  return (await openProposal(live()))?.id ?? "";
}

const actions = async () =>
  (
    await query<{ action: string; actor: string }>(
      `SELECT action, actor_id AS actor FROM audit_entry WHERE merchant_id = $1
       AND (action LIKE 'topup_policies.%' OR action = 'merchant.set_topup_terms') ORDER BY created_at, id`,
      merchant.merchantId,
    )
  ).map(({ action, actor }) => [action, actor]);

describe("in live", () => {
  it("a change is proposed by an owner and holds once another confirms it, with both in the audit log", async () => {
    const { owner: first, admin: second } = people();
    const id = await propose();
    expect(await policiesIn("live")).toEqual(FIRST);
    await confirmTopupPolicies(second, id);
    expect(await policiesIn("live")).toEqual(STRICT);
    expect(await policiesIn("test")).toEqual(FIRST);
    expect(await getTopupTerms(live())).toMatchObject({ spreadBasisPoints: 50, feeMode: "absorbed" });
    expect(await openProposal(live())).toBeNull();
    expect(await actions()).toEqual([
      ["topup_policies.propose", first.actor.id],
      ["topup_policies.confirm", second.actor.id],
      ["merchant.set_topup_terms", second.actor.id],
    ]);
    const notices = await recentNotices({ merchantId: merchant.merchantId, memberId: first.actor.id });
    expect(notices.filter(({ text }) => text.includes("top-up terms"))).toHaveLength(2);
    await expect(confirmTopupPolicies(second, id)).rejects.toMatchObject({ code: "not_found" });
  });

  it("an owner alone changes nothing: neither by confirming, nor with a straw man, nor from the test environment", async () => {
    const { owner: first } = people();
    const id = await propose();
    await expect(confirmTopupPolicies(first, id)).rejects.toMatchObject(NEEDS_ANOTHER);
    const person = { email: "straw@shop.example", roles: ["admin"] };
    const straw = await addMember(operatorContext(merchant.merchantId, "test"), person, "correct horse battery");
    const strawman = { ...first, actor: { type: "member", id: straw } } as const;
    await expect(confirmTopupPolicies(strawman, id)).rejects.toMatchObject(NEEDS_ANOTHER);
    const inTest = { ...first, scope: { ...first.scope, environment: "test" } } as const;
    await expect(confirmTopupPolicies({ ...inTest, actor: people().admin.actor }, id)).rejects.toMatchObject({
      code: "not_found",
    });
    expect(await policiesIn("live")).toEqual(FIRST);
    await rejectTopupPolicies(first, id);
    expect(await openProposal(live())).toBeNull();
  });

  it("nobody else decides: no role below, no test role, nobody who was disabled, no other merchant's owner, no key", async () => {
    const id = await propose();
    const [finance, tester, gone] = [await join("finance"), await join("developer"), await join("admin")];
    const operator = operatorContext(merchant.merchantId, "test");
    await changeTestRoles(operator, tester.actor.id, ["owner"]);
    await disableMember(operator, gone.actor.id);
    const other = await makeMerchant();
    const foreign = { ...other.byMember(), scope: { ...other.scope, environment: "live" } } as const;
    const crossing = { ...foreign, scope: live() };
    for (const act of [confirmTopupPolicies, rejectTopupPolicies]) {
      for (const caller of [finance, tester, gone])
        await expect(act(caller, id)).rejects.toMatchObject({ code: "forbidden" });
      await expect(act(foreign, id)).rejects.toMatchObject({ code: "not_found" });
      await expect(act(crossing, id)).rejects.toMatchObject(NEEDS_ANOTHER);
      await expect(act({ ...merchant.context, scope: live() }, id)).rejects.toMatchObject(NEEDS_ANOTHER);
    }
    for (const caller of [people().admin, finance, tester, gone, crossing])
      await expect(changeTopupPolicies(caller, FIRST)).rejects.toMatchObject({ code: "forbidden" });
    expect((await openProposal(live()))?.id).toBe(id);
  });

  it("one is open at a time, and it is decided once, however many act at once", async () => {
    const owners = [await join("owner"), await join("owner"), await join("owner")];
    const proposals = await Promise.allSettled(owners.map((one) => changeTopupPolicies(one, STRICT)));
    expect(proposals.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const open = await openProposal(live());
    const others = [...owners, people().owner, people().admin].filter(({ actor }) => actor.id !== open?.proposedById);
    const decisions = await Promise.allSettled(
      others.map((one, n) => (n % 2 ? rejectTopupPolicies : confirmTopupPolicies)(one, open?.id ?? "")),
    );
    expect(decisions.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await actions()).filter(([action]) => /confirm|reject/.test(action ?? ""))).toHaveLength(1);
  });

  it("a proposal is void if the terms changed meanwhile, or if somebody edited it in the database", async () => {
    const id = await propose();
    const terms = {
      spreadBasisPoints: null,
      feeMode: null,
      overpayment: "refund",
      underpayment: null,
      latePayment: null,
    };
    await setTopupTerms(live(), terms);
    await expect(confirmTopupPolicies(people().admin, id)).rejects.toMatchObject({ code: "validation_failed" });
    await rejectTopupPolicies(people().admin, id);
    await query(
      `INSERT INTO topup_policy_proposal (merchant_id, id, environment, replaced, wanted, digest, state, proposed_by_id, proposed_at)
       SELECT merchant_id, 'tpp_' || substr(id, 5, 25) || CASE right(id, 1) WHEN 'z' THEN 'y' ELSE 'z' END, environment, '{"overpayment":"refund","underpayment":"credit_actual","late_payment":"hold"}',
              wanted, digest, 'proposed', proposed_by_id, proposed_at FROM topup_policy_proposal WHERE merchant_id = $1`,
      merchant.merchantId,
    );
    const forged = (await openProposal(live()))?.id ?? "";
    await expect(confirmTopupPolicies(people().admin, forged)).rejects.toMatchObject({
      message: expect.stringContaining("differs from what was proposed") as string,
    });
    expect(await policiesIn("live")).toEqual({ ...FIRST, overpayment: "refund" });
  });
});

describe("what costs the operator", () => {
  it("is not a member's: late money at a rate that has ended, in both environments", async () => {
    const wanted = { ...STRICT, latePayment: "credit_actual" } as const;
    const { owner: first } = people();
    const inTest = { ...first, scope: { ...first.scope, environment: "test" } } as const;
    for (const caller of [first, inTest])
      await expect(changeTopupPolicies(caller, wanted)).rejects.toMatchObject({ code: "validation_failed" });
    const allowed = { spreadBasisPoints: null, feeMode: null, overpayment: null, underpayment: null };
    await setTopupTerms(inTest.scope, { ...allowed, latePayment: "credit_actual" });
    expect(await changeTopupPolicies(inTest, wanted)).toBe(true);
  });
});

it("in test an owner sets it alone, and the spread and the fee stay", async () => {
  const { owner: first } = people();
  expect(await changeTopupPolicies({ ...first, scope: { ...first.scope, environment: "test" } }, STRICT)).toBe(true);
  expect(await policiesIn("test")).toEqual(STRICT);
  expect(await policiesIn("live")).toEqual(FIRST);
  expect(await actions()).toEqual([["merchant.set_topup_terms", first.actor.id]]);
});

it("what is in effect already is not proposed", async () => {
  await expect(changeTopupPolicies(people().owner, FIRST)).rejects.toMatchObject({ code: "validation_failed" });
});
