// Owns the command by which a member confirms a proposed approval policy.
import { confirmPolicyAs } from "@/server/services/approval-policies/as-member";
import { defineCommand, required } from "../command";
import { POLICY_SCOPE, readVersion } from "../policy-options";
import { presentPolicy } from "../present-policy";

export const policiesConfirm = defineCommand({
  name: "policies confirm",
  summary: "Put a proposed approval policy into effect, as another member than the one who proposed it",
  options: {
    ...POLICY_SCOPE,
    version: required("N", "the version that is proposed"),
    as: required("ADDRESS", "the member who confirms it"),
  },
  run: async ({ merchant, environment, version, as }) => {
    const scope = { merchantId: merchant, environment };
    return presentPolicy(await confirmPolicyAs(scope, as, readVersion(version)));
  },
});
