// Counts what a run over HTTP has played, and names what it played too rarely.
import { KINDS, type Kind } from "../world/history";
import { CALLBACK_FAULTS, FAULTS } from "../world/world";
import type { Verdict } from "./session";

/** Name → how often. */
export type Counts = Record<string, number>;

const ENDS: Readonly<Record<Kind, readonly string[]>> = {
  payment: ["succeeded", "failed", "expired"],
  payout: ["succeeded", "failed", "cancelled"],
  topup: ["succeeded", "failed", "expired"],
};

/** Over HTTP a connection breaks after the request, and its answer comes in time or never. */
const NOT_OVER_HTTP: ReadonlySet<string> = new Set(["create unsent", "create answer_late", "query late"]);

export function countVerdict(counts: Counts, kind: Kind, { status, faults }: Verdict): void {
  const names = [...faults, [`${kind} ${status}`, 1] as const];
  for (const [name, times] of names) counts[name] = (counts[name] ?? 0) + times;
}

/** Everything that a run must play: each end of each kind, and each fault. */
export function expectedNames(): string[] {
  const ends = KINDS.flatMap((kind) => ENDS[kind].map((status) => `${kind} ${status}`));
  return [...ends, ...[...FAULTS, ...CALLBACK_FAULTS].filter((fault) => !NOT_OVER_HTTP.has(fault))];
}

/** The names that were played less than `floor` times. */
export function missing(counts: Counts, floor: number): string[] {
  return expectedNames().filter((name) => (counts[name] ?? 0) < floor);
}
