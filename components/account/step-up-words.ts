// The names of the acts for which a merchant can require a one-time code.

export const STEP_UP_WORDS: Readonly<Record<string, string>> = {
  approve: "approving payouts",
  create_payout: "creating payouts",
  key_create: "creating API keys",
  key_roll: "rolling API keys",
  members: "inviting members and changing their roles",
  policies: "approval policies and payout limits",
  settle: "settling exceptions",
  webhooks: "webhook addresses and secrets",
};
