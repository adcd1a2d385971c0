// A provider that collects a payment: the payer acts, money arrives one or more times, the provider ends the payment.
import type { Asked, Fact, Sum } from "./history";
import type { Report } from "./reports";

/** Money that really arrived. Receipts 0 and 2 share a provider reference, as payments to one static code do. */
export interface Receipt {
  readonly id: string;
  readonly reference: string;
  readonly amount: bigint;
  readonly currency: string;
}

export interface PaymentTruth {
  readonly receipts: Map<number, Receipt>;
  isClosed: boolean;
}

export function newPaymentTruth(): PaymentTruth {
  return { receipts: new Map(), isClosed: false };
}

/** Minor units of `currency`. */
export interface Money {
  readonly amount: bigint;
  readonly currency: string;
}

export function sumOf(sum: Sum, asked: Asked): Money {
  if (sum === "other_currency") return { amount: asked.amount, currency: asked.currency === "MXN" ? "BRL" : "MXN" };
  const amount = sum === "right" ? asked.amount : sum === "less" ? asked.amount - 1n : asked.amount + 1n;
  return { amount, currency: asked.currency };
}

export function isSame(one: Money, other: Money): boolean {
  return one.amount === other.amount && one.currency === other.currency;
}

/** The report of money, with the names that the protocol version and this message give it. */
export function receiptReport({ id, reference, amount, currency }: Receipt, protocol: 1 | 2, isNamed: boolean): Report {
  return {
    status: "succeeded",
    amount: amount.toString(),
    currency,
    ...(isNamed ? { provider_reference: reference } : {}),
    ...(protocol === 2 ? { receipt_id: id } : {}),
  };
}

/** What the provider reports for a fact; null if it cannot happen. */
export function paymentUpdates(truth: PaymentTruth, fact: Fact, asked: Asked, protocol: 1 | 2): Report | null {
  switch (fact.fact) {
    case "instruct":
      return truth.isClosed
        ? null
        : { status: "requires_action", next_action: "instructions", provider_reference: "px-0" };
    case "payer_acts":
      return truth.isClosed ? null : { status: "pending", provider_reference: "px-0" };
    case "decline":
      truth.isClosed = true;
      return { status: "declined" };
    case "payer_cancels":
      truth.isClosed = true;
      return { status: "cancelled" };
    case "give_up":
      truth.isClosed = true;
      return { status: "expired" };
    case "pay": {
      const { money, sum, isNamed } = fact;
      const receipt = truth.receipts.get(money) ?? {
        id: `rcpt-${money}`,
        reference: `px-${money % 2}`,
        ...sumOf(sum, asked),
      };
      truth.receipts.set(money, receipt);
      return receiptReport(receipt, protocol, isNamed);
    }
    case "correct": {
      const receipt = truth.receipts.get(fact.money);
      const corrected = sumOf(fact.sum, asked);
      if (!receipt || isSame(receipt, corrected)) return null;
      return receiptReport({ ...receipt, ...corrected }, protocol, true);
    }
    default:
      return null;
  }
}
