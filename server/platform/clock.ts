// The current time: the last reading of the database clock, advanced by a monotonic timer.

/** Returns the current instant on each call; runs forward from where it was started. */
export type Clock = () => Date;

interface Reading {
  /** What the database's time was at the earliest, in ms since 1970, when this process's timer stood at 0. */
  readonly zero: number;
  /** The timer when the answer came. */
  readonly at: number;
}

/** Timers of two machines run apart by less than this, in ms per ms. */
const DRIFT = 0.0005;
/** A step back of up to this, in ms, is a correction: time stands still for that long. A longer one is followed. */
const LARGEST_CORRECTION_MS = 5_000;

/** Next's bundles and the custom server are separate module graphs; they share what hangs on globalThis. */
const shared = globalThis as typeof globalThis & {
  sluiceClock?: { reading: Reading; heardAt: number; latest: number };
};

/**
 * The present instant by the database's clock. Only a process that has not asked the database anything yet answers by
 * its machine's clock. Services read it once per decision and hand it down, so that one decision sees one time.
 */
export function now(): Date {
  const known = shared.sluiceClock;
  if (!known) return new Date();
  const measured = known.reading.zero + performance.now();
  const isCorrection = measured < known.latest && known.latest - measured <= LARGEST_CORRECTION_MS;
  if (!isCorrection) known.latest = measured;
  return new Date(known.latest);
}

/** A clock that shows `at` now. */
export function clockFrom(at: Date): Clock {
  const zero = at.getTime() - performance.now();
  return () => new Date(zero + performance.now());
}

/** Ms since the database told its time to this process; Infinity before the first time. */
export function clockAgeMs(): number {
  return shared.sluiceClock ? performance.now() - shared.sluiceClock.heardAt : Number.POSITIVE_INFINITY;
}

/**
 * Notes what the database said its time is, in ms since 1970, and between which moments of `performance.now()` it was
 * asked and answered. What it said was true no later than the answer came, so this clock is never ahead of it, and behind
 * by no more than the quickest answer took. Where an answer contradicts what is known, the database has been set.
 */
export function noteDatabaseTime(epochMs: number, askedAt: number, answeredAt: number): void {
  const reading = { zero: epochMs - answeredAt, at: answeredAt };
  const known = shared.sluiceClock;
  if (!known) {
    shared.sluiceClock = { reading, heardAt: answeredAt, latest: Number.NEGATIVE_INFINITY };
    return;
  }
  const knownZero = known.reading.zero - (answeredAt - known.reading.at) * DRIFT;
  const isSharper = reading.zero >= knownZero;
  const contradicts = epochMs - askedAt < knownZero;
  if (isSharper || contradicts) known.reading = reading;
  known.heardAt = answeredAt;
}
