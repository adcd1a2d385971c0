// Closes proposals about intents and refunds that finished without them.
import { actOf } from "@/server/db/audit/record";
import { decideResolution, findOvertakenAcrossMerchants } from "@/server/db/manual-resolutions";
import { withinMerchant } from "@/server/platform/reach";

const BATCH = 100;

/** Supersedes open proposals about finished intents and refunds; returns their number. */
export async function supersedeOvertaken(): Promise<number> {
  const found = await findOvertakenAcrossMerchants(BATCH);
  const worker = { actor: { type: "worker", id: "worker" }, requestId: null, address: null } as const;
  for (const resolution of found) {
    await withinMerchant(resolution.merchantId, () => decideResolution(resolution, "superseded", actOf(worker)));
  }
  return found.length;
}
