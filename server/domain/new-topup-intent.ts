// Owns how a top-up intent begins.
import { QUOTE_LIFETIME_MS, type TopupIntent } from "./topup-intent";

type Derived = "status" | "revision" | "failure" | "creditedAmount" | "receivedAmount" | "nextAction";
type Times = "createdAt" | "updatedAt" | "expiresAt" | "dueAt";
export type NewTopupIntent = Omit<TopupIntent, Derived | Times | "dispatchReference"> & {
  /** The id where it is left out. */
  readonly dispatchReference?: string;
};

/** A new top-up awaiting payment; `answerDueAt` is when the worker asks if no payment address was recorded by then. */
export function newTopupIntent(input: NewTopupIntent, now: Date, answerDueAt: Date): TopupIntent {
  return {
    ...input,
    dispatchReference: input.dispatchReference ?? input.id,
    status: "requires_payment",
    revision: 0,
    failure: null,
    creditedAmount: 0n,
    receivedAmount: 0n,
    nextAction: null,
    createdAt: now,
    updatedAt: now,
    expiresAt: new Date(now.getTime() + QUOTE_LIFETIME_MS),
    dueAt: answerDueAt,
  };
}
