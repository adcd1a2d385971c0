// Brings what is derived from the audit chains up to date, merchant by merchant, after the commits: no request waits for it.
import { type ChainStretch, listStretchesAcrossMerchants } from "@/server/db/audit/stretches";
import { log } from "@/server/platform/log";
import { withinMerchant } from "@/server/platform/reach";

interface Follower {
  readonly marks: Parameters<typeof listStretchesAcrossMerchants>[0];
  /** Works on the stretch and moves the mark, in one statement. */
  work(stretch: ChainStretch): Promise<unknown>;
  /** The log's message about a merchant whose stretch failed. */
  readonly complaint: string;
}

/** Works on up to `batch` links of every merchant; returns the number of merchants that may have more. */
export async function followChains({ marks, work, complaint }: Follower, batch: number): Promise<number> {
  let behind = 0;
  for (const stretch of await listStretchesAcrossMerchants(marks, batch)) {
    try {
      await withinMerchant(stretch.merchantId, () => work(stretch));
      behind += Number(stretch.to - stretch.after >= BigInt(batch));
    } catch (error) {
      // A merchant that cannot be worked on must not block the others.
      log().error({ err: error, merchantId: stretch.merchantId }, complaint);
    }
  }
  return behind;
}
