// Owns committing: plans that are ready at the same moment go to Postgres in one statement, each with its own verdict.
import type { LedgerTransaction } from "@/server/domain/ledger";
import type { PaymentIntent } from "@/server/domain/payment-intent";
import type { PayoutIntent } from "@/server/domain/payout-intent";
import type { TopupIntent } from "@/server/domain/topup-intent";
import type { IntentCore, Plan } from "@/server/domain/transition";
import { type Batcher, createBatcher } from "@/server/platform/batcher";
import { openClearingAccounts } from "../clearing-accounts";
import { prisma, query } from "../client";
import { isLockConflict, isRefusedBy } from "../failures";
import type { Prisma } from "../generated/client";
import { paymentMapping } from "../intents/payment-row";
import { payoutMapping } from "../intents/payout-row";
import type { CoreRow, RowMapping } from "../intents/row";
import { topupMapping } from "../intents/topup-row";
import {
  BOOKING_STATEMENT,
  commonShape,
  creationStatement,
  type Statements,
  shapeOf,
  transitionStatement,
} from "./statement";
import { bookingUnit, creationUnit, type Effects, transitionUnit } from "./unit";

/**
 * committed: everything is written. claim_lost: another request holds the idempotency key. reference_taken: the
 * merchant reference has an intent already. guard_failed: the intent has moved on; read and decide again.
 * insufficient_balance: the wallet does not hold enough. already_booked: this ledger transaction exists.
 * pinned: a provider may have it, or another call was announced, so that it can neither go to another nor be given up.
 * exceeds_payout: more would have come back of a payout than had left. already_approved: this person has approved the
 * payout before. not_an_approver: the person may not approve (any more). daily_total_moved: the day's payouts have
 * reached the total below which the approvals required were decided.
 * Whatever is not `committed` has written nothing, except that `reference_taken` keeps a claim that was won.
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
  | "daily_total_moved";

type Unit = Readonly<Record<string, unknown>>;
type Batch = Batcher<Unit, Verdict>;

const MAXIMUM_BATCH = 64;
/** What a database that keeps up works off in about a second. */
const MAXIMUM_WAITING = 4_096;
const LOCK_CONFLICT_RETRIES = 5;

const REFUSALS: readonly (readonly [constraint: string, verdict: Verdict])[] = [
  ["ledger_account_never_negative", "insufficient_balance"],
  ["idempotency_key_pkey", "claim_lost"],
  ["idempotency_seal_pkey", "claim_lost"],
  ["ledger_transaction_merchant_id_environment_unique_key_key", "already_booked"],
  ["bank_return_within_payout", "exceeds_payout"],
  ["reroute_is_certain", "pinned"],
  ["failure_is_certain", "pinned"],
  ["manual_failure_is_certain", "pinned"],
  ["reported_settlement_awaits_a_person", "pinned"],
  ["provider_attempt_merchant_id_intent_id_ordinal_key", "pinned"],
  ["approval_pkey", "already_approved"],
  ["approval_by_an_approver", "not_an_approver"],
  ["payout_intent_daily_total_moved", "daily_total_moved"],
];

/** The verdict of one attempt: a refusal by the database is one too, and a lost lock race is run again. */
export async function verdictOf(attempt: () => Promise<Verdict>): Promise<Verdict> {
  for (let retry = 0; ; retry += 1) {
    try {
      return await attempt();
    } catch (error) {
      const refusal = REFUSALS.find(([constraint]) => isRefusedBy(error, constraint));
      if (refusal) return refusal[1];
      if (!isLockConflict(error) || retry === LOCK_CONFLICT_RETRIES) throw error;
    }
  }
}

type Run = (units: readonly Unit[], from?: Pick<Prisma.TransactionClient, "$queryRawUnsafe">) => Promise<Verdict[]>;

/** Executes units by one statement, on a connection of its own or within a transaction that somebody else has opened. */
function createRun(statements: Statements, refused: Verdict): Run {
  return async (units, within) => {
    const numbered = JSON.stringify(units.map((unit, n) => ({ n, ...unit })));
    const statement = statements[commonShape(units.map(shapeOf))];
    type Row = { n: number; done: boolean; admitted: boolean };
    const rows = within
      ? await within.$queryRawUnsafe<Row[]>(statement, numbered)
      : await query<Row>(statement, numbered);
    return rows.map(({ done, admitted }) => (done ? "committed" : admitted ? refused : "claim_lost"));
  };
}

function createCommitter(run: Run): Batch {
  return createBatcher({
    run: async (units) =>
      units.length === 1 ? [await verdictOf(async () => (await run(units))[0] as Verdict)] : run(units),
    exclusiveKey: ({ merchant_id, id }) => `${String(merchant_id)}/${String(id)}`,
    maximumSize: MAXIMUM_BATCH,
    maximumWaiting: MAXIMUM_WAITING,
  });
}

export interface Committer<Intent> {
  /** Inserts a new intent with its holds; claims the key first when there is one. */
  create(intent: Intent, transactions: readonly LedgerTransaction[], effects: Effects): Promise<Verdict>;
  /** Writes a transition plan and all its consequences, if the intent still is as the plan found it. */
  move(plan: Plan<Intent & IntentCore<string>>, effects: Effects): Promise<Verdict>;
  /** The same in one transaction with `beside`, which writes first; neither is written where the other is refused. */
  moveWith(plan: Plan<Intent & IntentCore<string>>, effects: Effects, beside: Beside): Promise<Verdict>;
}

/** Writes beside a transition, in its transaction. */
export type Beside = (transaction: Prisma.TransactionClient) => Promise<void>;

/** Takes a transaction back of which the transition was not written. */
class NotMoved extends Error {
  constructor(readonly verdict: Verdict) {
    super(verdict);
  }
}

async function runWith(run: Run, unit: Unit, beside: Beside): Promise<Verdict> {
  const work = prisma().$transaction(async (transaction): Promise<Verdict> => {
    await beside(transaction);
    const [verdict] = await run([unit], transaction);
    if (verdict !== "committed") throw new NotMoved(verdict as Verdict);
    return verdict;
  });
  return work.catch((error: unknown) => {
    if (error instanceof NotMoved) return error.verdict;
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
    create: (intent, transactions, effects) =>
      creations.add(creationUnit(intent, mapping.toRow(intent), transactions, effects)),
    move: async (plan, effects) => {
      await openClearingAccounts(plan.after, plan.transactions, plan.after.provider);
      return moves.add(transitionUnit(plan, mapping.toRow(plan.after), effects));
    },
    moveWith: async (plan, effects, beside) => {
      await openClearingAccounts(plan.after, plan.transactions, plan.after.provider);
      const unit = transitionUnit(plan, mapping.toRow(plan.after), effects);
      return verdictOf(() => runWith(runMoves, unit, beside));
    },
  };
}

export const paymentCommitter: Committer<PaymentIntent> = committerFor(paymentMapping);
export const payoutCommitter: Committer<PayoutIntent> = committerFor(payoutMapping);
export const topupCommitter: Committer<TopupIntent> = committerFor(topupMapping);

const bookings = createCommitter(createRun(BOOKING_STATEMENT, "already_booked"));

/** Books a ledger transaction that belongs to no transition; `objectId` is what the audit entry is about. */
export async function book(
  transaction: LedgerTransaction,
  objectId: string,
  at: Date,
  effects: Effects,
): Promise<Verdict> {
  await openClearingAccounts(effects.context.scope, [transaction]);
  return bookings.add(bookingUnit(transaction, objectId, at, effects));
}
