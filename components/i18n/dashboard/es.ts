// The dashboard's texts in Spanish. docs/dashboard.md has the terms.
import { account } from "./es/account";
import { audit } from "./es/audit";
import { batches } from "./es/batches";
import { common } from "./es/common";
import { copy } from "./es/copy";
import { exceptions } from "./es/exceptions";
import { intents } from "./es/intents";
import { keys } from "./es/keys";
import { limits } from "./es/limits";
import { lists } from "./es/lists";
import { logs } from "./es/logs";
import { members } from "./es/members";
import { notifications } from "./es/notifications";
import { overview } from "./es/overview";
import { pages } from "./es/pages";
import { payments } from "./es/payments";
import { payouts } from "./es/payouts";
import { policies } from "./es/policies";
import { providers } from "./es/providers";
import { recipients } from "./es/recipients";
import { reconciliation } from "./es/reconciliation";
import { settings } from "./es/settings";
import { shell } from "./es/shell";
import { signIn } from "./es/sign-in";
import { topups } from "./es/topups";
import { wallet } from "./es/wallet";
import { webhooks } from "./es/webhooks";

export const spanish = {
  account,
  audit,
  batches,
  common,
  copy,
  exceptions,
  intents,
  keys,
  limits,
  lists,
  logs,
  members,
  notifications,
  overview,
  pages,
  payments,
  payouts,
  policies,
  providers,
  recipients,
  reconciliation,
  settings,
  shell,
  signIn,
  topups,
  wallet,
  webhooks,
};
