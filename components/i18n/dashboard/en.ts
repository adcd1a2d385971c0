// The dashboard's texts in English, which the other languages translate.
import { account } from "./en/account";
import { audit } from "./en/audit";
import { batches } from "./en/batches";
import { common } from "./en/common";
import { copy } from "./en/copy";
import { exceptions } from "./en/exceptions";
import { intents } from "./en/intents";
import { keys } from "./en/keys";
import { limits } from "./en/limits";
import { lists } from "./en/lists";
import { logs } from "./en/logs";
import { members } from "./en/members";
import { notifications } from "./en/notifications";
import { overview } from "./en/overview";
import { pages } from "./en/pages";
import { payments } from "./en/payments";
import { payouts } from "./en/payouts";
import { policies } from "./en/policies";
import { providers } from "./en/providers";
import { recipients } from "./en/recipients";
import { reconciliation } from "./en/reconciliation";
import { settings } from "./en/settings";
import { shell } from "./en/shell";
import { signIn } from "./en/sign-in";
import { topups } from "./en/topups";
import { wallet } from "./en/wallet";
import { webhooks } from "./en/webhooks";

export const english = {
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
} as const;

export type Catalogue = typeof english;
