// Owns what a run has found so far: rounds, single figures, and what went wrong.
import type { Measured } from "./rounds";

/** One figure that is no rate. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: "s" | "ms" | "MiB" | "MiB per 100,000" | "ratio" | "%" | "per second" | "count";
  /** What has to be known to read it. */
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
  /** Sections for which no time was left. */
  readonly leftOut: string[];
}

export function noResults(): Results {
  return { measured: [], figures: [], failures: [], leftOut: [] };
}
