// Owns how the command line shows an exception.
import { formatInstant } from "@/server/contract/instants";
import { now } from "@/server/platform/clock";
import type { StoredException } from "@/server/services/exceptions/list";

/** In wire names; the age in whole seconds, from its opening until its resolution or until now. */
export function presentException(exception: StoredException) {
  const { openedAt, resolvedAt, resolvedBy } = exception;
  const until = resolvedAt ?? now();
  return {
    id: exception.id,
    kind: exception.kind,
    merchant_id: exception.merchantId,
    environment: exception.environment,
    object_id: exception.objectId,
    detail: exception.detail,
    opened_at: formatInstant(openedAt),
    age_seconds: Math.max(0, Math.floor((until.getTime() - openedAt.getTime()) / 1000)),
    owner: exception.ownerId,
    resolution: exception.resolution,
    settled_as: exception.settledAs,
    resolved_at: resolvedAt && formatInstant(resolvedAt),
    resolved_by: resolvedBy && `${resolvedBy.type}:${resolvedBy.id}`,
  };
}
