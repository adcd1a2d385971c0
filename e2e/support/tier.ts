// How much a test plays: a representative run in `npm test`, the full product of setups in `npm run test:deep`.

const TIERS = ["representative", "deep"] as const;
type Tier = (typeof TIERS)[number];

function readTier(word = "representative"): Tier {
  const found = TIERS.find((name) => name === word);
  if (!found) throw new TypeError(`TEST_TIER is "${word}"; it must be one of ${TIERS.join(", ")}`);
  return found;
}

/** The tier of this run, from the variable TEST_TIER. */
export const tier = readTier(process.env.TEST_TIER);

/** Chooses a test's size by the tier of the run. */
export function sizeOf(sizes: Readonly<Record<Tier, number>>): number {
  return sizes[tier];
}
