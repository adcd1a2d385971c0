// The only code that changes intents. It decides on the intent as read and commits the plan under a guard. If the
// intent has changed meanwhile, it reads it again and decides again.
import { findBookedMovements } from "@/server/db/booked-movements";
import type { Verdict } from "@/server/db/commit/commit";
import type { Approval, Effects, Seal } from "@/server/db/commit/unit";
import { decideOnBooks } from "@/server/domain/books";
import {
  Forbidden,
  insufficientBalanceError,
  merchantSuspendedError,
  notFoundError,
  ServiceError,
} from "@/server/domain/errors";
import type { LedgerTransaction } from "@/server/domain/ledger";
import { OBSTACLE_TEXT } from "@/server/domain/payout-gate";
import type { BooksDependent, Decision, IntentCore } from "@/server/domain/transition";
import { counter } from "@/server/platform/metrics/instruments";
import { traced, withinIntentTrace } from "@/server/platform/tracing/tracing";
import { KeyConflict } from "../idempotency/once";
import type { IntentRecords } from "./kind";
import { openDoubt, recordUnmatched } from "./unmatched-funds";

const countIntent = counter({
  name: "sluice_intents_total",
  help: "Intents that reached a status, including the one they were created with. failure_code is empty without a failure.",
  labelNames: ["kind", "environment", "status", "failure_code"],
});

/** Counts an intent that has a new status. */
function countStatus(kind: string, { environment, status, failure }: IntentCore<string>): void {
  countIntent({ kind, environment, status, failure_code: failure?.code ?? "" });
}

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
  /** moved: the intent changed. recorded: money or an exception was recorded beside it. none: nothing was. */
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
      const effect = await recordUnmatched(kind, current, decision, effects);
      if (effect !== "outdated") return { intent: current, effect };
      current = await readAgain(kind, current);
      continue;
    }
    const { plan } = decision;
    const { seal, approval, ...rest } = effects;
    const action = `${kind.table}.${plan.trigger}`;
    const records = { seal: seal?.(plan.after) ?? null, approval: approval?.(plan.before) ?? null };
    const verdict = await committed(plan.after, action, false, () =>
      kind.committer.move(plan, { ...rest, ...records, action }),
    );
    if (verdict === "committed") {
      if (plan.after.status !== plan.before.status) countStatus(kind.table, plan.after);
      return { intent: plan.after, effect: "moved" };
    }
    if (verdict === "pinned") return { intent: current, effect: "none" };
    const refused = REFUSED[verdict];
    if (refused) throw refused();
    const fresh = await readAgain(kind, current);
    if (verdict === "already_booked" && fresh.revision === current.revision) {
      return { intent: current, effect: plan.ifBooked ? await openDoubt(current, plan.ifBooked, effects) : "none" };
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
      "You have already approved this payout; another member must give the next approval.",
    ),
  merchant_suspended: merchantSuspendedError,
  made_by_approver: () => new ServiceError("approval_required", OBSTACLE_TEXT.made_by_you),
  authority_too_new: () => new ServiceError("approval_required", OBSTACLE_TEXT.authority_too_new),
  not_an_approver: () => new Forbidden("Only an active member whose role allows it can approve payouts."),
};

/** Inserts a new intent with its ledger transactions and effects. Throws merchant_suspended. */
export async function recordCreation<Intent extends IntentCore<string>>(
  kind: IntentRecords<Intent>,
  intent: Intent,
  transactions: readonly LedgerTransaction[],
  effects: Omit<Effects, "action">,
): Promise<Verdict> {
  const action = `${kind.table}.create`;
  const verdict = await committed(intent, action, true, () =>
    kind.committer.create(intent, transactions, { ...effects, action }),
  );
  if (verdict === "merchant_suspended") throw merchantSuspendedError();
  if (verdict === "committed") countStatus(kind.table, intent);
  return verdict;
}

/** Runs a commit as a span of its intent's trace. */
function committed(
  { id, merchantId, environment, status }: IntentCore<string>,
  action: string,
  isFirst: boolean,
  commit: () => Promise<Verdict>,
): Promise<Verdict> {
  const attributes = () => ({
    "sluice.intent_id": id,
    "sluice.merchant_id": merchantId,
    "sluice.environment": environment,
    "sluice.action": action,
    "sluice.status": status,
  });
  const start = () => ({ name: `commit ${action}`, kind: "client" as const, attributes: attributes(), isFirst });
  const work = () => traced(start, commit, (verdict) => ({ attributes: { "sluice.verdict": verdict } }));
  return withinIntentTrace(id, work);
}

async function readAgain<Intent extends IntentCore<string>>(
  kind: IntentRecords<Intent>,
  intent: Intent,
): Promise<Intent> {
  const fresh = await kind.store.find(intent, intent.id);
  if (!fresh) throw notFoundError();
  return fresh;
}

/** Resolves a `compared` decision by reading the bookings that it depends on. */
async function compareWithBooks<Intent extends IntentCore<string>>(
  intent: Intent,
  decision: Decision<Intent>,
): Promise<Exclude<Decision<Intent>, BooksDependent<Intent>>> {
  if (decision.kind !== "depends_on_books") return decision;
  return decideOnBooks(decision, await findBookedMovements(intent, decision.provider));
}
