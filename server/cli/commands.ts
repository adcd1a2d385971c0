// Every command, in the order in which help shows them.
import type { Command } from "./command";
import { accounts } from "./commands/accounts";
import { apiLogs } from "./commands/api-logs";
import { audit } from "./commands/audit";
import { auditList } from "./commands/audit-list";
import { callbacks } from "./commands/callbacks";
import { cells } from "./commands/cells";
import { clock } from "./commands/clock";
import { currencies } from "./commands/currencies";
import { dispatch } from "./commands/dispatch";
import { events } from "./commands/events";
import { exceptions } from "./commands/exceptions";
import { intents } from "./commands/intents";
import { invariants } from "./commands/invariants";
import { journal } from "./commands/journal";
import { keys } from "./commands/keys";
import { listen } from "./commands/listen";
import { members } from "./commands/members";
import { merchants } from "./commands/merchants";
import { notifications } from "./commands/notifications";
import { payers } from "./commands/payers";
import { payoutLimits } from "./commands/payout-limits";
import { payouts } from "./commands/payouts";
import { policies } from "./commands/policies";
import { providers } from "./commands/providers";
import { reconcile } from "./commands/reconcile";
import { references } from "./commands/references";
import { routes } from "./commands/routes";
import { secrets } from "./commands/secrets";
import { statement } from "./commands/statement";
import { topupTerms } from "./commands/topup-terms";
import { trigger } from "./commands/trigger";
import { wallets } from "./commands/wallets";

export const COMMANDS: readonly Command[] = [
  cells,
  merchants,
  currencies,
  topupTerms,
  keys,
  members,
  wallets,
  payouts,
  policies,
  payoutLimits,
  routes,
  providers,
  references,
  dispatch,
  accounts,
  listen,
  trigger,
  events,
  clock,
  statement,
  reconcile,
  exceptions,
  notifications,
  callbacks,
  intents,
  journal,
  auditList,
  audit,
  apiLogs,
  invariants,
  secrets,
  payers,
].flat();
