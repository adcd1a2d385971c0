// Finds the highest rate that the service sustains, by few short probes.

export interface Probe {
  /** Lives per second. */
  readonly rate: number;
  readonly isSustained: boolean;
}

/** Factor between probes until the first one that is not sustained. */
const STEP = 1.5;
/** The result is within this factor of the next rate that was not sustained. */
const CLOSE_ENOUGH = 1.15;

/**
 * The next rate to probe, given those so far: higher or lower by a factor until there are a sustained and an unsustained
 * one, then between the highest sustained and the lowest unsustained above it. Null once they are close enough.
 */
export function nextRate(probes: readonly Probe[], start: number): number | null {
  if (probes.length === 0) return start;
  const best = highestSustained(probes);
  const failed = probes.filter(({ rate, isSustained }) => !isSustained && rate > (best ?? 0)).map(({ rate }) => rate);
  if (best === null) return Math.max(1, Math.round(Math.min(...failed) / STEP));
  if (failed.length === 0) return Math.round(best * STEP);
  const worst = Math.min(...failed);
  return worst / best <= CLOSE_ENOUGH ? null : Math.round(Math.sqrt(best * worst));
}

/** The highest sustained rate; null if there is none. */
export function highestSustained(probes: readonly Probe[]): number | null {
  const rates = probes.filter(({ isSustained }) => isSustained).map(({ rate }) => rate);
  return rates.length === 0 ? null : Math.max(...rates);
}

/** Probes at most `most` rates; returns all of them. */
export async function findRate(
  start: number,
  most: number,
  probe: (rate: number) => Promise<boolean>,
): Promise<Probe[]> {
  const probes: Probe[] = [];
  for (let rate = nextRate(probes, start); rate !== null && probes.length < most; rate = nextRate(probes, start))
    probes.push({ rate, isSustained: await probe(rate) });
  return probes;
}
