// A person's decision on a payout that screening holds.

import { findStanding } from "@/server/db/approver-standings";
import { actOf } from "@/server/db/audit/record";
import { decideHold, findScreening, type HoldDecision, type StoredScreening } from "@/server/db/screenings";
import { Forbidden, notFoundError, ServiceError } from "@/server/domain/errors";
import { OBSTACLE_TEXT, obstacleOf, type StandingObstacle } from "@/server/domain/payout-gate";
import type { PayoutIntent } from "@/server/domain/payout-intent";
import type { CallContext } from "@/server/domain/scope";
import { getIntent } from "../intents/read";
import { requireAllowedIfMember } from "../members/acting-member";
import { requireActiveMerchant } from "../suspension/suspend";
import { PAYOUTS } from "./kind";

export interface ScreeningView extends StoredScreening {
  /** Why the member cannot release the payout; null if they can. */
  readonly obstacle: StandingObstacle | null;
}

/** Returns what a member sees of the payout's screening, or null if it has not been screened. */
export async function screeningFor(intent: PayoutIntent, memberId: string): Promise<ScreeningView | null> {
  const screening = await findScreening(intent);
  const standing = screening && (await findStanding(intent.merchantId, intent.id, memberId));
  return standing && { ...screening, obstacle: obstacleOf(intent, standing) };
}

/**
 * Releases a held payout, which the worker then sends, or refuses it, which cancels it. Both are final. Throws not_found,
 * Forbidden without the role, and approval_required if there is no undecided hold, and for a release by somebody who made
 * the payout or whose authority is newer than it, and merchant_suspended for a release.
 */
export async function decideOnHold(
  context: CallContext,
  { id, decision }: { readonly id: string; readonly decision: HoldDecision },
): Promise<PayoutIntent> {
  const { scope, actor } = context;
  if (actor.type !== "member") throw new Forbidden("Only a member can decide on a held payout.");
  await requireAllowedIfMember(context, "decide_payouts");
  const [intent, standing] = await Promise.all([
    getIntent(PAYOUTS, scope, id),
    findStanding(scope.merchantId, id, actor.id),
  ]);
  if (!standing) throw notFoundError();
  if (decision === "release") await requireActiveMerchant(scope.merchantId);
  const obstacle = decision === "release" ? obstacleOf(intent, standing) : null;
  if (obstacle !== null) throw new ServiceError("approval_required", OBSTACLE_TEXT[obstacle]);
  const decided = await decideHold(intent, decision, actOf(context));
  if (decided === "made_by_decider") throw new ServiceError("approval_required", OBSTACLE_TEXT.made_by_you);
  if (!decided)
    throw new ServiceError("approval_required", "Screening does not hold this payout, or it was decided on.");
  return getIntent(PAYOUTS, scope, id);
}
