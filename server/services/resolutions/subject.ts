// What a manual resolution can be about: an intent, or a refund of money in suspense.
import { listAttempts } from "@/server/db/attempts";
import { findRefund, findRefundOfMerchant, type StoredRefund } from "@/server/db/suspense-refunds";
import { ServiceError } from "@/server/domain/errors";
import type { Scope } from "@/server/domain/scope";
import type { RefundState } from "@/server/domain/suspense-refund";
import { isId } from "@/server/platform/ids";
import { type AnyIntent, findAnyIntent } from "../intent-kinds";

export interface RefundSubject {
  readonly kind: "suspense_refund";
  /** What it shares with an intent. Its revision is the number of calls about it: evidence says nothing of a later one. */
  readonly intent: Scope & { readonly id: string; readonly status: RefundState; readonly revision: number };
  readonly refund: StoredRefund;
}

export type ResolutionSubject = AnyIntent | RefundSubject;

/** Returns the merchant's intent or refund with this id, of either environment, or null. */
export async function findSubject(merchantId: string, id: string): Promise<ResolutionSubject | null> {
  if (!isId("suspenseRefund", id)) return findAnyIntent(merchantId, id);
  const refund = await findRefundOfMerchant(merchantId, id);
  if (!refund) return null;
  const { environment, state: status } = refund;
  const { length: revision } = await listAttempts(merchantId, id);
  return { kind: "suspense_refund", intent: { merchantId, environment, id, status, revision }, refund };
}

/** Returns the scope's refund with this id. Throws not_found, also for the id of an intent. */
export async function requireRefund(scope: Scope, id: string): Promise<StoredRefund> {
  const refund = isId("suspenseRefund", id) ? await findRefund(scope, id) : null;
  if (!refund) throw new ServiceError("not_found", "There is no such refund.");
  return refund;
}
