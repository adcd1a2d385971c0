// Records reports that change no intent: money that belongs to no transition, totals of a top-up, and exceptions.
import { book, recordTotal, type Verdict } from "@/server/db/commit/commit";
import type { Effects } from "@/server/db/commit/unit";
import { openException } from "@/server/db/exceptions";
import { countOtherQuestions, findKnownTotals, type StoredTotals } from "@/server/db/topup-totals";
import { openAccounts } from "@/server/db/wallets";
import { ServiceError } from "@/server/domain/errors";
import { bookedException } from "@/server/domain/exceptions";
import { excessToSuspense, type LedgerTransaction } from "@/server/domain/ledger";
import type { CallContext } from "@/server/domain/scope";
import { totalException, totalInDoubt } from "@/server/domain/topup-doubt";
import type {
  AmbiguousReport,
  BooksDependent,
  Decision,
  IntentCore,
  PlannedChange,
  ReportedTotal,
  UnmatchedFunds,
} from "@/server/domain/transition";
import { log } from "@/server/platform/log";
import { openContradiction } from "../exceptions/stuck";
import type { IntentRecords } from "./kind";

/** Rounds of booking a total before giving up. A round is lost if another commit recorded a step of it. */
const ROUNDS = 100;

/** The audit action for each kind of money that belongs to no transition. */
const AUDIT_ACTIONS: Readonly<Record<UnmatchedFunds["reason"], string>> = {
  late_money: "suspense.late_money",
  amount_mismatch: "suspense.amount_mismatch",
  bank_return: "wallet.bank_return",
};

/** Who caused the change and when, in the merchant's time. */
interface Cause {
  readonly context: CallContext;
  readonly at: Date;
}

type WithoutTransition<Intent extends IntentCore<string>> = Exclude<
  Decision<Intent>,
  PlannedChange<Intent> | BooksDependent<Intent>
>;

/** Records a decision that does not change the intent. `outdated`: the intent or its bookings changed; decide again. */
export async function recordUnmatched<Intent extends IntentCore<string>>(
  { table }: IntentRecords<Intent>,
  intent: Intent,
  decision: WithoutTransition<Intent>,
  by: Cause,
): Promise<"recorded" | "none" | "outdated"> {
  switch (decision.kind) {
    case "ignored":
      return "none";
    case "ambiguous":
      return openDoubt(intent, decision, by);
    case "contradiction": {
      const verdict = await openContradiction(table, intent, decision.exception, by.at);
      if (verdict === "moved") return "outdated";
      return verdict === "opened" ? "recorded" : "none";
    }
    case "total":
      return (await bookTotals(intent, decision, by)) ? "recorded" : "none";
    case "unmatched_funds":
      return (await bookUnmatchedFunds(intent, decision, by)) ? "recorded" : "outdated";
  }
}

/** Opens the exception of a report of money that may be booked already. */
export async function openDoubt(
  scope: IntentCore<string>,
  { exception }: AmbiguousReport,
  by: Cause,
): Promise<"recorded" | "none"> {
  return (await openException({ ...exception, scope }, by.at)) ? "recorded" : "none";
}

/**
 * Books money that belongs to no transition, with its exception, in one commit. Returns false if the decision must be
 * made again. A bank return that exceeds the rest of the payout goes to suspense instead: the database enforces the
 * limit.
 */
async function bookUnmatchedFunds(intent: IntentCore<string>, funds: UnmatchedFunds, by: Cause): Promise<boolean> {
  const { reason, transaction } = funds;
  const exception = bookedException(reason, transaction, funds.detail);
  const verdict = await bookTransaction(intent, transaction, by.at, {
    context: by.context,
    action: AUDIT_ACTIONS[reason],
    exception,
  });
  if (verdict === "exceeds_payout") {
    const excess = { ...funds, reason: "amount_mismatch", transaction: excessToSuspense(transaction) } as const;
    return bookUnmatchedFunds(intent, excess, by);
  }
  return verdict === "committed";
}

/**
 * Books the difference between a reported total and the books, step by step; each step is decided on the totals after
 * the one before. Once operators have booked money of the top-up by hand, nothing is booked: a person judges. Returns false if
 * there was no difference. A step that conflicts with another commit is decided again.
 * Throws service_unavailable if it keeps conflicting.
 */
async function bookTotals(intent: IntentCore<string>, total: ReportedTotal, by: Cause): Promise<boolean> {
  const { merchantId, environment, id: intentId, provider } = intent;
  let isRecorded = false;
  for (let round = 0; round < ROUNDS; round += 1) {
    const known = await findKnownTotals(intent, total);
    const step = total.next(known);
    if (!step || (step.booking && known.byHand.count > 0)) {
      const isAsked = await askAboutTotal(intent, total, known, by);
      return isRecorded || isAsked;
    }
    for (const { currency } of step.booking?.transaction.entries ?? []) await openAccounts(intent, currency);
    const { ordinal, nextMovementOrdinal } = known;
    const at = { merchantId, environment, intentId, ordinal, nextMovementOrdinal, token: total.token, provider };
    if ((await recordTotal(step, at, by.at, by.context)) !== "committed") continue;
    isRecorded = true;
    if (step.booking) warnOfBooking(intent, step.booking.transaction);
  }
  throw new ServiceError("service_unavailable", "The top-up's totals are changing too quickly; retry.", 1);
}

/** Opens the exception of a total that only a person can judge; false if there is none, or was before. */
async function askAboutTotal(
  intent: IntentCore<string>,
  total: ReportedTotal,
  known: StoredTotals,
  by: Cause,
): Promise<boolean> {
  const inDoubt = totalInDoubt(total, known, known.byHand);
  if (!inDoubt) return false;
  const others = `${known.ordinal}.${await countOtherQuestions(intent, total)}`;
  return openException({ ...totalException(intent.id, total, inDoubt, others), scope: intent }, by.at);
}

async function bookTransaction(
  intent: IntentCore<string>,
  transaction: LedgerTransaction,
  at: Date,
  effects: Effects,
): Promise<Verdict> {
  for (const { currency } of transaction.entries) await openAccounts(intent, currency);
  const verdict = await book({ provider: intent.provider, ...transaction }, intent.id, at, effects);
  if (verdict === "committed") warnOfBooking(intent, transaction);
  return verdict;
}

function warnOfBooking({ id: intentId, merchantId }: IntentCore<string>, { reason }: LedgerTransaction): void {
  log().warn({ intentId, merchantId, reason }, "unmatched funds were booked");
}
