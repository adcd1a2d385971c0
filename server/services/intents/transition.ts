// The only code that changes intents. It decides on the intent as read and commits the plan under a guard. If the
// intent has changed meanwhile, it reads it again and decides again.
import { findBookedMovements } from "@/server/db/booked-movements";
import { book, recordTotal, type Verdict } from "@/server/db/commit/commit";
import type { Approval, Effects, Seal } from "@/server/db/commit/unit";
import { openException } from "@/server/db/exceptions";
import { findKnownTotals } from "@/server/db/topup-totals";
import { openAccounts } from "@/server/db/wallets";
import { decideOnBooks } from "@/server/domain/books";
import { Forbidden, insufficientBalanceError, notFoundError, ServiceError } from "@/server/domain/errors";
import { bookedException, journaledTotalException } from "@/server/domain/exceptions";
import { excessToSuspense, type LedgerTransaction } from "@/server/domain/ledger";
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
import { KeyConflict } from "../idempotency/once";
import type { IntentRecords } from "./kind";

export interface TransitionEffects<Intent> extends Omit<Effects, "action" | "seal" | "approval"> {
  /** The merchant's time of the decision. */
  readonly at: Date;
  /** The stored answer for the changed intent, if the change completes an idempotent request. */
  readonly seal?: ((after: Intent) => Seal | null) | undefined;
  /** The approval, if the change is one; `before` is the intent as decided on. */
  readonly approval?: (before: Intent) => Approval;
}

export interface RecordedDecision<Intent> {
  readonly intent: Intent;
  /** moved: the intent changed. recorded: money or an exception was recorded, the intent stays as it is. none: nothing was recorded. */
  readonly effect: "moved" | "recorded" | "none";
}

/**
 * Rounds of read-and-decide before giving up. A round is lost if another commit changed the intent or booked money of
 * it. Of n simultaneous reports, the last loses n - 1 rounds.
 */
const ROUNDS = 100;

/**
 * Decides on the intent and commits the plan with all its consequences. `intent` is what the caller last read. Throws
 * what `decide` throws, the errors in `REFUSED`, and service_unavailable if the intent keeps changing.
 */
export async function recordTransition<Intent extends IntentCore<string>>(
  kind: IntentRecords<Intent>,
  intent: Intent,
  decide: (intent: Intent) => Decision<Intent>,
  effects: TransitionEffects<Intent>,
): Promise<RecordedDecision<Intent>> {
  let current = intent;
  for (let round = 0; round < ROUNDS; round += 1) {
    const decision = await compareWithBooks(current, decide(current));
    if (decision.kind !== "planned") {
      const effect = await recordWithoutTransition(kind, current, decision, effects);
      if (effect !== "outdated") return { intent: current, effect };
      current = await readAgain(kind, current);
      continue;
    }
    const { plan } = decision;
    const { seal, approval, ...rest } = effects;
    const action = `${kind.table}.${plan.trigger}`;
    const records = { seal: seal?.(plan.after) ?? null, approval: approval?.(plan.before) ?? null };
    const verdict = await kind.committer.move(plan, { ...rest, ...records, action });
    if (verdict === "committed") return { intent: plan.after, effect: "moved" };
    if (verdict === "pinned") return { intent: current, effect: "none" };
    const refused = REFUSED[verdict];
    if (refused) throw refused();
    const fresh = await readAgain(kind, current);
    if (verdict === "already_booked" && fresh.revision === current.revision) {
      return { intent: current, effect: plan.ifBooked ? await recordDoubt(current, plan.ifBooked, effects) : "none" };
    }
    current = fresh;
  }
  throw new ServiceError("service_unavailable", "The object is changing too quickly; retry.", 1);
}

/** Verdicts that deciding again would not change, and their errors. */
const REFUSED: Readonly<Partial<Record<Verdict, () => Error>>> = {
  claim_lost: () => new KeyConflict(),
  insufficient_balance: insufficientBalanceError,
  already_approved: () =>
    new ServiceError(
      "approval_required",
      "You have approved this payout already; the next approval is another person's.",
    ),
  not_an_approver: () => new Forbidden("Only an active member with a role for it can approve payouts."),
};

/** Inserts a new intent with its ledger transactions and effects. */
export function recordCreation<Intent extends IntentCore<string>>(
  kind: IntentRecords<Intent>,
  intent: Intent,
  transactions: readonly LedgerTransaction[],
  effects: Omit<Effects, "action">,
): Promise<Verdict> {
  return kind.committer.create(intent, transactions, { ...effects, action: `${kind.table}.create` });
}

async function readAgain<Intent extends IntentCore<string>>(
  kind: IntentRecords<Intent>,
  intent: Intent,
): Promise<Intent> {
  const fresh = await kind.store.find(intent, intent.id);
  if (!fresh) throw notFoundError();
  return fresh;
}

/** The audit action for each kind of money that belongs to no transition. */
const AUDIT_ACTIONS: Readonly<Record<UnmatchedFunds["reason"], string>> = {
  late_money: "suspense.late_money",
  amount_mismatch: "suspense.amount_mismatch",
  bank_return: "wallet.bank_return",
};

/** Who caused the change and when, in the merchant's time. */
type Cause = Pick<TransitionEffects<never>, "context" | "at">;

/** Resolves a `compared` decision by reading the bookings that it depends on. */
async function compareWithBooks<Intent extends IntentCore<string>>(
  intent: Intent,
  decision: Decision<Intent>,
): Promise<Exclude<Decision<Intent>, BooksDependent<Intent>>> {
  if (decision.kind !== "depends_on_books") return decision;
  return decideOnBooks(decision, await findBookedMovements(intent, decision.provider));
}

type WithoutTransition<Intent extends IntentCore<string>> = Exclude<
  Decision<Intent>,
  PlannedChange<Intent> | BooksDependent<Intent>
>;

/** Records a decision that does not change the intent. `outdated`: the intent or its bookings changed; decide again. */
async function recordWithoutTransition<Intent extends IntentCore<string>>(
  { table }: IntentRecords<Intent>,
  intent: Intent,
  decision: WithoutTransition<Intent>,
  by: Cause,
): Promise<"recorded" | "none" | "outdated"> {
  switch (decision.kind) {
    case "ignored":
      return "none";
    case "ambiguous":
      return recordDoubt(intent, decision, by);
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

async function recordDoubt(
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
async function bookUnmatchedFunds(intent: IntentCore<string>, stray: UnmatchedFunds, by: Cause): Promise<boolean> {
  const { reason, transaction } = stray;
  const exception = bookedException(reason, transaction, stray.detail);
  const verdict = await bookTransaction(intent, transaction, by.at, {
    context: by.context,
    action: AUDIT_ACTIONS[reason],
    exception,
  });
  if (verdict === "exceeds_payout") {
    const excess = { ...stray, reason: "amount_mismatch", transaction: excessToSuspense(transaction) } as const;
    return bookUnmatchedFunds(intent, excess, by);
  }
  return verdict === "committed";
}

/**
 * Books the difference between a reported total and the books, step by step; each step is decided on the totals after
 * the one before. Returns false if there was no difference. A step that conflicts with another commit is decided again.
 * Throws service_unavailable if it keeps conflicting.
 */
async function bookTotals(intent: IntentCore<string>, total: ReportedTotal, by: Cause): Promise<boolean> {
  const { merchantId, environment, id: intentId, provider } = intent;
  let isRecorded = false;
  for (let round = 0; round < ROUNDS; round += 1) {
    const known = await findKnownTotals(intent, total);
    const { byHand } = known;
    if (byHand > 0n && total.next({ ...known, taken: known.taken - byHand })?.booking) {
      await openException({ ...journaledTotalException(intentId, total.currency, byHand), scope: intent }, by.at);
    }
    const step = total.next(known);
    if (!step) return isRecorded;
    for (const { currency } of step.booking?.transaction.entries ?? []) await openAccounts(intent, currency);
    const { ordinal, nextMovementOrdinal } = known;
    const at = { merchantId, environment, intentId, ordinal, nextMovementOrdinal, token: total.token, provider };
    if ((await recordTotal(step, at, by.at, by.context)) !== "committed") continue;
    isRecorded = true;
    if (step.booking) warnOfBooking(intent, step.booking.transaction);
  }
  throw new ServiceError("service_unavailable", "The top-up's totals are changing too quickly; retry.", 1);
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
  log().warn({ intentId, merchantId, reason }, "money was booked beside its intent");
}
