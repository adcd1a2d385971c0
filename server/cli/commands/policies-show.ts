// Owns the command that shows a merchant's approval policy.
import { showPolicies } from "@/server/services/approval-policies/show";
import { defineCommand } from "../command";
import { POLICY_SCOPE } from "../policy-options";
import { presentPolicy } from "../present-policy";

export const policiesShow = defineCommand({
  name: "policies show",
  summary: "Show how many people must approve payouts, what change is proposed, and what is wrong with it",
  options: POLICY_SCOPE,
  run: async ({ merchant, environment }) => {
    const { active, proposed, approvers, warnings } = await showPolicies({ merchantId: merchant, environment });
    return {
      merchant_id: merchant,
      environment,
      active: presentPolicy(active),
      proposed: proposed && presentPolicy(proposed),
      approvers,
      warnings,
    };
  },
});
