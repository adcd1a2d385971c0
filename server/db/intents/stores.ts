import { paymentMapping } from "./payment-row";
import { payoutMapping } from "./payout-row";
import { createIntentStore } from "./store";
import { topupMapping } from "./topup-row";

export const paymentIntents = createIntentStore(paymentMapping);
export const payoutIntents = createIntentStore(payoutMapping);
export const topupIntents = createIntentStore(topupMapping);
