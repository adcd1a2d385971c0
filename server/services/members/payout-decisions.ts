// Owns deciding on payouts as a member who is named by address: the member is found, their roles checked, the verb called.
import { payoutIntents } from "@/server/db/intents/stores";
import { findMembersByEmailAcrossMerchants, type Member } from "@/server/db/members";
import { ServiceError, validationError } from "@/server/domain/errors";
import type { PayoutIntent } from "@/server/domain/payout-intent";
import type { CallContext } from "@/server/domain/scope";
import { isId } from "@/server/platform/ids";
import { unsealed } from "../idempotency/sealing";
import { approvalDigest } from "../payouts/approval-digest";
import { approvePayoutIntent } from "../payouts/approve";
import { cancelPayoutIntent } from "../payouts/cancel";
import { operatorAs } from "./by-address";
import { requireAllowed } from "./roles";

export interface PayoutDecision {
  /** Address of the member who decides. */
  readonly email: string;
  readonly payoutId: string;
  /** Needed only when the address and the payout do not tell the merchant. */
  readonly merchantId: string | null;
}

/**
 * Approves the payout as the member. Throws not_found for an unknown address or payout, Forbidden without the role,
 * and approval_required when the payout is not at the gate or the member made it.
 */
export async function approvePayoutAs(decision: PayoutDecision): Promise<PayoutIntent> {
  const { context, intent } = await contextOf(decision);
  return approvePayoutIntent(context, { id: intent.id, digest: approvalDigest(intent) });
}

/** Cancels the payout as the member (interface §4.3); throws as `approvePayoutAs` does. */
export async function cancelPayoutAs(decision: PayoutDecision, reason: string | null): Promise<PayoutIntent> {
  const { context } = await contextOf(decision);
  const { intent } = await cancelPayoutIntent(context, { id: decision.payoutId, reason }, unsealed());
  return intent;
}

interface DecisionContext {
  readonly context: CallContext;
  /** The payout as it was found: an approval is of this. */
  readonly intent: PayoutIntent;
}

/** Whose act it is. An address may belong to a member of several merchants; the payout tells which one is meant. */
async function contextOf({ email, payoutId, merchantId }: PayoutDecision): Promise<DecisionContext> {
  const everyone = await findMembersByEmailAcrossMerchants(email.trim().toLowerCase());
  const members = everyone.filter((member) => merchantId === null || member.merchantId === merchantId);
  if (members.length === 0) throw new ServiceError("not_found", "No member has this address.");
  const found = (await Promise.all(members.map((member) => findTheirs(member, payoutId)))).flat();
  const [subject, another] = found;
  if (!subject) throw new ServiceError("not_found", "No merchant of this member has such a payout intent.");
  if (another) throw validationError("merchant", "must be named: the payout id is one of several merchants");
  const { member, intent } = subject;
  requireAllowed(member, "decide_payouts");
  const scope = { merchantId: member.merchantId, environment: intent.environment };
  return { context: { scope, actor: operatorAs(member), requestId: null, address: null }, intent };
}

async function findTheirs(member: Member, payoutId: string): Promise<{ member: Member; intent: PayoutIntent }[]> {
  const intent = isId("payoutIntent", payoutId)
    ? await payoutIntents.findOfMerchant(member.merchantId, payoutId)
    : null;
  return intent ? [{ member, intent }] : [];
}
