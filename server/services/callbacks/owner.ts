// Whose exception an unapplied callback is.
import { findMerchant } from "@/server/db/merchants";
import { NOBODY } from "@/server/domain/exceptions";
import type { Scope } from "@/server/domain/scope";
import { soleEnvironmentOf } from "@/server/psp/registry";
import type { FailedTry } from "./try";

/**
 * The scope of a callback's exception: the merchant that the callback names, when it exists and the environment is
 * known from the intent or the provider; else nobody's, in the live environment where it is unknown.
 */
export async function ownerOf(provider: string, { merchantId, environment }: FailedTry): Promise<Scope> {
  const known = environment ?? soleEnvironmentOf(provider);
  if (known === null) return { merchantId: NOBODY, environment: "live" };
  const merchant = merchantId === null ? null : await findMerchant(merchantId);
  return { merchantId: merchant?.id ?? NOBODY, environment: known };
}
