// The figures of a period: what ended when and how, added up per kind and currency, beside the period before.

import { addDays, countDays, dayAt, dayStarts } from "./days";

export const PERIODS = [7, 30, 90] as const;
/** Days that figures are about, today among them. */
export type PeriodDays = (typeof PERIODS)[number];

/** The most days that one period may have. */
export const LONGEST_PERIOD = 366;

/** So many days up to today, or from one day to another, both counted. */
export type PeriodChoice = { readonly days: number } | { readonly from: string; readonly to: string };

const FIGURE_KINDS = ["payment_intent", "payout_intent"] as const;
export type FigureKind = (typeof FIGURE_KINDS)[number];

/** The ends of one day that were alike; `amount` is their sum in minor units. */
export interface DayEnds {
  /** As 2026-11-21. */
  readonly day: string;
  readonly kind: FigureKind;
  readonly status: string;
  readonly failureCode: string | null;
  readonly currency: string;
  readonly count: number;
  readonly amount: bigint;
}

export interface Period {
  /** First and last day, as 2026-11-21. */
  readonly from: string;
  readonly to: string;
  /** The first day of as many days before. */
  readonly before: string;
  /** When each of these days begins, from `before` on, and when the last one ends. */
  readonly starts: readonly Date[];
}

/** The days of a period in a zone, an IANA name, and as many before it. */
export function periodOf(choice: PeriodChoice, now: Date, zone: string): Period {
  const to = "to" in choice ? choice.to : dayAt(now, zone);
  const from = "from" in choice ? choice.from : addDays(to, 1 - choice.days);
  const before = addDays(from, -countDays(from, to));
  return { from, to, before, starts: dayStarts(before, to, zone) };
}

interface Volume {
  readonly kind: FigureKind;
  readonly currency: string;
  readonly amount: bigint;
  readonly amountBefore: bigint;
  readonly count: number;
  readonly byDay: readonly { readonly day: string; readonly amount: bigint; readonly count: number }[];
}

interface SuccessRate {
  readonly kind: FigureKind;
  readonly succeeded: number;
  /** How many ended in a way that tells: what a person cancelled does not. */
  readonly ended: number;
  readonly succeededBefore: number;
  readonly endedBefore: number;
}

interface FailureCount {
  readonly kind: FigureKind;
  readonly code: string;
  readonly count: number;
}

export interface Figures {
  /** What succeeded, the most frequent currency first; never added across currencies. */
  readonly volumes: readonly Volume[];
  readonly rates: readonly SuccessRate[];
  /** The most frequent first. */
  readonly failures: readonly FailureCount[];
}

const MOST_FAILURES = 6;

/** Adds up the ends of a period, those of days before `from` being of the period before. */
export function addFigures(ends: readonly DayEnds[], from: string): Figures {
  const [now, before] = [ends.filter(({ day }) => day >= from), ends.filter(({ day }) => day < from)];
  return { volumes: volumesOf(now, before), rates: FIGURE_KINDS.map(rateOf(now, before)), failures: failuresOf(now) };
}

function countOf(ends: readonly DayEnds[]): number {
  return ends.reduce((total, { count }) => total + count, 0);
}

function amountOf(ends: readonly DayEnds[]): bigint {
  return ends.reduce((total, { amount }) => total + amount, 0n);
}

function volumesOf(now: readonly DayEnds[], before: readonly DayEnds[]): Volume[] {
  const succeeded = (ends: readonly DayEnds[]) => ends.filter(({ status }) => status === "succeeded");
  const [present, past] = [succeeded(now), succeeded(before)];
  const names = new Map([...present, ...past].map((end) => [`${end.kind} ${end.currency}`, end]));
  const volumes = [...names.values()].map(({ kind, currency }): Volume => {
    const isSame = (end: DayEnds) => end.kind === kind && end.currency === currency;
    const own = present.filter(isSame);
    const days = [...new Set(own.map(({ day }) => day))].sort();
    return {
      kind,
      currency,
      amount: amountOf(own),
      amountBefore: amountOf(past.filter(isSame)),
      count: countOf(own),
      byDay: days.map((day) => {
        const ofDay = own.filter((end) => end.day === day);
        return { day, amount: amountOf(ofDay), count: countOf(ofDay) };
      }),
    };
  });
  return volumes.sort((a, b) => b.count - a.count || (a.currency < b.currency ? -1 : 1));
}

function rateOf(now: readonly DayEnds[], before: readonly DayEnds[]) {
  return (kind: FigureKind): SuccessRate => {
    const counted = (ends: readonly DayEnds[]) => ends.filter((end) => end.kind === kind && end.status !== "cancelled");
    const succeeded = (ends: readonly DayEnds[]) =>
      countOf(counted(ends).filter(({ status }) => status === "succeeded"));
    return {
      kind,
      succeeded: succeeded(now),
      ended: countOf(counted(now)),
      succeededBefore: succeeded(before),
      endedBefore: countOf(counted(before)),
    };
  };
}

function failuresOf(ends: readonly DayEnds[]): FailureCount[] {
  const counts = new Map<string, FailureCount>();
  for (const { kind, failureCode: code, status, count } of ends) {
    if (code === null || status === "cancelled") continue;
    const name = `${kind} ${code}`;
    counts.set(name, { kind, code, count: (counts.get(name)?.count ?? 0) + count });
  }
  return [...counts.values()].sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1)).slice(0, MOST_FAILURES);
}
