// What a report of a payout's money means beside what is booked of it: each movement is booked once, and none in doubt.
import type { BookedMovement } from "./booked-movement";
import { contradictionException, type ExceptionFact } from "./exceptions";
import { isByHand } from "./journal";
import { bankReturn, excessToSuspense, type IntentTransaction, payoutSettlement, toSuspense } from "./ledger";
import type { PayoutOutcome, ProviderSum } from "./outcome";
import {
  ambiguousReceipt,
  type Receipt,
  receiptOf,
  reportedOf,
  type Sameness,
  samenessOf,
  unlessBooked,
} from "./receipts";
import type { BooksDependent, Contradiction, IntentCore } from "./transition";

export type SettlementReport = Extract<PayoutOutcome, { kind: "settled" }>;
export type ReturnReport = Extract<PayoutOutcome, { kind: "returned" }>;

interface Payout {
  readonly id: string;
  readonly provider: string;
  /** Minor units of `currency`. */
  readonly amount: bigint;
  readonly currency: string;
}

/** The money that a report says has left (below zero) or come back. */
export function movementOf(payout: Pick<Payout, "id" | "provider">, report: SettlementReport | ReturnReport): Receipt {
  const receipt = receiptOf(payout, { ...report, receiptId: null });
  return report.kind === "settled" ? { ...receipt, amount: -receipt.amount } : receipt;
}

/**
 * The provider reports another sum than the payout's, or than `left` of it. The hold already covers whatever has left, so
 * booking the report would take the money twice: a person finds out what really left.
 */
export function anotherSum({ id }: Payout, left: ProviderSum, settled: SettlementReport): Contradiction {
  const why = "The provider reports a sum that differs from the payout's amount.";
  return contradictedBy(settled, id, "settled", { why, amount: left.amount.toString(), currency: left.currency });
}

/** The provider has settled the payout under the `earlier` reference already: it may have paid twice. */
function anotherReference({ id }: Payout, earlier: string, settled: SettlementReport): Contradiction {
  const why = "The provider reports the payout as settled under two references. It may have paid twice.";
  return contradictedBy(settled, id, "settled", { why, earlier_reference: earlier });
}

/**
 * A settlement reported of a payout that has settled: old news where it names the sum that has left by our books, and no other
 * reference than the settlement's. Once people have booked money of the payout by hand, a report without its reference asks.
 */
export function settledAgain<Intent extends IntentCore<string>>(
  payout: Payout,
  settled: SettlementReport,
): BooksDependent<Intent> {
  const { uniqueKey } = payoutSettlement(payout);
  return {
    kind: "depends_on_books",
    provider: payout.provider,
    decide: (booked) => {
      const settlement = booked.find((movement) => movement.uniqueKey === uniqueKey);
      const left = settlement ? { ...settlement, amount: -settlement.amount } : payout;
      const isKnown = settled.amount === left.amount && settled.currency === left.currency;
      if (!isKnown) return anotherSum(payout, left, settled);
      const [earlier, reference] = [settlement?.reference ?? null, settled.providerReference];
      // People may have taken the settlement back; only its own reference says that this is no further one.
      const isRepeated = earlier !== null && earlier === reference;
      if (booked.some(isByHand) && !isRepeated) return ambiguousReceipt(movementOf(payout, settled));
      return earlier !== null && reference !== null && earlier !== reference
        ? anotherReference(payout, earlier, settled)
        : { kind: "ignored", reason: "the payout has settled already" };
    },
  };
}

/** The provider paid a payout whose hold we have released already. The status stays; the money is accounted for. */
export function paidAfterRelease<Intent extends IntentCore<string>>(
  payout: Payout,
  settled: SettlementReport,
): BooksDependent<Intent> {
  const left = movementOf(payout, settled);
  return keepMovement(left, toSuspense("late_money", left));
}

/** Money that a provider moved for a payout which it does not have, or no longer: kept apart under its name. */
export function movedElsewhere<Intent extends IntentCore<string>>(
  id: string,
  provider: string,
  report: SettlementReport | ReturnReport,
): BooksDependent<Intent> {
  const movement = movementOf({ id, provider }, report);
  return keepMovement(movement, underProvider(movement));
}

function keepMovement<Intent extends IntentCore<string>>(
  movement: Receipt,
  transaction: IntentTransaction,
): BooksDependent<Intent> {
  return unlessBooked(movement, compareMovements, () => ({
    kind: "unmatched_funds",
    reason: "late_money",
    transaction,
  }));
}

function underProvider(movement: Receipt): IntentTransaction {
  const { provider, reference, amount } = movement;
  const by = amount < 0n ? provider : `${provider} returned`;
  return { ...toSuspense("late_money", { ...movement, reference: `${by}:${reference}` }), provider };
}

/**
 * Whether a payout's money is booked. Each reference names one movement out and one back. An equal sum with and without a
 * reference may be one movement, and so may two sums under one reference. Once people have booked money of the payout by hand, each
 * report of money that is not booked may be of theirs.
 */
export function compareMovements(booked: readonly BookedMovement[], movement: Receipt): Sameness {
  const isSettlement = ({ uniqueKey }: BookedMovement) => uniqueKey.startsWith("payout_settlement:");
  const others = booked.filter((one) => !isSettlement(one));
  const verdicts = reportedOf(others)
    .filter(({ amount }) => amount < 0n === movement.amount < 0n)
    .map((one) => compareWith(one, movement));
  return samenessOf(verdicts, others.some(isByHand));
}

function compareWith(booked: BookedMovement, movement: Receipt): Sameness {
  const isEqual = booked.currency === movement.currency && booked.amount === movement.amount;
  // A key in suspense holds the sum, so that of another sum under the same reference is compared as if it had the booked one.
  const { currency, amount } = movement.reference === "" ? movement : booked;
  if (keysOf({ ...movement, currency, amount }).includes(booked.uniqueKey)) return isEqual ? "booked" : "ambiguous";
  const isUnnamed = movement.reference === "" || keysOf({ ...movement, reference: "" }).includes(booked.uniqueKey);
  return isEqual && isUnnamed ? "ambiguous" : "separate";
}

/** All keys under which the movement may be booked. */
function keysOf(movement: Receipt): string[] {
  const inWallet = bankReturn(movement);
  const all = [inWallet, excessToSuspense(inWallet), toSuspense("late_money", movement), underProvider(movement)];
  return all.map(({ uniqueKey }) => uniqueKey);
}

/**
 * A provider of the route reports that money left, or came back, for a payout that was never sent from here: it still awaits
 * approval, as after a restore from a backup. Nothing is booked until a person knows what happened.
 */
export function movedBeforeDispatch(
  id: string,
  provider: string,
  report: SettlementReport | ReturnReport,
): Contradiction {
  const { kind } = report;
  const why = `The provider reports "${kind}", but the payout awaits approval and was never sent.`;
  return contradictedBy(report, id, `${kind} before dispatch by ${provider}`, { why, provider });
}

/** Each movement that nobody has booked has an exception of its own, which names its sum and reference. */
function contradictedBy(
  { amount, currency, providerReference }: SettlementReport | ReturnReport,
  id: string,
  what: string,
  detail: ExceptionFact["detail"],
): Contradiction {
  const sum = `${what} ${amount} ${currency}`;
  const reason = providerReference === null ? sum : `${sum} ${providerReference}`;
  const reported = {
    reported_amount: amount.toString(),
    reported_currency: currency,
    provider_reference: providerReference,
  };
  return { kind: "contradiction", exception: contradictionException(id, reason, { ...detail, ...reported }) };
}
