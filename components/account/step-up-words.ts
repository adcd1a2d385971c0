// Owns what the acts are called that a merchant can ask a one-time code for.

export const STEP_UP_WORDS: Readonly<Record<string, string>> = {
  approve: "approving payouts",
  key_roll: "rolling API keys",
};
