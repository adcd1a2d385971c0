// Owns watching a list of intents: how many there are per status, how many are newer than what is shown, what has changed.
import { countByStatus, countNewer } from "@/server/db/intents/overview";
import { paymentMapping } from "@/server/db/intents/payment-row";
import { payoutMapping } from "@/server/db/intents/payout-row";
import type { IntentFilter, IntentStore, PagePosition } from "@/server/db/intents/store";
import { paymentIntents, payoutIntents, topupIntents } from "@/server/db/intents/stores";
import { topupMapping } from "@/server/db/intents/topup-row";
import { PAYMENT_STATUSES, type PaymentIntent } from "@/server/domain/payment-intent";
import { PAYOUT_STATUSES, type PayoutIntent } from "@/server/domain/payout-intent";
import type { Scope } from "@/server/domain/scope";
import type { TopupIntent } from "@/server/domain/topup-intent";
import { TOPUP_STATUSES } from "@/server/domain/topup-transitions";

/** Counting stops here: "1000" reads as "at least so many", and a large list stays as quick as a small one. */
export const COUNT_CAP = 1_000;

/** What is on somebody's screen. */
export interface Shown {
  readonly filter: IntentFilter;
  /** The newest row; null for an empty list. */
  readonly newest: PagePosition | null;
  readonly ids: readonly string[];
}

export interface Watched<Intent> {
  /** Status → how many pass the other filters, at most COUNT_CAP. */
  readonly counts: ReadonlyMap<string, number>;
  /** How many pass the filters and are newer than the newest shown. */
  readonly newer: number;
  /** The shown intents as they are now. */
  readonly intents: readonly Intent[];
}

/** Watches lists of one kind. */
function watcherOf<Intent>(
  store: IntentStore<Intent>,
  mapping: Parameters<typeof countByStatus>[0],
  statuses: readonly string[],
) {
  return async (scope: Scope, { filter, newest, ids }: Shown): Promise<Watched<Intent>> => {
    const beginning = newest ?? { createdAt: new Date(0), id: "" };
    const [counts, newer, intents] = await Promise.all([
      countByStatus(mapping, scope, filter, statuses, COUNT_CAP),
      countNewer(mapping, scope, filter, beginning, COUNT_CAP),
      ids.length === 0 ? [] : store.findSome(scope, ids),
    ]);
    return { counts, newer, intents };
  };
}

export const watchPaymentIntents = watcherOf<PaymentIntent>(paymentIntents, paymentMapping, PAYMENT_STATUSES);
export const watchPayoutIntents = watcherOf<PayoutIntent>(payoutIntents, payoutMapping, PAYOUT_STATUSES);
export const watchTopupIntents = watcherOf<TopupIntent>(topupIntents, topupMapping, TOPUP_STATUSES);

/** How many payouts wait for the member's approval, at most COUNT_CAP. */
export function countWaitingFor(scope: Scope, memberId: string): Promise<number> {
  return countNewer(payoutMapping, scope, { decidableBy: memberId }, { createdAt: new Date(0), id: "" }, COUNT_CAP);
}
