// Counts what a run has played, and names what it played too rarely.
import { PAYMENT_STATUSES, PAYMENT_TRANSITIONS } from "@/server/domain/payment-transitions";
import { PAYOUT_STATUSES, PAYOUT_TRANSITIONS } from "@/server/domain/payout-transitions";
import { TOPUP_STATUSES, TOPUP_TRANSITIONS } from "@/server/domain/topup-transitions";
import { DEVIATIONS } from "../world/deviations";
import { KINDS, type Kind } from "../world/history";
import { REPORT_STATUSES } from "../world/reports";
import { FAULTS } from "../world/world";
import type { Played } from "./play";

const TABLES: Readonly<Record<Kind, Readonly<Record<string, object>>>> = {
  payment: PAYMENT_TRANSITIONS,
  payout: PAYOUT_TRANSITIONS,
  topup: TOPUP_TRANSITIONS,
};
const STATUSES: Readonly<Record<Kind, readonly string[]>> = {
  payment: PAYMENT_STATUSES,
  payout: PAYOUT_STATUSES,
  topup: TOPUP_STATUSES,
};

/** Name → how often; one map for edges, pairs of report and state, and faults. */
export type Counts = Record<string, number>;

function add(counts: Counts, name: string, times = 1): void {
  counts[name] = (counts[name] ?? 0) + times;
}

export function countPlayed(counts: Counts, kind: Kind, { edges, pairs, faults }: Played): void {
  for (const edge of edges) add(counts, `edge ${kind} ${edge}`);
  for (const pair of pairs) add(counts, `report ${kind} ${pair}`);
  for (const [fault, times] of faults) add(counts, `fault ${fault}`, times);
}

export function addCounts(sum: Counts, more: Counts): void {
  for (const [name, times] of Object.entries(more)) add(sum, name, times);
}

/** A payout in these states is at no provider, so no report can deviate. */
const NEVER_SENT: ReadonlySet<string> = new Set(["requires_approval", "cancelled"]);

/** These triggers come from two people, not from the outside world. */
const BY_PEOPLE = /^resolved_/;

/**
 * Everything that a run must play: each edge of the tables that the world or its merchant can cause, each report in
 * each state, each fault.
 */
export function expectedNames(): string[] {
  const edges = KINDS.flatMap((kind) =>
    Object.entries(TABLES[kind]).flatMap(([status, row]) =>
      Object.keys(row)
        .filter((trigger) => !BY_PEOPLE.test(trigger))
        .map((trigger) => `edge ${kind} ${status} ${trigger}`),
    ),
  );
  const pairsOf = (kind: Kind, reports: readonly string[], statuses: readonly string[]) =>
    reports.flatMap((report) => statuses.map((status) => `report ${kind} ${report} in ${status}`));
  const pairs = KINDS.flatMap((kind) => [
    ...pairsOf(kind, REPORT_STATUSES[kind], STATUSES[kind]),
    ...pairsOf(
      kind,
      DEVIATIONS[kind],
      STATUSES[kind].filter((status) => !NEVER_SENT.has(status)),
    ),
  ]);
  return [...edges, ...pairs, ...FAULTS.map((fault) => `fault ${fault}`)];
}

/** The names that were played less than `floor` times. */
export function missing(counts: Counts, floor: number): string[] {
  return expectedNames().filter((name) => (counts[name] ?? 0) < floor);
}
