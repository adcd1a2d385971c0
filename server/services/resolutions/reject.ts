// Rejects or withdraws a proposed resolution; the intent is unchanged.
import { decideResolution, type StoredResolution } from "@/server/db/manual-resolutions";
import type { CallContext } from "@/server/domain/scope";
import { decidingAct } from "../exceptions/decide";
import { decidedAlready, noSuchResolution, requireProposed } from "./confirm";
import { requireNamed } from "./two-people";

/**
 * Rejects the scope's resolution permanently. Throws as `confirmResolution` does, and Forbidden for a member without
 * the role.
 */
export async function rejectResolution(context: CallContext, id: string): Promise<StoredResolution> {
  const { merchantId, environment } = context.scope;
  requireNamed(context.actor);
  const resolution = await requireProposed(id);
  if (resolution.merchantId !== merchantId || resolution.environment !== environment) throw noSuchResolution();
  const rejected = await decideResolution(resolution, "rejected", await decidingAct(context));
  if (!rejected) throw decidedAlready();
  return rejected;
}
