import { findMerchant } from "@/server/db/merchants";
import { ServiceError } from "@/server/domain/errors";

/** Throws not_found unless the merchant exists, by the database at this moment. */
export async function requireMerchant(merchantId: string): Promise<void> {
  if (!(await findMerchant(merchantId))) throw new ServiceError("not_found", "No merchant has this id.");
}
