// How much a spec plays: a representative run in `npm test`, the full product of setups in `npm run test:deep`.

const word = process.env.TEST_TIER ?? "representative";
if (word !== "representative" && word !== "deep")
  throw new TypeError(`TEST_TIER is "${word}"; it must be representative or deep`);

/** The tier of this run, from the variable TEST_TIER. */
export const tier: "representative" | "deep" = word;
