// The names of the acts for which a merchant can require a one-time code.
import type { Texts } from "../i18n/dashboard-texts";

export const stepUpWordsIn = (texts: Texts): Readonly<Record<string, string>> => ({
  approve: texts("account.approvingPayouts"),
  create_payout: texts("account.creatingPayouts"),
  key_create: texts("account.creatingKeys"),
  key_roll: texts("account.rollingKeys"),
  members: texts("account.changingMembers"),
  policies: texts("account.changingPolicies"),
  settle: texts("account.settlingExceptions"),
  webhooks: texts("account.webhookAddressesAndSecrets"),
});
