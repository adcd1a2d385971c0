// The names of the acts for which a merchant can require a one-time code.
import type { Texts } from "../i18n/dashboard-texts";

export const stepUpWordsIn = (texts: Texts): Readonly<Record<string, string>> => ({
  approve: texts("account.approvingPayouts"),
  create_payout: texts("account.creatingPayouts"),
  key_create: texts("account.creatingAPIKeys"),
  key_roll: texts("account.rollingAPIKeys"),
  members: texts("account.invitingMembersAndChangingTheirRoles"),
  policies: texts("account.approvalPoliciesAndPayoutLimits"),
  settle: texts("account.settlingExceptions"),
  webhooks: texts("account.webhookAddressesAndSecrets"),
});
