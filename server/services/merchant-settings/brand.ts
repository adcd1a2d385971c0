// The color and the logo of the payer's page, which one owner changes.
import { findLogo, updateBrand } from "@/server/db/merchant-brand";
import { type Brand, type BrandChange, COLOR_RULE, readColor } from "@/server/domain/brand";
import { validationError } from "@/server/domain/errors";
import type { CallContext } from "@/server/domain/scope";
import { forgetMerchantSettings, merchantSettings } from "../merchants/settings";
import { requireOwner } from "./general";
import { readLogo } from "./logo";

/** The merchant's logo, a PNG file; null without one. */
export async function logoOf(merchantId: string): Promise<Buffer | null> {
  return findLogo(merchantId);
}

/**
 * Sets the brand as the calling owner: at once in this process, within a second in others. Returns it as it then is. Throws
 * Forbidden for everybody else, and validation_failed for a color or a logo that is none.
 */
export async function setBrandByOwner(context: CallContext, { color: typed, logo }: BrandChange): Promise<Brand> {
  const act = await requireOwner(context);
  const color = typed === null ? null : readColor(typed);
  if (typed !== null && color === null) throw validationError("color", COLOR_RULE);
  const { merchantId } = context.scope;
  await updateBrand(merchantId, { color, logo: logo && readLogo(logo) }, act);
  forgetMerchantSettings(merchantId);
  return (await merchantSettings(merchantId)).brand;
}
