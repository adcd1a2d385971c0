import { findMerchant } from "@/server/db/merchants";
import { notFoundError } from "@/server/domain/errors";

/** Throws not_found unless the merchant exists, by the database at this moment. */
export async function requireMerchant(merchantId: string): Promise<void> {
  if (!(await findMerchant(merchantId))) throw notFoundError();
}
