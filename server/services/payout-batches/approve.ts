// One approval for a batch: a signed approval of each of its payouts that await one.
import pLimit from "p-limit";
import { findStandings } from "@/server/db/approver-standings";
import { actOf, recordEvent } from "@/server/db/audit/record";
import { listApprovalsOf } from "@/server/db/history";
import { findPayoutsOfBatch } from "@/server/db/payout-batches";
import { notFoundError, ServiceError } from "@/server/domain/errors";
import { OBSTACLE_TEXT, obstacleOf, type StandingObstacle } from "@/server/domain/payout-gate";
import type { PayoutIntent } from "@/server/domain/payout-intent";
import type { CallContext, Scope } from "@/server/domain/scope";
import { equalTexts, sha256Hex } from "@/server/platform/crypto";
import { isId } from "@/server/platform/ids";
import { requireAllowedIfMember } from "../members/acting-member";
import { asServiceError } from "../outage";
import { approvalDigest } from "../payouts/approval-digest";
import { approvePayoutIntent } from "../payouts/approve";

/** Returns the payouts of a batch in the order of their creation. Throws not_found. */
export async function getBatch(scope: Scope, id: string): Promise<PayoutIntent[]> {
  const payouts = isId("payoutBatch", id) ? await findPayoutsOfBatch(scope, id) : [];
  if (payouts.length === 0) throw notFoundError();
  return payouts;
}

/** Approvals by others are no change, so the digest is the one before any of them. */
function shownDigest(payout: PayoutIntent): string {
  return approvalDigest(payout, payout.revision - payout.approvalsGiven);
}

/**
 * Identifies the payouts of a batch that await approval, and what each is about. It differs once one of them was cancelled
 * or sent.
 */
export function batchDigest(payouts: readonly PayoutIntent[]): string {
  return sha256Hex(JSON.stringify(payouts.filter(isWaiting).map(shownDigest)));
}

function isWaiting({ status }: PayoutIntent): boolean {
  return status === "requires_approval";
}

/** The payouts of a batch that the member can still approve, or why none of them. */
export interface BatchStanding {
  /** Await approval, and this member has not approved them. */
  readonly open: readonly PayoutIntent[];
  /** Of the first payout that the member may not approve; the whole batch is then for somebody else. */
  readonly obstacle: StandingObstacle | null;
}

export async function batchStanding(
  merchantId: string,
  payouts: readonly PayoutIntent[],
  memberId: string,
): Promise<BatchStanding> {
  const waiting = payouts.filter(isWaiting);
  const ids = waiting.map(({ id }) => id);
  const [standings, approvals] = await Promise.all([
    findStandings(merchantId, ids, memberId),
    listApprovalsOf(merchantId, ids),
  ]);
  const mine = new Set(approvals.filter((one) => one.memberId === memberId).map(({ payoutId }) => payoutId));
  const obstacles = waiting.map((payout) => {
    const standing = standings.find(({ payoutId }) => payoutId === payout.id);
    return standing ? obstacleOf(payout, standing) : null;
  });
  return {
    open: waiting.filter(({ id }) => !mine.has(id)),
    obstacle: obstacles.find((obstacle) => obstacle !== null) ?? null,
  };
}

export interface BatchResult {
  readonly id: string;
  /** Its status after the approval; null if it was not approved. */
  readonly status: string | null;
  readonly message: string | null;
}

/** As many commits of one merchant as are worth having at once. */
const APPROVES_AT_ONCE = 4;

/**
 * Approves every payout of the batch that awaits this member, each by a commit of its own; again after an interruption, it
 * approves the rest. `digest` is `batchDigest` as it was shown. Throws not_found, Forbidden without the role, and
 * approval_required if nothing awaits the member, the batch has changed since, or the member made one of the payouts.
 */
export async function approveBatch(
  context: CallContext,
  { id, digest }: { readonly id: string; readonly digest: string },
): Promise<BatchResult[]> {
  await requireAllowedIfMember(context, "decide_payouts");
  const { scope, actor } = context;
  if (actor.type !== "member") throw new ServiceError("approval_required", "Only a member can approve a batch.");
  const payouts = await getBatch(scope, id);
  const { open, obstacle } = await batchStanding(scope.merchantId, payouts, actor.id);
  if (obstacle !== null) throw new ServiceError("approval_required", OBSTACLE_TEXT[obstacle]);
  if (open.length === 0) throw new ServiceError("approval_required", "No payout of the batch awaits your approval.");
  if (!equalTexts(batchDigest(payouts), digest))
    throw new ServiceError("approval_required", "The batch has changed since it was shown; review it again.");
  await recordEvent(
    {
      ...scope,
      action: "payout_batch.approve",
      objectId: id,
      before: null,
      after: { digest, payouts: open.map((payout) => payout.id) },
    },
    actOf(context),
  );
  const limit = pLimit(APPROVES_AT_ONCE);
  return Promise.all(open.map((payout) => limit(() => approveOne(context, payout))));
}

async function approveOne(context: CallContext, payout: PayoutIntent): Promise<BatchResult> {
  const { id } = payout;
  try {
    const { status } = await approvePayoutIntent(context, { id, digest: shownDigest(payout) });
    return { id, status, message: null };
  } catch (error) {
    const known = asServiceError(error);
    if (!known) throw error;
    return { id, status: null, message: known.message };
  }
}
