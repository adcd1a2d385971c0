// The work that waits while the load runs, and whether it grows.
import type { Database } from "@/e2e/rest/database";

export interface Backlog {
  /** Requests that are not answered yet. */
  readonly requests: number;
  /** Payments that are due for more than a second. */
  readonly duePayments: number;
  readonly callbacks: number;
  readonly deliveries: number;
  /** Audit entries that are not linked yet. */
  readonly auditEntries: number;
}

export const QUEUES = ["requests", "duePayments", "callbacks", "deliveries", "auditEntries"] as const;

export type Queue = (typeof QUEUES)[number];

/** Each queue is counted up to this number, so that counting a long one costs little. */
const MOST = 100_000;

export async function readBacklog(database: Database, requests: number): Promise<Backlog> {
  const count = (table: string, where: string) =>
    `(SELECT count(*)::int FROM (SELECT FROM ${table} WHERE ${where} LIMIT ${MOST}) t)`;
  const [row] = await database.query<Omit<Backlog, "requests">>(
    `SELECT ${count("payment_intent", "due_at < now() - interval '1 second'")} AS "duePayments",
            ${count("provider_callback", "due_at IS NOT NULL")} AS callbacks,
            ${count("delivery", "state = 'pending'")} AS deliveries,
            ${count("audit_pending", "true")} AS "auditEntries"`,
  );
  if (!row) throw new Error("the backlog was not counted");
  return { requests, ...row };
}

/** A queue that holds at most as many items as arrive in this time is short, whatever its trend. */
const SHORT_SECONDS = 2;
/** How much longer a queue may be at the end than in the middle. */
const MAY_GROW = 1.5;

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * The queues that grow: compares the last fifth of the samples, which are in order of time, with the middle fifth.
 * `rate` is in lives per second.
 */
export function growingQueues(samples: readonly Backlog[], rate: number): Queue[] {
  if (samples.length === 0) return [];
  const fifth = Math.max(1, Math.floor(samples.length / 5));
  const from = Math.floor((samples.length - fifth) / 2);
  return QUEUES.filter((queue) => {
    const lengths = samples.map((sample) => sample[queue]);
    const [middle, end] = [mean(lengths.slice(from, from + fifth)), mean(lengths.slice(-fifth))];
    return end > SHORT_SECONDS * rate && end > MAY_GROW * middle;
  });
}

/** A create whose caller waits longer than that is late, whatever the queues say. In ms. */
const LATE_MS = 2_000;

/** What keeps a rate from being sustained: the queues that grow, and creates that are late by their p99, in ms. */
export function reasonsAgainst(samples: readonly Backlog[], rate: number, createP99: number): string[] {
  const growing = growingQueues(samples, rate).map((queue) => `${queue} grow`);
  return createP99 > LATE_MS ? [...growing, "creates are late"] : growing;
}
