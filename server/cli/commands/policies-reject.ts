// Owns the command by which a member rejects a proposed approval policy.
import { rejectPolicyAs } from "@/server/services/approval-policies/as-member";
import { defineCommand, required } from "../command";
import { POLICY_SCOPE, readVersion } from "../policy-options";
import { presentPolicy } from "../present-policy";

export const policiesReject = defineCommand({
  name: "policies reject",
  summary: "Reject a proposed approval policy, or take one's own back",
  options: {
    ...POLICY_SCOPE,
    version: required("N", "the version that is proposed"),
    as: required("ADDRESS", "the member who rejects it"),
  },
  run: async ({ merchant, environment, version, as }) => {
    const scope = { merchantId: merchant, environment };
    return presentPolicy(await rejectPolicyAs(scope, as, readVersion(version)));
  },
});
