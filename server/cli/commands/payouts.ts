import { cancelPayoutIntentBody } from "@/server/contract/payout-intents";
import { ServiceError, validationError } from "@/server/domain/errors";
import type { PayoutIntent } from "@/server/domain/payout-intent";
import type { CallContext } from "@/server/domain/scope";
import { presentPayoutIntent } from "@/server/http/present/payout-intent";
import { withinMerchant } from "@/server/platform/reach";
import { withoutIdempotency } from "@/server/services/idempotency/completion";
import { findAnyIntent } from "@/server/services/intent-kinds";
import { membersByAddress } from "@/server/services/members/by-address";
import { approvalDigest } from "@/server/services/payouts/approval-digest";
import { approvePayoutIntent } from "@/server/services/payouts/approve";
import { cancelPayoutIntent } from "@/server/services/payouts/cancel";
import { asMember } from "../acting-as";
import { type Command, defineCommand, optional, required } from "../command";

interface Decision {
  readonly id: string;
  readonly as: string;
  /** Needed only if the address and the payout both exist for several merchants. */
  readonly merchant: string | null;
}

/**
 * Returns the member's act and the current payout. An address can belong to members of several merchants; the payout
 * identifies the merchant.
 */
async function decideOn({ id, as, merchant }: Decision): Promise<{ context: CallContext; intent: PayoutIntent }> {
  const everyone = await membersByAddress(as);
  const members = everyone.filter(({ merchantId }) => merchant === null || merchantId === merchant);
  if (members.length === 0) throw new ServiceError("not_found", "No member has this address.");
  const found = await Promise.all(members.map(({ merchantId }) => findAnyIntent(merchantId, id)));
  const [intent, another] = found.flatMap((one) => (one?.kind === "payout_intent" ? [one.intent] : []));
  if (!intent) throw new ServiceError("not_found", "This payout intent belongs to no merchant of this member.");
  if (another) throw validationError("merchant", "must be given: several merchants have a payout with this id");
  return { context: await asMember(intent, as), intent };
}

const approve = defineCommand({
  name: "payouts approve",
  summary: "Approve a payout as one of its merchant's approvers",
  cells: "id",
  options: {
    id: required("ID", "the payout intent"),
    as: required("ADDRESS", "the member who approves"),
    merchant: optional("ID", "the merchant, if the address and the payout id do not identify it"),
  },
  run: async (decision) => {
    const { context, intent } = await decideOn(decision);
    const approve = () => approvePayoutIntent(context, { id: intent.id, digest: approvalDigest(intent) });
    return presentPayoutIntent(await withinMerchant(intent.merchantId, approve));
  },
});

function checkReason(reason: string | null): string | null {
  if (reason === null) return null;
  const { error } = cancelPayoutIntentBody.safeParse({ reason });
  if (error) throw validationError("reason", error.issues[0]?.message ?? "is not acceptable");
  return reason;
}

const cancel = defineCommand({
  name: "payouts cancel",
  summary: "Cancel a payout that awaits approval",
  cells: "id",
  options: {
    id: required("ID", "the payout intent"),
    as: required("ADDRESS", "the member who cancels"),
    reason: optional("TEXT", "stored on the payout and sent in its event; at most 512 characters"),
    merchant: optional("ID", "the merchant, if the address and the payout id do not identify it"),
  },
  run: async ({ reason, ...decision }) => {
    const command = { id: decision.id, reason: checkReason(reason) };
    const { context } = await decideOn(decision);
    const cancel = () => cancelPayoutIntent(context, command, withoutIdempotency());
    return presentPayoutIntent((await withinMerchant(context.scope.merchantId, cancel)).intent);
  },
});

export const payouts: readonly Command[] = [approve, cancel];
