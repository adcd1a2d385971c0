// Setup of unit tests under mutation. A property plays the same hundred examples in every run, so that scores can be
// repeated, and a mutant that fails one is killed: nobody reads a smaller counterexample.
import type * as fastCheck from "fast-check";
import { vi } from "vitest";

const EXAMPLES = 100;

vi.mock("fast-check", async (original) => {
  const real = await original<typeof fastCheck>();
  const assert = (property: never, parameters?: { readonly numRuns?: number }) => {
    const numRuns = Math.min(parameters?.numRuns ?? EXAMPLES, EXAMPLES);
    return real.assert(property, { ...parameters, numRuns, seed: 1, endOnFailure: true });
  };
  return { ...real, default: { ...real.default, assert } };
});
