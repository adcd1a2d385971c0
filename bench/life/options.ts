// The command line of `npm run bench -- life`.
import { parseArgs } from "node:util";

export interface LifeOptions {
  /** Length of the long run. */
  readonly minutes: number;
  /** Lives per second of the long run; null to find the highest sustainable rate first. */
  readonly rate: number | null;
  readonly probeSeconds: number;
  /** Rate of the first probe. */
  readonly firstRate: number;
  readonly mostProbes: number;
}

/** Runs of at least this length are written into the tree. */
export const FULL_MINUTES = 10;

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new TypeError(`--${name} must be a positive number, not "${text}"`);
  return value;
}

/** Parses the words after `npm run bench -- life`. Throws a TypeError that names a wrong word. */
export function readLifeOptions(words: readonly string[]): LifeOptions {
  const { values } = parseArgs({
    args: [...words],
    options: {
      minutes: { type: "string", default: String(FULL_MINUTES) },
      rate: { type: "string" },
      "probe-seconds": { type: "string", default: "40" },
      "first-rate": { type: "string", default: "150" },
      "most-probes": { type: "string", default: "6" },
    },
  });
  return {
    minutes: positive("minutes", values.minutes),
    rate: values.rate === undefined ? null : positive("rate", values.rate),
    probeSeconds: positive("probe-seconds", values["probe-seconds"]),
    firstRate: positive("first-rate", values["first-rate"]),
    mostProbes: positive("most-probes", values["most-probes"]),
  };
}
