// What the API's resources show of intents. A list reads no more than this.
import type { PaymentIntent } from "./payment-intent";
import type { PayoutIntent } from "./payout-intent";
import type { TopupIntent } from "./topup-intent";

/** An instant, or its text as the wire has it: a list shows many, and a Date for each costs more than the rest of its row. */
export type ShownInstant = Date | string;

type Shown<Intent, Member extends keyof Intent> = {
  readonly [Name in Member]: Intent[Name] extends Date ? ShownInstant : Intent[Name];
};

type Core = "id" | "environment" | "status" | "country" | "merchantReference" | "failure" | "createdAt" | "updatedAt";

export type ShownPayment = Shown<
  PaymentIntent,
  Core | "amount" | "currency" | "paymentMethod" | "description" | "returnUrl" | "nextAction"
>;

export type ShownPayout = Shown<PayoutIntent, Core | "amount" | "currency" | "recipient">;

export type ShownTopup = Shown<
  TopupIntent,
  | Core
  | "merchantId"
  | "destinationAmount"
  | "destinationCurrency"
  | "creditedAmount"
  | "rate"
  | "spreadAmount"
  | "sourceType"
  | "provider"
  | "sourceAmount"
  | "sourceCurrency"
  | "feeAmount"
  | "feeMode"
  | "nextAction"
  | "expiresAt"
>;
