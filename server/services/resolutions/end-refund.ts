// Ends a refund by hand, in the commit of the resolution's confirmation.
import { actOf } from "@/server/db/audit/record";
import { isRefusedBy } from "@/server/db/failures";
import { isOutdated, type StoredResolution } from "@/server/db/manual-resolutions";
import { resolveRefund } from "@/server/db/refund-ends";
import type { CallContext } from "@/server/domain/scope";
import { gatewayByName } from "@/server/psp/registry";
import { merchantClock } from "../merchants/settings";
import { firstReturnPoll } from "../refunds/follow-up";
import { findSubject, type RefundSubject } from "./subject";

/**
 * Ends a confirmed refund as two people found: settled, its money leaves suspense as if the provider had reported it; failed, it
 * stays there, and people decide on it again. Changes nothing while a call may be in flight, once something happened since the
 * proposal, or if the resolution was decided before.
 */
export async function endRefund(
  { refund, intent }: RefundSubject,
  resolution: StoredResolution,
  context: CallContext,
): Promise<"ended" | "in_flight" | "outdated" | "decided_before"> {
  if (!isCurrent(intent, resolution)) return "outdated";
  // Calls have times of the merchant's clock.
  const act = { ...actOf(context), at: (await merchantClock(context.scope))() };
  const dueAt = firstReturnPoll(gatewayByName(refund.provider), act.at);
  const end = await resolveRefund(refund, resolution, { context, act, dueAt }).catch((error: unknown) => {
    if (isRefusedBy(error, "manual_refund_end_is_certain")) return "uncertain" as const;
    throw error;
  });
  if (end === "ended_before") return "outdated";
  if (end !== "uncertain") return end;
  const now = await findSubject(refund.merchantId, refund.id);
  const isStill = now !== null && isCurrent(now.intent, resolution) && !(await isOutdated(resolution));
  return isStill ? "in_flight" : "outdated";
}

function isCurrent(
  { status, revision }: { readonly status: string; readonly revision: number },
  { intentRevision }: StoredResolution,
): boolean {
  return status === "confirmed" && revision === intentRevision;
}
