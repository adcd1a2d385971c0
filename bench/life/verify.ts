// Checks that every life is complete, by counting its rows.
import type { Party, Stage } from "../stage";
import { amountOf, type Fate, fateOf } from "./course";

/** Rows of the lives of some merchants. */
export interface LifeRows {
  readonly payments: number;
  readonly succeeded: number;
  readonly expired: number;
  readonly failed: number;
  readonly credits: number;
  /** Minor units credited to the wallets. */
  readonly credited: number;
  readonly events: number;
  readonly delivered: number;
  readonly attempts: number;
  readonly auditEntries: number;
  readonly linkedEntries: number;
  /** Ends counted in the figures. */
  readonly figures: number;
  readonly callbacksWaiting: number;
  readonly exceptions: number;
}

export async function countLifeRows({ database }: Stage, parties: readonly Party[]): Promise<LifeRows> {
  const ids = parties.map(({ id }) => id);
  const count = (table: string, where = "true") =>
    `(SELECT count(*)::int FROM ${table} t WHERE t.merchant_id = ANY($1) AND ${where})`;
  const entryOfPayment = "t.object_id LIKE 'dord\\_%'";
  const isLinked = "EXISTS (SELECT FROM audit_link l WHERE l.merchant_id = t.merchant_id AND l.entry_id = t.id)";
  const [rows] = await database.query<LifeRows>(
    `SELECT ${count("payment_intent")} AS payments,
            ${count("payment_intent", "status = 'succeeded'")} AS succeeded,
            ${count("payment_intent", "status = 'expired'")} AS expired,
            ${count("payment_intent", "status = 'failed'")} AS failed,
            ${count("ledger_transaction", "intent_id IS NOT NULL")} AS credits,
            (SELECT coalesce(sum(e.amount), 0)::float8 FROM ledger_transaction t
             JOIN ledger_entry e ON e.merchant_id = t.merchant_id AND e.transaction_id = t.id AND e.kind = 'available'
             WHERE t.merchant_id = ANY($1) AND t.intent_id IS NOT NULL) AS credited,
            ${count("event")} AS events,
            ${count("delivery", "state = 'delivered'")} AS delivered,
            ${count("delivery_attempt")} AS attempts,
            ${count("audit_entry", entryOfPayment)} AS "auditEntries",
            ${count("audit_entry", `${entryOfPayment} AND ${isLinked}`)} AS "linkedEntries",
            (SELECT coalesce(sum(count), 0)::int FROM intent_figure WHERE merchant_id = ANY($1) AND minutes = 60) AS figures,
            (SELECT count(*)::int FROM provider_callback WHERE due_at IS NOT NULL) AS "callbacksWaiting",
            ${count("exception")} AS exceptions`,
    ids,
  );
  if (!rows) throw new Error("the rows were not counted");
  return rows;
}

/** The number of payments of each fate among the first `lives`, and the sum of those that are paid. */
export function expectedOf(lives: number): Readonly<Record<Fate | "credited", number>> {
  const expected = { paid: 0, expired: 0, declined: 0, credited: 0 };
  for (let n = 0; n < lives; n += 1) {
    const amount = amountOf(n);
    const fate = fateOf(String(amount));
    expected[fate] += 1;
    if (fate === "paid") expected.credited += amount;
  }
  return expected;
}

/** Audit entries of a life: its creation, the provider's answer, its end. A declined one ends with the answer. */
const ENTRIES: Readonly<Record<Fate, number>> = { paid: 3, expired: 3, declined: 2 };

/** Differences between the rows and what `lives` complete lives leave; empty if there are none. */
export function faultsOf(lives: number, rows: LifeRows, arrivals: number): string[] {
  const { paid, expired, declined, credited } = expectedOf(lives);
  const entries = ENTRIES.paid * paid + ENTRIES.expired * expired + ENTRIES.declined * declined;
  const wanted: readonly (readonly [string, number, number])[] = [
    ["payments", rows.payments, lives],
    ["succeeded payments", rows.succeeded, paid],
    ["expired payments", rows.expired, expired],
    ["failed payments", rows.failed, declined],
    ["credits", rows.credits, paid],
    ["minor units credited", rows.credited, credited],
    ["events", rows.events, lives],
    ["delivered webhooks", rows.delivered, lives],
    ["webhooks received", arrivals, lives],
    ["audit entries", rows.auditEntries, entries],
    ["linked audit entries", rows.linkedEntries, entries],
    ["ends in the figures", rows.figures, lives],
    ["waiting callbacks", rows.callbacksWaiting, 0],
    ["exceptions", rows.exceptions, 0],
  ];
  return wanted.flatMap(([what, found, expectedNumber]) =>
    found === expectedNumber ? [] : [`${found} ${what} instead of ${expectedNumber}`],
  );
}
