// The current time: the last reading of the database clock, advanced by a monotonic timer. Each cell's database has its own
// clock; work without a cell goes by that of the first one.
import { cellIfKnown } from "./cell";
import { FIRST_CELL } from "./cells-setting";

/** Returns the current instant on each call; runs forward from where it was started. */
export type Clock = () => Date;

interface Reading {
  /** Lower bound of the database's time, in ms since 1970, when this process's timer was 0. */
  readonly zero: number;
  /** The timer at the answer. */
  readonly at: number;
}

interface KnownClock {
  reading: Reading;
  heardAt: number;
  latest: number;
}

/** Maximum drift between two machines' timers, in ms per ms. */
const DRIFT = 0.0005;
/** A step back of up to this, in ms, is a correction: the clock stops for that long. It follows a longer one. */
const LARGEST_CORRECTION_MS = 5_000;

/** Next's bundles and the custom server are separate module graphs; they share state through globalThis. */
const shared = globalThis as typeof globalThis & { sluiceClocks?: Map<string, KnownClock> };

function knownClock(): KnownClock | undefined {
  return shared.sluiceClocks?.get(cellIfKnown()?.name ?? FIRST_CELL);
}

/**
 * Returns the current instant by the database's clock, or by the machine's clock before the first database answer.
 * Services read it once per decision and pass it down, so that each decision uses one time.
 */
export function now(): Date {
  const known = knownClock();
  if (!known) return new Date();
  const measured = known.reading.zero + performance.now();
  const isCorrection = measured < known.latest && known.latest - measured <= LARGEST_CORRECTION_MS;
  if (!isCorrection) known.latest = measured;
  return new Date(known.latest);
}

/** Returns a clock that starts at `at`. */
export function clockFrom(at: Date): Clock {
  const zero = at.getTime() - performance.now();
  return () => new Date(zero + performance.now());
}

/** Returns the ms since the last reading of the database's clock; Infinity before the first. */
export function clockAgeMs(): number {
  const known = knownClock();
  return known ? performance.now() - known.heardAt : Number.POSITIVE_INFINITY;
}

/**
 * Records a reading of the database's clock, in ms since 1970, with the `performance.now()` of query and answer. The
 * reading is no newer than the answer, so this clock is never ahead of it, and behind by at most the duration of the
 * quickest answer. A contradictory reading means that the database's clock was set.
 */
export function noteDatabaseTime(epochMs: number, askedAt: number, answeredAt: number): void {
  const reading = { zero: epochMs - answeredAt, at: answeredAt };
  const known = knownClock();
  if (!known) {
    shared.sluiceClocks ??= new Map();
    const begun = { reading, heardAt: answeredAt, latest: Number.NEGATIVE_INFINITY };
    shared.sluiceClocks.set(cellIfKnown()?.name ?? FIRST_CELL, begun);
    return;
  }
  const knownZero = known.reading.zero - (answeredAt - known.reading.at) * DRIFT;
  const isSharper = reading.zero >= knownZero;
  const contradicts = epochMs - askedAt < knownZero;
  if (isSharper || contradicts) known.reading = reading;
  known.heardAt = answeredAt;
}
