// The service around one intent in memory: decides on what was read, commits under the guard of status and revision.
import type { BookedMovement } from "@/server/domain/booked-movement";
import { decideOnBooks } from "@/server/domain/books";
import { bookedException, type ExceptionFact } from "@/server/domain/exceptions";
import { excessToSuspense, type LedgerTransaction } from "@/server/domain/ledger";
import type { TotalStep } from "@/server/domain/topup-step";
import type {
  BooksDependent,
  Decision,
  IntentCore,
  Plan,
  ReportedTotal,
  UnmatchedFunds,
} from "@/server/domain/transition";
import { MemoryLedger } from "./ledger";
import { MemoryTotals } from "./totals";

/** A decision that is not committed yet; others can commit in between. */
export interface Pending<Intent extends IntentCore<string>> {
  readonly read: Intent;
  readonly decide: (intent: Intent) => Decision<Intent>;
  /** Already compared with the bookings of that time, if it depends on them. */
  readonly decision: Exclude<Decision<Intent>, BooksDependent<Intent>>;
  /** The decided step of a total, and the number that it was decided for. */
  readonly step: { readonly total: TotalStep | null; readonly ordinal: number } | null;
}

/** More rounds than a history can have concurrent commits: only a decision that never fits exceeds them. */
const ROUNDS = 20;

export class Shell<Intent extends IntentCore<string>> {
  intent: Intent;
  readonly ledger = new MemoryLedger();
  readonly exceptions: ExceptionFact[] = [];
  readonly events: string[] = [];
  /** Every committed edge, as `status trigger`. */
  readonly edges: string[] = [];
  /** True once a former provider has shown that it has the intent. */
  hasFormerEvidence = false;
  /** The provider's reference in the report that settled a payout. */
  settledUnder: string | null = null;
  readonly #isPayout: boolean;
  readonly #totals = new MemoryTotals(this.ledger);

  constructor(intent: Intent, opening: readonly LedgerTransaction[] = []) {
    this.intent = intent;
    this.#isPayout = opening.length > 0;
    for (const transaction of opening) this.ledger.book(transaction);
  }

  begin(decide: (intent: Intent) => Decision<Intent>): Pending<Intent> {
    const read = this.intent;
    const decided = decide(read);
    const decision = decided.kind === "depends_on_books" ? this.#compare(decided) : decided;
    if (decision.kind !== "total") return { read, decide, decision, step: null };
    const known = this.#totals.known(decision);
    return { read, decide, decision, step: { total: decision.next(known), ordinal: known.ordinal } };
  }

  /** Commits; decides again on a fresh read as long as the intent has changed in between. */
  commit(first: Pending<Intent>): void {
    let pending = first;
    for (let round = 0; round < ROUNDS; round += 1) {
      if (this.#attempt(pending)) return;
      pending = this.begin(pending.decide);
    }
    throw new RangeError(`a decision on ${this.intent.status} never fits`);
  }

  run(decide: (intent: Intent) => Decision<Intent>): void {
    this.commit(this.begin(decide));
  }

  open(exception: ExceptionFact): void {
    if (this.exceptions.every(({ fact }) => fact !== exception.fact)) this.exceptions.push(exception);
  }

  /** Returns false if the guard rejected the write. */
  #attempt({ read, decision, step }: Pending<Intent>): boolean {
    if (decision.kind === "ignored") return true;
    if (decision.kind === "total") return step === null || this.#recordTotal(decision, step);
    if (decision.kind === "unmatched_funds") return this.#bookStray(decision);
    const isMoved = this.intent.status !== read.status || this.intent.revision !== read.revision;
    if (decision.kind === "ambiguous" || decision.kind === "contradiction") {
      if (isMoved && decision.kind === "contradiction") return false;
      this.open(decision.exception);
      return true;
    }
    const { plan } = decision;
    if (this.#isPinned(plan)) return true;
    if (!isMoved && plan.ifBooked && plan.transactions.some(({ uniqueKey }) => this.ledger.has(uniqueKey))) {
      this.open(plan.ifBooked.exception);
      return true;
    }
    if (isMoved || plan.transactions.some((transaction) => this.ledger.refuses(transaction))) return false;
    for (const transaction of plan.transactions) this.ledger.book(transaction);
    for (const exception of plan.exceptions ?? []) this.open(exception);
    if (plan.eventType) this.events.push(plan.eventType);
    this.edges.push(`${plan.before.status} ${plan.trigger}`);
    this.intent = plan.after;
    return true;
  }

  /**
   * The database's rules: a payout that was reported at the gate is not cancelled, and no payout fails after a report
   * that another amount was settled, or that a former provider has it.
   */
  #isPinned({ before, after }: Plan<Intent>): boolean {
    const contradictions = this.exceptions.filter(({ kind }) => kind === "contradiction");
    if (after.status === "cancelled") return contradictions.length > 0;
    if (before.status === "requires_approval") return false;
    if (!this.#isPayout || after.status !== "failed") return false;
    const settled = `contradiction:${before.id}:settled `;
    return this.hasFormerEvidence || contradictions.some(({ fact }) => fact.startsWith(settled));
  }

  #compare(compared: BooksDependent<Intent>): Pending<Intent>["decision"] {
    const movements = this.#movementsOf(compared.provider);
    return decideOnBooks(compared, { movements, nextOrdinal: this.ledger.nextOrdinal });
  }

  #movementsOf(provider: string): BookedMovement[] {
    return [...this.ledger.transactions.values()].flatMap((transaction) => {
      const { uniqueKey, entries } = transaction;
      const from = entries.find(({ account }) => account === "provider_clearing");
      if (!from || (transaction.provider ?? this.#provider) !== provider) return [];
      const reference = uniqueKey.startsWith("payout_settlement:")
        ? this.settledUnder
        : (this.exceptions.find(({ fact }) => fact === uniqueKey)?.detail.provider_reference ?? null);
      return [{ uniqueKey, currency: from.currency, amount: -from.amount, reference }];
    });
  }

  /** Bookings that name no provider belong to the intent's own. */
  get #provider(): string | null {
    return "provider" in this.intent && typeof this.intent.provider === "string" ? this.intent.provider : null;
  }

  /** Returns false if the transaction or its number is already booked: the decision is then made again. */
  #bookStray({ reason, transaction, detail }: UnmatchedFunds): boolean {
    if (this.#exceedsPayout(transaction)) {
      return this.#bookStray({
        kind: "unmatched_funds",
        reason: "amount_mismatch",
        transaction: excessToSuspense(transaction),
      });
    }
    if (this.ledger.refuses(transaction)) return false;
    this.ledger.book(transaction);
    this.open(bookedException(reason, transaction, detail));
    return true;
  }

  /** The database's rule: returns never exceed the payout. */
  #exceedsPayout(transaction: LedgerTransaction): boolean {
    if (transaction.reason !== "bank_return" || this.ledger.has(transaction.uniqueKey)) return false;
    return transaction.entries.some(({ account, currency, amount }) => {
      if (account !== "available") return false;
      const left = -this.ledger.moved("payout_settlement", "held", currency);
      return this.ledger.moved("bank_return", "available", currency) + amount > left;
    });
  }

  /** One step at a time: of two steps for one number, the second is decided again. */
  #recordTotal(total: ReportedTotal, { total: step, ordinal }: NonNullable<Pending<Intent>["step"]>): boolean {
    if (!step) return true;
    if (!this.#totals.record(total, step, ordinal)) return false;
    if (step.booking) this.ledger.book(step.booking.transaction);
    if (step.booking?.exception) this.open(step.booking.exception);
    // A step can leave a rest under another policy, which the next decision handles.
    return false;
  }
}
