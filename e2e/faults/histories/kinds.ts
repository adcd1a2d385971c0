// The kinds of intents that a history creates.
import { paymentBody, payoutBody, topupBody } from "../../rest/bodies";

export const KINDS = {
  payment: { path: "/payment_intents", table: "payment_intent", bodyOf: () => paymentBody({ amount: "2500" }) },
  payout: { path: "/payout_intents", table: "payout_intent", bodyOf: () => payoutBody({ amount: "100" }) },
  topup: { path: "/topup_intents", table: "topup_intent", bodyOf: () => topupBody() },
} as const;
export type Kind = keyof typeof KINDS;
