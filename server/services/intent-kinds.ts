// The kinds of intent. To add a kind, list its value here.
import type { PaymentIntent } from "@/server/domain/payment-intent";
import type { PayoutIntent } from "@/server/domain/payout-intent";
import type { TopupIntent } from "@/server/domain/topup-intent";
import { namesKind } from "@/server/platform/dispatch-reference";
import { isId } from "@/server/platform/ids";
import type { AnyIntentKind } from "./intents/kind";
import { PAYMENTS } from "./payments/kind";
import { PAYOUTS } from "./payouts/kind";
import { TOPUPS } from "./topups/kind";

export type KindName = AnyIntentKind["table"];

export const KINDS: Readonly<Record<KindName, AnyIntentKind>> = {
  payment_intent: PAYMENTS,
  payout_intent: PAYOUTS,
  topup_intent: TOPUPS,
};

/** An intent of any kind, discriminated by the kind's name. */
export type AnyIntent =
  | { readonly kind: "payment_intent"; readonly intent: PaymentIntent }
  | { readonly kind: "payout_intent"; readonly intent: PayoutIntent }
  | { readonly kind: "topup_intent"; readonly intent: TopupIntent };

type Find = (kind: AnyIntentKind) => Promise<AnyIntent["intent"] | null>;

async function findOf(kind: AnyIntentKind | undefined, find: Find): Promise<AnyIntent | null> {
  const intent = kind ? await find(kind) : null;
  return kind && intent ? ({ kind: kind.table, intent } as AnyIntent) : null;
}

/** Returns the merchant's intent with this id, of any kind and environment, or null. */
export function findAnyIntent(merchantId: string, id: string): Promise<AnyIntent | null> {
  const kind = Object.values(KINDS).find(({ idKind }) => isId(idKind, id));
  return findOf(kind, ({ store }) => store.findOfMerchant(merchantId, id) as ReturnType<Find>);
}

/** Returns the merchant's intent with this dispatch reference, of any kind and environment, or null. */
export function findDispatchedIntent(merchantId: string, reference: string): Promise<AnyIntent | null> {
  const kind = Object.values(KINDS).find(({ idKind }) => namesKind(idKind, reference));
  return findOf(kind, ({ store }) => store.findDispatched(merchantId, reference) as ReturnType<Find>);
}
