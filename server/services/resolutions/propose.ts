// Proposes a manual resolution of an intent or refund that does not finish.

import { isRefusedBy } from "@/server/db/failures";
import { insertResolution, type StoredResolution } from "@/server/db/manual-resolutions";
import { isContradicted } from "@/server/db/standing-exceptions";
import { notFoundError, validationError } from "@/server/domain/errors";
import { type CallContext, recordedActor } from "@/server/domain/scope";
import { newId } from "@/server/platform/ids";
import { decidingAct } from "../exceptions/decide";
import { merchantClock } from "../merchants/settings";
import { resolutionDigest } from "./digest";
import { checkedFinding, type FindingInput } from "./finding";
import { findSubject, type ResolutionSubject } from "./subject";
import { requireNamed, requireNotMaker } from "./two-people";

/**
 * Proposes that the scope's intent or refund ended as found. It ends when another person, an operator, confirms that. A
 * proposal about an earlier revision of the intent, or from before a further call about the refund, is superseded. Throws
 * not_found for one that is not the scope's, Forbidden without the role, approval_required for the person who made the payout or
 * proposed the refund, and validation_failed for a finding that does not fit or while a proposal is open.
 */
export async function proposeResolution(
  context: CallContext,
  intentId: string,
  given: FindingInput,
): Promise<StoredResolution> {
  const { merchantId, environment } = context.scope;
  requireNamed(context.actor);
  // Calls and reports, which can outdate the proposal, have times of the merchant's clock.
  const act = { ...(await decidingAct(context)), at: (await merchantClock(context.scope))() };
  const subject = await findSubject(merchantId, intentId);
  if (subject?.intent.environment !== environment) throw notFoundError();
  await requireNotMaker(subject, context.actor);
  const finding = checkedFinding(subject, given);
  await requirePastGate(subject);
  const about = { merchantId, environment, intentId: subject.intent.id, intentRevision: subject.intent.revision };
  const proposal = { id: newId("manualResolution"), ...about, ...finding };
  const digest = resolutionDigest(subject, {
    ...proposal,
    proposedBy: recordedActor(act.actor),
    proposedAt: act.at,
  });
  return insertResolution({ ...proposal, digest }, act).catch((error: unknown) => {
    if (!isRefusedBy(error, "manual_resolution_one_proposed")) throw error;
    throw validationError("id", "names what has an open proposal; confirm or reject it first");
  });
}

/**
 * Requires that a payout is past its approval gate or was reported by a provider; otherwise people approve or cancel
 * it.
 */
async function requirePastGate({ intent }: ResolutionSubject): Promise<void> {
  if (intent.status !== "requires_approval" || (await isContradicted(intent))) return;
  throw validationError(
    "id",
    "names a payout that awaits approval and that no provider has reported; cancel it instead",
  );
}
