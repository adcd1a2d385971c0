// Judges a load by what its clients were told, by the database, and by what the provider really did.
import { setTimeout as sleep } from "node:timers/promises";
import type { Bridge } from "../../rest/bridge";
import type { Attempt, Written } from "./load";

/** The interface's bound for a 503, and what a loaded machine adds. */
const ANSWERED_WITHIN_MS = 5_000 + 1_500;
const ENDS_WITHIN_MS = 120_000;
const PAUSE_MS = 250;

/** Waits until every live payout has ended; returns those that have not succeeded. */
async function unfinishedPayouts({ world }: Judged): Promise<string[]> {
  for (const end = Date.now() + ENDS_WITHIN_MS; ; await sleep(PAUSE_MS)) {
    // The claims of a fault's victims end at once.
    await world.database.query(
      `UPDATE payout_intent SET due_at = now() WHERE id IN (
         SELECT id FROM payout_intent WHERE status = 'processing' AND due_at > now() FOR UPDATE SKIP LOCKED)`,
    );
    const open = await world.database.query<{ id: string }>(
      "SELECT id FROM payout_intent WHERE environment = 'live' AND status <> 'succeeded'",
    );
    if (open.length === 0 || Date.now() > end) return open.map(({ id }) => id);
  }
}

/** What the fault of a load allows. */
export interface Allowed {
  /** Connections break without an answer, because processes end. */
  readonly brokenConnections?: boolean;
  /** A retry reaches another process while the first one, cut off from the database, still holds the key: 409. */
  readonly keysInFlight?: boolean;
  /** A proxy holds requests back for so long while no process serves, in ms. */
  readonly heldMs?: number;
}

/** What it reads. */
interface Judged {
  readonly world: Pick<Bridge["world"], "database" | "cli">;
  readonly psp: Pick<Bridge["psp"], "record">;
}

function complaintsAbout({ table, reference, attempts, isDefinite }: Written, allowed: Allowed): string[] {
  const toRetry = allowed.keysInFlight ? [503, 409] : [503];
  const isAllowed = ({ status, hasRetryAfter }: Attempt) =>
    status === 201 || (toRetry.includes(status) && hasRetryAfter) || (status === 0 && allowed.brokenConnections);
  const complaints = attempts
    .filter((attempt) => !isAllowed(attempt))
    .map(({ status }) => `a creation of ${table} was answered ${status}`);
  const withinMs = ANSWERED_WITHIN_MS + (allowed.heldMs ?? 0);
  const slow = attempts.filter(({ ms }) => ms > withinMs);
  for (const { ms } of slow) complaints.push(`a creation of ${table} was answered after ${Math.round(ms)} ms`);
  if (!isDefinite) complaints.push(`${reference} got no definite answer`);
  return complaints;
}

/** Compares the id in each definite answer with the rows that have the write's reference. */
async function misnamed({ world }: Judged, written: readonly Written[]): Promise<string[]> {
  const found = new Map<string, string[]>();
  for (const table of new Set(written.map((one) => one.table))) {
    const rows = await world.database.query<{ id: string; reference: string }>(
      `SELECT id, merchant_reference AS reference FROM ${table}`,
    );
    for (const { id, reference } of rows) found.set(reference, [...(found.get(reference) ?? []), id]);
  }
  return written.flatMap(({ reference, id }) => {
    const ids = found.get(reference) ?? [];
    const isNamed = ids.length === 1 && ids[0] === id;
    return isNamed ? [] : [`${reference} was answered with ${id}, and is ${JSON.stringify(ids)}`];
  });
}

/** What is wrong after a load. */
export interface Verdict {
  /** Definite answers that do not name the one intent with their reference. */
  readonly lost: readonly string[];
  /** Payouts that have not ended. */
  readonly unresolved: readonly string[];
  readonly others: readonly string[];
}

/** Returns everything that is wrong, by its kind. The service must be ready again. */
export async function verdictOn(bridge: Judged, written: readonly Written[], allowed: Allowed = {}): Promise<Verdict> {
  const { world, psp } = bridge;
  const others = written.flatMap((one) => complaintsAbout(one, allowed));
  const lost = await misnamed(bridge, written);
  const unresolved = (await unfinishedPayouts(bridge)).map((id) => `the payout ${id} has not ended`);
  const payouts = await world.database.query<{ id: string; reference: string }>(
    "SELECT id, coalesce(dispatch_reference, id) AS reference FROM payout_intent WHERE environment = 'live'",
  );
  const executed = await psp.record({ event: "executed", kind: "payouts" });
  const times = new Map<string, number>();
  for (const { reference } of executed) times.set(reference, (times.get(reference) ?? 0) + 1);
  for (const { id, reference } of payouts)
    if (times.get(reference) !== 1) others.push(`the payout ${id} was executed ${times.get(reference) ?? 0} times`);
  if (times.size > payouts.length) others.push("the provider executed payouts that the database does not have");
  for (const check of [["invariants"], ["audit", "verify"]])
    await world.cli(...check).catch((error: unknown) => others.push(`${check.join(" ")}: ${String(error)}`));
  return { lost, unresolved, others };
}

/** Returns everything that is wrong. The service must be ready again. */
export async function judge(bridge: Judged, written: readonly Written[], allowed: Allowed = {}): Promise<string[]> {
  const { lost, unresolved, others } = await verdictOn(bridge, written, allowed);
  return [...others, ...lost, ...unresolved];
}
