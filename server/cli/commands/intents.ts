import { formatInstant } from "@/server/contract/instants";
import { notFoundError } from "@/server/domain/errors";
import { RESOLUTION_OUTCOMES } from "@/server/domain/manual-resolution";
import type { Actor } from "@/server/domain/scope";
import { withinMerchant } from "@/server/platform/reach";
import { namedOperator } from "@/server/services/merchants/operator";
import { confirmResolution, requireResolution } from "@/server/services/resolutions/confirm";
import { listResolutions, type StoredResolution } from "@/server/services/resolutions/list";
import { proposeResolution } from "@/server/services/resolutions/propose";
import { rejectResolution } from "@/server/services/resolutions/reject";
import { findSubject } from "@/server/services/resolutions/subject";
import { asPerson } from "../acting-as";
import { type Command, defineCommand, flag, oneOf, optional, required } from "../command";

const actorText = ({ type, id }: Actor) => `${type}:${id}`;

/** In wire names; amounts in minor units as text. */
function presentResolution(resolution: StoredResolution) {
  const { proposedBy, proposedAt, decidedBy, decidedAt } = resolution;
  return {
    id: resolution.id,
    merchant_id: resolution.merchantId,
    environment: resolution.environment,
    intent_id: resolution.intentId,
    outcome: resolution.outcome,
    amount: resolution.amount?.toString() ?? null,
    currency: resolution.currency,
    provider_reference: resolution.providerReference,
    evidence: resolution.evidence,
    state: resolution.state,
    proposed_by: actorText(proposedBy),
    proposed_at: formatInstant(proposedAt),
    decided_by: decidedBy && actorText(decidedBy),
    decided_at: decidedAt && formatInstant(decidedAt),
  };
}

const PERSON = {
  as: optional("ADDRESS", "the member who acts: owner, admin or finance; or name an operator"),
  operator: optional("NAME", "the operator who acts; or name a member"),
};

const propose = defineCommand({
  name: "intents propose-resolution",
  summary:
    "Propose how a stuck intent or refund ended, with evidence; it ends when an operator who is another person confirms",
  cells: "merchant",
  options: {
    merchant: required("ID", "the merchant"),
    id: required("ID", "the payment, payout or top-up intent, or the refund"),
    outcome: oneOf(
      RESOLUTION_OUTCOMES,
      "settled for a payout or refund; succeeded for a payment or top-up; failed for any",
    ),
    amount: optional(
      "UNITS",
      "the sum that moved, in minor units: of a payout, if it differs from its amount; of a top-up, the total received",
    ),
    providerReference: optional("TEXT", "the provider's own reference of the movement"),
    evidence: required("TEXT", "the evidence, such as the provider's letter; at most 2,000 characters"),
    ...PERSON,
  },
  run: async ({ merchant, id, outcome, amount, evidence, as, operator, providerReference }) => {
    const finding = { outcome, amount, evidence, providerReference };
    const subject = await findSubject(merchant, id);
    if (!subject) throw notFoundError();
    const context = await asPerson(subject.intent, { as, operator });
    return presentResolution(await proposeResolution(context, id, finding));
  },
});

const confirm = defineCommand({
  name: "intents confirm-resolution",
  summary:
    "Confirm a proposed resolution, as a different person than its proposer; the intent or refund ends as proposed",
  cells: "id",
  options: {
    id: required("ID", "the resolution"),
    operator: required("NAME", "the operator who acts"),
  },
  run: async ({ id, operator }) => {
    const { merchantId } = await requireResolution(id);
    const confirm = () => confirmResolution(id, namedOperator(operator));
    return presentResolution(await withinMerchant(merchantId, confirm));
  },
});

const reject = defineCommand({
  name: "intents reject-resolution",
  summary: "Reject a proposed resolution, or withdraw your own; the intent does not change",
  cells: "id",
  options: { id: required("ID", "the resolution"), ...PERSON },
  run: async ({ id, ...person }) => {
    const resolution = await requireResolution(id);
    const reject = async () => rejectResolution(await asPerson(resolution, person), id);
    return presentResolution(await withinMerchant(resolution.merchantId, reject));
  },
});

const list = defineCommand({
  name: "intents resolutions",
  summary: "List manual resolutions, oldest first",
  cells: "merchant or every",
  options: {
    merchant: optional("ID", "the merchant; all merchants if omitted"),
    open: flag("only open proposals"),
  },
  run: async ({ merchant, open }) => {
    const { resolutions, hasMore } = await listResolutions({ merchantId: merchant, openOnly: open });
    return { data: resolutions.map(presentResolution), has_more: hasMore };
  },
});

export const intents: readonly Command[] = [propose, confirm, reject, list];
