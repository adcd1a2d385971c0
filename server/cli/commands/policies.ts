import { approvalPolicyBody } from "@/server/contract/approval-policies";
import { formatInstant } from "@/server/contract/instants";
import { describePolicy, readPolicy, writePolicy } from "@/server/domain/approval-policy-document";
import { validationError } from "@/server/domain/errors";
import { ENVIRONMENTS } from "@/server/domain/scope";
import { parseStrictJson } from "@/server/http/strict-json";
import { validate } from "@/server/http/validate";
import { confirmPolicy, rejectPolicy } from "@/server/services/approval-policies/decide";
import { proposePolicy } from "@/server/services/approval-policies/propose";
import { type PolicyView, showPolicies } from "@/server/services/approval-policies/show";
import { asMember } from "../acting-as";
import { type Command, defineCommand, oneOf, required } from "../command";
import { readFileOption } from "../file-option";

const POLICY_SCOPE = {
  merchant: required("ID", "the merchant"),
  environment: oneOf(ENVIRONMENTS, "the environment; each has its own policy"),
};

/** Parses a version number. Throws validation_failed. */
function readVersion(text: string): number {
  if (!/^[1-9][0-9]{0,8}$/.test(text)) throw validationError("version", "must be the number of a proposed version");
  return Number(text);
}

/** In wire names, with the policy in file format and as one sentence per rule. */
function presentPolicy({ version, state, policy, ...people }: PolicyView["active"]) {
  const { proposedBy, proposedAt, decidedBy, decidedAt } = people;
  return {
    version,
    state,
    policy: writePolicy(policy),
    in_words: describePolicy(policy),
    proposed_by: `${proposedBy.type}:${proposedBy.id}`,
    proposed_at: formatInstant(proposedAt),
    decided_by: decidedBy && `member:${decidedBy}`,
    decided_at: decidedAt && formatInstant(decidedAt),
  };
}

const show = defineCommand({
  name: "policies show",
  summary: "Show the active approval policy, the proposed one, and warnings",
  cells: "merchant",
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

const set = defineCommand({
  name: "policies set",
  summary: "Propose an approval policy as a member; it takes effect when another member confirms it",
  cells: "merchant",
  options: {
    ...POLICY_SCOPE,
    file: required("PATH", "the policy as JSON; see docs/approvals.md"),
    as: required("ADDRESS", "the member who proposes it"),
  },
  run: async ({ merchant, environment, file, as }) => {
    const bytes = await readFileOption("file", file);
    const policy = readPolicy(validate(approvalPolicyBody, parseStrictJson(bytes), "body"));
    return presentPolicy(await proposePolicy(await asMember({ merchantId: merchant, environment }, as), policy));
  },
});

/** The options of a decision on a proposed version; `help` describes the deciding member. */
function ofVersion(help: string) {
  return { ...POLICY_SCOPE, version: required("N", "the proposed version"), as: required("ADDRESS", help) };
}

const confirm = defineCommand({
  name: "policies confirm",
  summary: "Confirm a proposed approval policy, as a different member than its proposer; it takes effect",
  cells: "merchant",
  options: ofVersion("the member who confirms it"),
  run: async ({ merchant, environment, version, as }) => {
    const context = await asMember({ merchantId: merchant, environment }, as);
    return presentPolicy(await confirmPolicy(context, readVersion(version)));
  },
});

const reject = defineCommand({
  name: "policies reject",
  summary: "Reject a proposed approval policy, or withdraw your own",
  cells: "merchant",
  options: ofVersion("the member who rejects it"),
  run: async ({ merchant, environment, version, as }) => {
    const context = await asMember({ merchantId: merchant, environment }, as);
    return presentPolicy(await rejectPolicy(context, readVersion(version)));
  },
});

export const policies: readonly Command[] = [show, set, confirm, reject];
