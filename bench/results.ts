// The results of a run so far: rounds, single figures, and failures.
import type { Measured } from "./rounds";

/** One figure that is not a rate. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: "s" | "ms" | "MiB" | "MiB per 100,000" | "ratio" | "%" | "per second" | "count";
  /** What the reader must know to interpret it. */
  readonly note?: string;
}

interface Failure {
  readonly what: string;
  readonly message: string;
}

export interface Results {
  readonly measured: Measured[];
  readonly figures: Figure[];
  readonly failures: Failure[];
  /** Sections that were skipped for lack of time. */
  readonly leftOut: string[];
}

export function noResults(): Results {
  return { measured: [], figures: [], failures: [], leftOut: [] };
}
