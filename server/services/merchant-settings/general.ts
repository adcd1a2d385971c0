// The general settings, which one owner changes.
import { actOf } from "@/server/db/audit/record";
import { Forbidden } from "@/server/domain/errors";
import type { CheckoutMode } from "@/server/domain/payment-intent";
import { requireAllowed } from "@/server/domain/permissions";
import type { CallContext } from "@/server/domain/scope";
import { actingMember } from "../members/acting-member";
import { setCheckoutMode } from "../merchants/checkout-mode";
import { renameMerchant } from "../merchants/rename";

/** The act of an owner, as they are now. Throws Forbidden for everybody else. */
export async function requireOwner(context: CallContext) {
  const member = await actingMember(context);
  if (!member) throw new Forbidden("Only a member can change the merchant's settings here.");
  requireAllowed(member, "manage_settings", context.scope.environment);
  return actOf(context);
}

/** Renames the merchant as the calling owner. Throws as `renameMerchant` does, and Forbidden. */
export async function renameByOwner(context: CallContext, typed: string): Promise<string> {
  return renameMerchant(context.scope.merchantId, typed, await requireOwner(context));
}

/** Sets the checkout of new payments as the calling owner. Throws as `setCheckoutMode` does, and Forbidden. */
export async function setCheckoutByOwner(context: CallContext, mode: CheckoutMode): Promise<void> {
  await setCheckoutMode(context.scope.merchantId, mode, await requireOwner(context));
}
