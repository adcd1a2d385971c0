import type { PayoutStatus } from "@/server/domain/payout-transitions";
import { type FilterField, type Filters, filterInput, SHARED_FIELDS } from "../lists/filters";

export const PAYOUT_FIELDS: readonly FilterField[] = [
  ...SHARED_FIELDS,
  { name: "queue", labelKey: "payouts.queue", isView: true },
];

/** The filters as input of the procedures; `queue=mine` selects what awaits this member's approval. */
export function payoutInput({ queue, ...filters }: Filters) {
  return { ...filterInput<PayoutStatus>(filters), ...(queue === "mine" ? { waiting_for_me: true } : {}) };
}
