// Decides to whom the exception of an unapplied callback belongs.
import { findMerchant } from "@/server/db/merchants";
import { NOBODY } from "@/server/domain/exceptions";
import type { Scope } from "@/server/domain/scope";
import { withinMerchant } from "@/server/platform/reach";
import { soleEnvironmentOf } from "@/server/psp/registry";
import type { CallbackFailure } from "./try";

/**
 * Returns the scope of a callback's exception: the merchant that the callback names, if it exists and the intent or
 * provider determines the environment. Otherwise no merchant, in the live environment if that is unknown.
 */
export async function ownerOf(provider: string, { merchantId, environment }: CallbackFailure): Promise<Scope> {
  const known = environment ?? soleEnvironmentOf(provider);
  if (known === null) return { merchantId: NOBODY, environment: "live" };
  const merchant = merchantId === null ? null : await withinMerchant(merchantId, () => findMerchant(merchantId));
  return { merchantId: merchant?.id ?? NOBODY, environment: known };
}
