// The names of the acts for which a merchant can require a one-time code.

export const STEP_UP_WORDS: Readonly<Record<string, string>> = {
  approve: "approving payouts",
  key_roll: "rolling API keys",
};
