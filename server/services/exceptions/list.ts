import { listExceptionsAcrossMerchants, type StoredException } from "@/server/db/exceptions";

export type { StoredException };

const MAXIMUM = 1_000;

/** Lists the oldest 1,000, of one merchant or of all; `hasMore` is true if there are more. */
export async function listExceptions(filter: {
  readonly merchantId: string | null;
  readonly openOnly: boolean;
}): Promise<{ readonly exceptions: readonly StoredException[]; readonly hasMore: boolean }> {
  const found = await listExceptionsAcrossMerchants(filter, MAXIMUM + 1);
  return { exceptions: found.slice(0, MAXIMUM), hasMore: found.length > MAXIMUM };
}
