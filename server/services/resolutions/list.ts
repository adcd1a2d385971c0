import { listResolutionsAcrossMerchants, type StoredResolution } from "@/server/db/manual-resolutions";

export type { StoredResolution };

const MAXIMUM = 1_000;

/** Lists the oldest 1,000, of one merchant or of all; `hasMore` is true if there are more. */
export async function listResolutions(filter: {
  readonly merchantId: string | null;
  readonly openOnly: boolean;
}): Promise<{ readonly resolutions: readonly StoredResolution[]; readonly hasMore: boolean }> {
  const found = await listResolutionsAcrossMerchants(filter, MAXIMUM + 1);
  return { resolutions: found.slice(0, MAXIMUM), hasMore: found.length > MAXIMUM };
}
