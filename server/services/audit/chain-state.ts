// The state of a merchant's audit chain, as members see it.
import { storeCheck } from "@/server/db/audit/check";
import { now } from "@/server/platform/clock";
import { log } from "@/server/platform/log";
import type { MerchantReport } from "./verify-chains";

export { readChainState } from "@/server/db/audit/check";

/**
 * Stores the results of a verification for the dashboard. Verification also works where nothing can be written, such as a
 * standby: a result that cannot be stored is logged.
 */
export async function storeReports(reports: readonly MerchantReport[]): Promise<void> {
  const checkedAt = now();
  for (const { merchantId, end, faults } of reports) {
    const check = { lastSequence: end.sequence, faultCount: faults.count, checkedAt };
    await storeCheck(merchantId, check).catch((error: unknown) =>
      log().warn({ err: error, merchantId }, "the result of an audit verification was not stored"),
    );
  }
}
