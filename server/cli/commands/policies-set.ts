// Owns the command by which a member proposes a change of the approval policy.
import { readFile } from "node:fs/promises";
import { approvalPolicyBody } from "@/server/contract/approval-policies";
import { readPolicy } from "@/server/domain/approval-policy-document";
import { parseStrictJson } from "@/server/http/strict-json";
import { validate } from "@/server/http/validate";
import { proposePolicyAs } from "@/server/services/approval-policies/as-member";
import { defineCommand, required, UsageError } from "../command";
import { POLICY_SCOPE } from "../policy-options";
import { presentPolicy } from "../present-policy";

export const policiesSet = defineCommand({
  name: "policies set",
  summary: "Propose an approval policy as a member; it holds once another member confirms it",
  options: {
    ...POLICY_SCOPE,
    file: required("PATH", "the policy: JSON, see docs/approvals.md"),
    as: required("ADDRESS", "the member who proposes it"),
  },
  run: async ({ merchant, environment, file, as }) => {
    const bytes = await readFile(file).catch((error: unknown) => {
      throw new UsageError(`--file: ${(error as Error).message}`);
    });
    const policy = readPolicy(validate(approvalPolicyBody, parseStrictJson(bytes), "body"));
    return presentPolicy(await proposePolicyAs({ merchantId: merchant, environment }, as, policy));
  },
});
