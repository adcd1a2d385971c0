// Owns the list of commands, in the order in which help shows them.
import type { Command } from "./command";
import { accountsReindex } from "./commands/accounts-reindex";
import { auditVerify } from "./commands/audit-verify";
import { callbacksApply } from "./commands/callbacks-apply";
import { callbacksList } from "./commands/callbacks-list";
import { callbacksShow } from "./commands/callbacks-show";
import { clockAdvance } from "./commands/clock-advance";
import { clockShow } from "./commands/clock-show";
import { dispatchCommands } from "./commands/dispatch";
import { eventsResend } from "./commands/events-resend";
import { exceptionsList } from "./commands/exceptions-list";
import { exceptionsResolve } from "./commands/exceptions-resolve";
import { exceptionsSettle } from "./commands/exceptions-settle";
import { exceptionsTake } from "./commands/exceptions-take";
import { resolutionCommands } from "./commands/intents-resolution";
import { invariants } from "./commands/invariants";
import { journalCommands } from "./commands/journal";
import { keysCreate } from "./commands/keys-create";
import { keysList } from "./commands/keys-list";
import { keysRevoke } from "./commands/keys-revoke";
import { keysRoll } from "./commands/keys-roll";
import { listen } from "./commands/listen";
import { memberChanges } from "./commands/members-change";
import { membersCreate } from "./commands/members-create";
import { merchantsCreate } from "./commands/merchants-create";
import { merchantsSetCheckout } from "./commands/merchants-set-checkout";
import { payoutsApprove } from "./commands/payouts-approve";
import { payoutsCancel } from "./commands/payouts-cancel";
import { policiesConfirm } from "./commands/policies-confirm";
import { policiesReject } from "./commands/policies-reject";
import { policiesSet } from "./commands/policies-set";
import { policiesShow } from "./commands/policies-show";
import { reconcile } from "./commands/reconcile";
import { referencesDerive } from "./commands/references-derive";
import { referencesShow } from "./commands/references-show";
import { routesShow } from "./commands/routes-show";
import { statement } from "./commands/statement";
import { topupTermsSet } from "./commands/topup-terms-set";
import { topupTermsShow } from "./commands/topup-terms-show";
import { totpCommands } from "./commands/totp";
import { triggers } from "./commands/trigger";
import { walletsFund } from "./commands/wallets-fund";
import { walletsShow } from "./commands/wallets-show";

export const COMMANDS: readonly Command[] = [
  merchantsCreate,
  merchantsSetCheckout,
  topupTermsShow,
  topupTermsSet,
  keysCreate,
  keysList,
  keysRoll,
  keysRevoke,
  membersCreate,
  ...memberChanges,
  ...totpCommands,
  walletsFund,
  walletsShow,
  payoutsApprove,
  payoutsCancel,
  policiesShow,
  policiesSet,
  policiesConfirm,
  policiesReject,
  routesShow,
  referencesShow,
  referencesDerive,
  ...dispatchCommands,
  accountsReindex,
  listen,
  ...triggers,
  eventsResend,
  clockShow,
  clockAdvance,
  statement,
  reconcile,
  exceptionsList,
  exceptionsTake,
  exceptionsResolve,
  exceptionsSettle,
  callbacksList,
  callbacksShow,
  callbacksApply,
  ...resolutionCommands,
  ...journalCommands,
  auditVerify,
  invariants,
];
