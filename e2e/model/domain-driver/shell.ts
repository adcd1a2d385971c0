// The service around one intent in memory: decides on what was read, commits under the guard of status and revision.
import { bookedException, type ExceptionFact } from "@/server/domain/exceptions";
import { excessToSuspense, type LedgerTransaction } from "@/server/domain/ledger";
import { type BookedBeside, totalTransaction, unbookedOf } from "@/server/domain/topup-late";
import type { Decision, IntentCore, Stray, Total } from "@/server/domain/transition";
import { MemoryLedger } from "./ledger";

/** A decision that was made and is not committed yet; others can commit in between. */
export interface Pending<Intent extends IntentCore<string>> {
  readonly read: Intent;
  readonly decide: (intent: Intent) => Decision<Intent>;
  readonly decision: Decision<Intent>;
  readonly beside: BookedBeside;
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
  /** The currency of totals. */
  readonly #currency: string;

  constructor(intent: Intent, currency: string, opening: readonly LedgerTransaction[] = []) {
    this.intent = intent;
    this.#currency = currency;
    for (const transaction of opening) this.ledger.book(transaction);
  }

  begin(decide: (intent: Intent) => Decision<Intent>): Pending<Intent> {
    const read = this.intent;
    return { read, decide, decision: decide(read), beside: this.ledger.besideTopup(this.#currency) };
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
  #attempt({ read, decision, beside }: Pending<Intent>): boolean {
    if (decision.kind === "ignored") return true;
    if (decision.kind === "total") return this.#bookTotal(decision, beside);
    if (decision.kind === "contradiction") {
      this.open(decision.exception);
      return true;
    }
    if (decision.kind === "stray") return this.#bookStray(decision);
    const { plan } = decision;
    const isMoved = this.intent.status !== read.status || this.intent.revision !== read.revision;
    if (isMoved || plan.transactions.some(({ uniqueKey }) => this.ledger.has(uniqueKey))) return false;
    for (const transaction of plan.transactions) this.ledger.book(transaction);
    if (plan.exception) this.open(plan.exception);
    if (plan.eventType) this.events.push(plan.eventType);
    this.edges.push(`${plan.before.status} ${plan.trigger}`);
    this.intent = plan.after;
    return true;
  }

  #bookStray({ reason, transaction }: Stray): boolean {
    if (this.#exceedsPayout(transaction)) {
      return this.#bookStray({ kind: "stray", reason: "amount_mismatch", transaction: excessToSuspense(transaction) });
    }
    if (this.ledger.has(transaction.uniqueKey)) return true;
    this.ledger.book(transaction);
    this.open(bookedException(reason, transaction));
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

  #bookTotal(total: Total, beside: BookedBeside): boolean {
    const amount = unbookedOf(total, beside);
    if (amount <= 0n) return true;
    const reference = `after ${total.reason === "late_money" ? beside.late : `${beside.late}-${beside.dropped}`}`;
    const received = { intentId: this.intent.id, reference, currency: total.currency, amount };
    const transaction = totalTransaction(total, received);
    if (this.ledger.has(transaction.uniqueKey)) return true;
    this.ledger.book(transaction);
    if (!total.terms) this.open(bookedException(total.reason, transaction));
    return true;
  }
}
