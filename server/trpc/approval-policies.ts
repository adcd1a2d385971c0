import { z } from "zod";
import { approvalPolicyBody } from "@/server/contract/approval-policies";
import { formatInstant } from "@/server/contract/instants";
import { stepUpProof } from "@/server/contract/step-up";
import { readPolicy, writePolicy } from "@/server/domain/approval-policy-document";
import { confirmPolicy, rejectPolicy } from "@/server/services/approval-policies/decide";
import { proposePolicy } from "@/server/services/approval-policies/propose";
import { type PolicyView, showPolicies } from "@/server/services/approval-policies/show";
import { namedActor } from "@/server/services/members/names";
import { merchantSettings } from "@/server/services/merchants/settings";
import { requireStepUp } from "@/server/services/sign-in/step-up";
import { presentActor } from "./present/actor";
import { memberProcedure, router } from "./procedures";

const version = z.object({ version: z.number().int().positive().max(999_999_999) });
const decide = memberProcedure("decide_policies");

function presentVersion(one: PolicyView["active"], names: PolicyView["names"], memberId: string) {
  const { proposedBy, proposedAt, decidedBy, decidedAt } = one;
  return {
    version: one.version,
    policy: writePolicy(one.policy),
    proposed_by: presentActor(namedActor(proposedBy, names)),
    is_mine: proposedBy.type === "member" && proposedBy.id === memberId,
    proposed_at: formatInstant(proposedAt),
    decided_by: decidedBy === null ? null : presentActor(namedActor({ type: "member", id: decidedBy }, names)),
    decided_at: decidedAt && formatInstant(decidedAt),
  };
}

export const approvalPoliciesRouter = router({
  show: memberProcedure("read_policies").query(async ({ ctx: { call } }) => {
    const [view, { currencies }] = await Promise.all([
      showPolicies(call.scope),
      merchantSettings(call.scope.merchantId),
    ]);
    const { active, proposed, names, approvers, warnings } = view;
    return {
      active: presentVersion(active, names, call.actor.id),
      proposed: proposed && presentVersion(proposed, names, call.actor.id),
      approvers,
      warnings: [...warnings],
      currencies: [...currencies].sort(),
    };
  }),

  propose: decide
    .input(stepUpProof.extend({ policy: approvalPolicyBody }))
    .mutation(async ({ ctx: { call }, input }) => {
      await requireStepUp(call, "policies", input);
      return { version: (await proposePolicy(call, readPolicy(input.policy))).version };
    }),

  confirm: decide.input(version.extend(stepUpProof.shape)).mutation(async ({ ctx: { call }, input }) => {
    await requireStepUp(call, "policies", input);
    return { version: (await confirmPolicy(call, input.version)).version };
  }),

  /** The proposer can also use it, to withdraw the proposal. */
  reject: decide.input(version).mutation(async ({ ctx: { call }, input }) => ({
    version: (await rejectPolicy(call, input.version)).version,
  })),
});
