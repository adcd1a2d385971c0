// The service around one intent in memory: decides on what was read, commits under the guard of status and revision.
import { bookedException, type ExceptionFact } from "@/server/domain/exceptions";
import { excessToSuspense, type LedgerTransaction } from "@/server/domain/ledger";
import { ambiguousReceipt, type BookedReceipt, compareReceipts, receiptDetail } from "@/server/domain/receipts";
import type { TotalStep } from "@/server/domain/topup-late";
import type { Decision, IntentCore, Stray, Total } from "@/server/domain/transition";
import { MemoryLedger } from "./ledger";
import { MemoryTotals } from "./totals";

/** A decision that was made and is not committed yet; others can commit in between. */
export interface Pending<Intent extends IntentCore<string>> {
  readonly read: Intent;
  readonly decide: (intent: Intent) => Decision<Intent>;
  readonly decision: Decision<Intent>;
  /** Whether the money of a report is booked, by what was booked when it was decided on; null where nothing is compared. */
  readonly verdict: ReturnType<typeof compareReceipts> | null;
  /** The step of a total that was decided on, and the number it was decided for. */
  readonly step: { readonly total: TotalStep | null; readonly ordinal: number } | null;
}

/** More rounds than other commits can exist in one history: only a decision that never fits runs out of them. */
const ROUNDS = 20;

export class Shell<Intent extends IntentCore<string>> {
  intent: Intent;
  readonly ledger = new MemoryLedger();
  readonly exceptions: ExceptionFact[] = [];
  readonly events: string[] = [];
  /** Every committed edge, as `status trigger`. */
  readonly edges: string[] = [];
  readonly #totals = new MemoryTotals(this.ledger);

  constructor(intent: Intent, opening: readonly LedgerTransaction[] = []) {
    this.intent = intent;
    for (const transaction of opening) this.ledger.book(transaction);
  }

  begin(decide: (intent: Intent) => Decision<Intent>): Pending<Intent> {
    const read = this.intent;
    const decision = decide(read);
    const receipt = decision.kind === "stray" ? decision.receipt : undefined;
    const verdict = receipt ? compareReceipts(this.#receiptsOf(receipt.provider), receipt) : null;
    if (decision.kind !== "total") return { read, decide, decision, step: null, verdict };
    const known = this.#totals.known(decision);
    return { read, decide, decision, step: { total: decision.next(known), ordinal: known.ordinal }, verdict };
  }

  /** Commits, deciding again on a fresh read for as long as the intent moved in between. */
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

  /** False when the guard refused the write. */
  #attempt({ read, decision, step, verdict }: Pending<Intent>): boolean {
    if (decision.kind === "ignored") return true;
    if (decision.kind === "total") return step === null || this.#recordTotal(decision, step);
    if (decision.kind === "contradiction") {
      this.open(decision.exception);
      return true;
    }
    if (decision.kind === "stray") return this.#bookMoney(decision, verdict);
    const { plan } = decision;
    const isMoved = this.intent.status !== read.status || this.intent.revision !== read.revision;
    if (isMoved || plan.transactions.some(({ uniqueKey }) => this.ledger.has(uniqueKey))) return false;
    for (const transaction of plan.transactions) this.ledger.book(transaction);
    for (const exception of plan.exceptions ?? []) this.open(exception);
    if (plan.eventType) this.events.push(plan.eventType);
    this.edges.push(`${plan.before.status} ${plan.trigger}`);
    this.intent = plan.after;
    return true;
  }

  /** Money that may be booked already is not booked: a person decides. */
  #bookMoney(stray: Stray, verdict: Pending<Intent>["verdict"]): boolean {
    if (verdict === "booked") return true;
    if (verdict === "ambiguous" && stray.receipt) {
      this.open(ambiguousReceipt(stray.receipt));
      return true;
    }
    if (verdict === "separate" && this.ledger.has(stray.transaction.uniqueKey)) return false;
    return this.#bookStray(stray);
  }

  #receiptsOf(provider: string): BookedReceipt[] {
    return [...this.ledger.transactions.values()].flatMap((transaction) => {
      const { uniqueKey, entries } = transaction;
      const from = entries.find(({ account }) => account === "provider_clearing");
      const isReceipt = uniqueKey.startsWith("receipt:") || uniqueKey.startsWith("receipt_id:");
      if (!from || !isReceipt || (transaction.provider ?? this.#provider) !== provider) return [];
      const reference = this.exceptions.find(({ fact }) => fact === uniqueKey)?.detail.provider_reference ?? null;
      return [{ uniqueKey, currency: from.currency, amount: -from.amount, reference }];
    });
  }

  /** Bookings that name no provider are of the intent's own. */
  get #provider(): string | null {
    return "provider" in this.intent && typeof this.intent.provider === "string" ? this.intent.provider : null;
  }

  #bookStray({ reason, transaction, receipt }: Stray): boolean {
    if (this.#exceedsPayout(transaction)) {
      return this.#bookStray({ kind: "stray", reason: "amount_mismatch", transaction: excessToSuspense(transaction) });
    }
    if (this.ledger.has(transaction.uniqueKey)) return true;
    this.ledger.book(transaction);
    this.open(bookedException(reason, transaction, receipt ? receiptDetail(receipt) : {}));
    return true;
  }

  /** The database's rule: what came back never exceeds what left. */
  #exceedsPayout(transaction: LedgerTransaction): boolean {
    if (transaction.reason !== "bank_return" || this.ledger.has(transaction.uniqueKey)) return false;
    return transaction.entries.some(({ account, currency, amount }) => {
      if (account !== "available") return false;
      const left = -this.ledger.moved("payout_settlement", "held", currency);
      return this.ledger.moved("bank_return", "available", currency) + amount > left;
    });
  }

  /** One step at a time: of two that were decided for one number, the second is decided again. */
  #recordTotal(total: Total, { total: step, ordinal }: NonNullable<Pending<Intent>["step"]>): boolean {
    if (!step) return true;
    if (!this.#totals.record(total, step, ordinal)) return false;
    if (step.booking) this.ledger.book(step.booking.transaction);
    if (step.booking?.exception) this.open(step.booking.exception);
    // A step can leave a rest that falls under another policy: the next decision takes it up.
    return false;
  }
}
