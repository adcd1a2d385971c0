import { listResolutionsAcrossMerchants, type StoredResolution } from "@/server/db/manual-resolutions";

export type { StoredResolution };

const MAXIMUM = 1_000;

/** The oldest thousand, of one merchant or of all; `hasMore` says that there are further ones. */
export async function listResolutions(filter: {
  readonly merchantId: string | null;
  readonly openOnly: boolean;
}): Promise<{ readonly resolutions: readonly StoredResolution[]; readonly hasMore: boolean }> {
  const found = await listResolutionsAcrossMerchants(filter, MAXIMUM + 1);
  return { resolutions: found.slice(0, MAXIMUM), hasMore: found.length > MAXIMUM };
}
