// What members see of the refunds of an exception's money.
import type { StoredException } from "@/server/db/exceptions";
import { listResolutionsOf, type StoredResolution } from "@/server/db/manual-resolutions";
import { listRefunds, type StoredRefund } from "@/server/db/suspense-refunds";
import type { Scope } from "@/server/domain/scope";
import { isId } from "@/server/platform/ids";

export interface RefundView {
  readonly refund: StoredRefund;
  /** How people found that it ended, the oldest first. */
  readonly resolutions: readonly StoredResolution[];
}

/** States in which nobody decides otherwise about the money, and none in which it may be refunded again. */
const TAKEN = ["proposed", "confirmed", "settled", "returned"];

/** Whether the money of these refunds may be refunded once more. */
export function mayFollow(refunds: readonly RefundView[]): boolean {
  return !refunds.some(({ refund }) => TAKEN.includes(refund.state));
}

/** The refunds of each exception's money, or the refund that the exception is about, by the exception's id; the oldest first. */
export async function refundsOf(
  scope: Scope,
  exceptions: readonly StoredException[],
): Promise<ReadonlyMap<string, readonly RefundView[]>> {
  const facts = exceptions.map(({ fact }) => fact);
  const ids = exceptions.map(({ objectId }) => objectId).filter((id) => isId("suspenseRefund", id));
  const refunds = await listRefunds(scope, facts, ids);
  const found = refunds.map(({ id }) => id);
  const resolutions = found.length > 0 ? await listResolutionsOf(scope, found) : [];
  const views = refunds.map((refund) => ({
    refund,
    resolutions: resolutions.filter(({ intentId }) => intentId === refund.id),
  }));
  return new Map(
    exceptions.map(({ id, fact, objectId }) => [
      id,
      views.filter(({ refund }) => refund.fact === fact || refund.id === objectId),
    ]),
  );
}
