// The dashboard's texts in Brazilian Portuguese. docs/dashboard.md has the terms.
import { account } from "./pt-BR/account";
import { audit } from "./pt-BR/audit";
import { batches } from "./pt-BR/batches";
import { common } from "./pt-BR/common";
import { copy } from "./pt-BR/copy";
import { exceptions } from "./pt-BR/exceptions";
import { intents } from "./pt-BR/intents";
import { keys } from "./pt-BR/keys";
import { limits } from "./pt-BR/limits";
import { lists } from "./pt-BR/lists";
import { logs } from "./pt-BR/logs";
import { members } from "./pt-BR/members";
import { notifications } from "./pt-BR/notifications";
import { overview } from "./pt-BR/overview";
import { pages } from "./pt-BR/pages";
import { payments } from "./pt-BR/payments";
import { payouts } from "./pt-BR/payouts";
import { policies } from "./pt-BR/policies";
import { providers } from "./pt-BR/providers";
import { recipients } from "./pt-BR/recipients";
import { reconciliation } from "./pt-BR/reconciliation";
import { settings } from "./pt-BR/settings";
import { shell } from "./pt-BR/shell";
import { signIn } from "./pt-BR/sign-in";
import { topups } from "./pt-BR/topups";
import { wallet } from "./pt-BR/wallet";
import { webhooks } from "./pt-BR/webhooks";

export const portuguese = {
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
