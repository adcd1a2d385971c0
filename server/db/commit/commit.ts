// Group commit: plans that are ready together go to Postgres in one statement, each with its own verdict.

import type { LedgerTransaction } from "@/server/domain/ledger";
import type { PaymentIntent } from "@/server/domain/payment-intent";
import type { PayoutIntent } from "@/server/domain/payout-intent";
import type { CallContext } from "@/server/domain/scope";
import type { TopupIntent } from "@/server/domain/topup-intent";
import type { TotalStep } from "@/server/domain/topup-step";
import type { IntentCore, Plan } from "@/server/domain/transition";
import type { Batcher } from "@/server/platform/batcher";
import { openClearingAccounts } from "../clearing-accounts";
import { inTransaction, query } from "../client";
import { isAttributable, isLockTimeout, isRefusedBy, retryOnLockConflict } from "../failures";
import { paymentMapping } from "../intents/payment-row";
import { payoutMapping } from "../intents/payout-row";
import type { CoreRow, RowMapping } from "../intents/row";
import { topupMapping } from "../intents/topup-row";
import { createMerchantBatcher } from "../merchant-batcher";
import type { Transaction } from "../transaction";
import {
  BOOKING_STATEMENT,
  commonShape,
  creationStatement,
  type Statements,
  shapeOf,
  TOTAL_STATEMENT,
  transitionStatement,
} from "./statement";
import { bookingUnit, creationUnit, type Effects, type TotalPlace, totalUnit, transitionUnit } from "./unit";

/**
 * committed: everything is written. claim_lost: another request holds the idempotency key. reference_taken: the
 * merchant reference has an intent already. guard_failed: the intent or its bookings have moved on; read and decide again.
 * insufficient_balance: the wallet does not hold enough. already_booked: this ledger transaction exists.
 * pinned: a provider may have accepted it, or another call was announced, so it can neither be rerouted nor failed.
 * exceeds_payout: more would have come back of a payout than had left. already_approved: this person has approved the
 * payout before. not_an_approver: the person may not approve (any more). daily_total_moved: the day's payouts have
 * reached the total below which the approvals required were decided. exceeds_key_limit, exceeds_recipient_limit,
 * exceeds_merchant_limit: the payout is larger than a limit of payouts, or the day's total would be. merchant_suspended: the
 * operator has suspended the merchant, so nothing is created or approved. recipient_not_usable: the saved recipient was
 * removed, or its cool-off has not ended.
 * Any verdict but `committed` means that nothing was written, except that `reference_taken` keeps a claim that was won.
 */
export type Verdict =
  | "committed"
  | "claim_lost"
  | "reference_taken"
  | "guard_failed"
  | "insufficient_balance"
  | "already_booked"
  | "pinned"
  | "exceeds_payout"
  | "already_approved"
  | "not_an_approver"
  | "made_by_approver"
  | "authority_too_new"
  | "daily_total_moved"
  | "merchant_suspended"
  | "exceeds_key_limit"
  | "exceeds_recipient_limit"
  | "exceeds_merchant_limit"
  | "recipient_not_usable";

type Unit = Readonly<Record<string, unknown>>;
type Batch = Batcher<Unit, Verdict>;

const MAXIMUM_BATCH = 64;
/** About one second of work for a healthy database. */
const MAXIMUM_WAITING = 4_096;
/** A caller has its 503 within 5 s: what is left after this is for the record of its key and the way back. */
const SETTLES_WITHIN_MS = 4_000;
/**
 * A merchant whose unit was refused, or waited too long for a lock, commits apart for this long: it fails the statement
 * for all members, and will likely do so again. Apart, a statement holds at most one unit of each such merchant.
 */
const APART_MS = 10_000;
const MAXIMUM_BATCH_APART = 8;

const REFUSALS: readonly (readonly [constraint: string, verdict: Verdict])[] = [
  ["ledger_account_never_negative", "insufficient_balance"],
  ["idempotency_key_pkey", "claim_lost"],
  ["idempotency_seal_pkey", "claim_lost"],
  ["ledger_transaction_merchant_id_environment_unique_key_key", "already_booked"],
  ["ledger_transaction_movement_ordinal_key", "guard_failed"],
  ["bank_return_within_payout", "exceeds_payout"],
  ["reroute_is_certain", "pinned"],
  ["failure_is_certain", "pinned"],
  ["manual_failure_is_certain", "pinned"],
  ["reported_settlement_awaits_a_person", "pinned"],
  ["dispatch_is_running", "pinned"],
  ["payout_is_cleared", "pinned"],
  ["provider_attempt_merchant_id_intent_id_ordinal_key", "pinned"],
  ["approval_pkey", "already_approved"],
  ["approval_by_an_approver", "not_an_approver"],
  ["approval_by_another_person", "made_by_approver"],
  ["approver_predates_payout", "authority_too_new"],
  ["payout_intent_daily_total_moved", "daily_total_moved"],
  ["merchant_is_active", "merchant_suspended"],
  ["payout_within_key_limit", "exceeds_key_limit"],
  ["payout_within_recipient_limit", "exceeds_recipient_limit"],
  ["payout_within_merchant_limit", "exceeds_merchant_limit"],
  ["payout_recipient_is_usable", "recipient_not_usable"],
];

/**
 * The verdict of one attempt: a refusal by the database is one too. Calls `onHindrance` when the attempt was refused or
 * waited too long for a lock.
 */
export async function verdictOf(attempt: () => Promise<Verdict>, onHindrance?: () => void): Promise<Verdict> {
  try {
    return await attempt();
  } catch (error) {
    const refusal = REFUSALS.find(([constraint]) => isRefusedBy(error, constraint));
    if (refusal || isLockTimeout(error)) onHindrance?.();
    if (refusal) return refusal[1];
    throw error;
  }
}

type Run = (units: readonly Unit[], within?: Transaction) => Promise<Verdict[]>;

/** Executes units by one statement, on a connection of its own or within the caller's transaction. */
function createRun(statements: Statements, refused: Verdict): Run {
  return async (units, within = { query }) => {
    const numbered = JSON.stringify(units.map((unit, n) => ({ n, ...unit })));
    const statement = statements[commonShape(units.map(shapeOf))];
    type Row = { n: number; done: boolean; admitted: boolean };
    const rows = await within.query<Row>(statement, numbered);
    return rows.map(({ done, admitted }) => (done ? "committed" : admitted ? refused : "claim_lost"));
  };
}

function createCommitter(run: Run): Batch {
  /** Merchant to the end of its time apart, in ms of the process's clock. */
  const apartUntil = new Map<string, number>();

  function runOne(unit: Unit): Promise<Verdict> {
    const setApart = () => apartUntil.set(merchantOf(unit), performance.now() + APART_MS);
    const attempt = async () => (await run([unit]))[0] as Verdict;
    return verdictOf(() => retryOnLockConflict(attempt), setApart);
  }

  function isApart(unit: Unit): boolean {
    const until = apartUntil.get(merchantOf(unit));
    if (until === undefined) return false;
    if (until > performance.now()) return true;
    apartUntil.delete(merchantOf(unit));
    return false;
  }

  const common = {
    merchantOf,
    run: async (units: readonly Unit[]) => (units.length === 1 ? [await runOne(units[0] as Unit)] : run(units)),
    isAttributable,
    maximumWaiting: MAXIMUM_WAITING,
    settlesWithinMs: SETTLES_WITHIN_MS,
  };
  const shared = createMerchantBatcher({ ...common, exclusiveKey: intentOf, maximumSize: MAXIMUM_BATCH });
  const apart = createMerchantBatcher({ ...common, exclusiveKey: merchantOf, maximumSize: MAXIMUM_BATCH_APART });
  return { add: (unit) => (isApart(unit) ? apart : shared).add(unit) };
}

const merchantOf = ({ merchant_id }: Unit): string => String(merchant_id);
const intentOf = (unit: Unit): string => `${merchantOf(unit)}/${String(unit.id)}`;

export interface Committer<Intent> {
  /** Inserts a new intent with its holds; claims the key first when there is one. */
  create(intent: Intent, transactions: readonly LedgerTransaction[], effects: Effects): Promise<Verdict>;
  /** Writes a transition plan and all its consequences, if the intent still is as the plan found it. */
  move(plan: Plan<Intent & IntentCore<string>>, effects: Effects): Promise<Verdict>;
  /** The same in one transaction with `beside`, which writes first; neither is written where the other is refused. */
  moveWith(plan: Plan<Intent & IntentCore<string>>, effects: Effects, beside: FurtherWrites): Promise<Verdict>;
}

/** Writes beside a transition, in its transaction. */
type FurtherWrites = (transaction: Transaction) => Promise<void>;

/** Rolls back a transaction whose transition was not written. */
class TransitionRefused extends Error {
  constructor(readonly verdict: Verdict) {
    super(verdict);
  }
}

async function runWith(run: Run, unit: Unit, beside: FurtherWrites): Promise<Verdict> {
  const work = inTransaction(async (transaction): Promise<Verdict> => {
    await beside(transaction);
    const [verdict] = await run([unit], transaction);
    if (verdict !== "committed") throw new TransitionRefused(verdict as Verdict);
    return verdict;
  });
  return work.catch((error: unknown) => {
    if (error instanceof TransitionRefused) return error.verdict;
    throw error;
  });
}

function committerFor<Intent extends IntentCore<string>, Row extends CoreRow>(
  mapping: RowMapping<Intent, Row>,
): Committer<Intent> {
  const creations = createCommitter(createRun(creationStatement(mapping), "reference_taken"));
  const runMoves = createRun(transitionStatement(mapping), "guard_failed");
  const moves = createCommitter(runMoves);
  return {
    create: (intent, transactions, effects) => creations.add(creationUnit(intent, mapping, transactions, effects)),
    move: async (plan, effects) => {
      await openClearingAccounts(plan.after, plan.transactions, plan.after.provider);
      return moves.add(transitionUnit(plan, mapping, effects));
    },
    moveWith: async (plan, effects, beside) => {
      await openClearingAccounts(plan.after, plan.transactions, plan.after.provider);
      const unit = transitionUnit(plan, mapping, effects);
      return verdictOf(() => runWith(runMoves, unit, beside));
    },
  };
}

export const paymentCommitter: Committer<PaymentIntent> = committerFor(paymentMapping);
export const payoutCommitter: Committer<PayoutIntent> = committerFor(payoutMapping);
export const topupCommitter: Committer<TopupIntent> = committerFor(topupMapping);

const bookings = createCommitter(createRun(BOOKING_STATEMENT, "already_booked"));

/**
 * Books a ledger transaction that belongs to no transition; `objectId` is what the audit entry is about. guard_failed when its
 * `movementOrdinal` is taken.
 */
export async function book(
  transaction: LedgerTransaction,
  objectId: string,
  at: Date,
  effects: Effects,
): Promise<Verdict> {
  await openClearingAccounts(effects.context.scope, [transaction]);
  return bookings.add(bookingUnit(transaction, objectId, at, effects));
}

const totals = createCommitter(createRun(TOTAL_STATEMENT, "guard_failed"));

/**
 * Records a step of a top-up's totals with its booking. guard_failed when a step or a booking of that number is recorded
 * already.
 */
export async function recordTotal(
  step: TotalStep,
  place: TotalPlace,
  at: Date,
  context: CallContext,
): Promise<Verdict> {
  if (step.booking) await openClearingAccounts(context.scope, [step.booking.transaction], place.provider);
  return totals.add(totalUnit(step, place, at, context));
}
