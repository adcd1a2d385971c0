// The dashboard's API: one router per subject.
import { accountRouter } from "./account";
import { apiKeysRouter } from "./api-keys";
import { apiLogsRouter } from "./api-logs";
import { approvalPoliciesRouter } from "./approval-policies";
import { auditRouter } from "./audit";
import { changesRouter } from "./changes";
import { deliveriesRouter } from "./deliveries";
import { eventsRouter } from "./events";
import { exceptionsRouter } from "./exceptions";
import { filterChoicesRouter } from "./filter-choices";
import { membersRouter } from "./members";
import { merchantSettingsRouter } from "./merchant-settings";
import { notificationsRouter } from "./notifications";
import { overviewRouter } from "./overview";
import { paymentIntentsRouter } from "./payment-intents";
import { payoutBatchesRouter } from "./payout-batches";
import { payoutIntentsRouter } from "./payout-intents";
import { payoutLimitsRouter } from "./payout-limits";
import { payoutRecipientsRouter } from "./payout-recipients";
import { createCallerFactory, router } from "./procedures";
import { providersRouter } from "./providers";
import { reconciliationRouter } from "./reconciliation";
import { refundsRouter } from "./refunds";
import { savedViewsRouter } from "./saved-views";
import { searchRouter } from "./search";
import { sessionRouter } from "./session";
import { topupIntentsRouter } from "./topup-intents";
import { walletsRouter } from "./wallets";
import { webhookEndpointsRouter } from "./webhook-endpoints";
import { webhookEventsRouter } from "./webhook-events";

export const appRouter = router({
  session: sessionRouter,
  changes: changesRouter,
  overview: overviewRouter,
  paymentIntents: paymentIntentsRouter,
  payoutIntents: payoutIntentsRouter,
  payoutRecipients: payoutRecipientsRouter,
  payoutBatches: payoutBatchesRouter,
  topupIntents: topupIntentsRouter,
  filterChoices: filterChoicesRouter,
  search: searchRouter,
  savedViews: savedViewsRouter,
  wallets: walletsRouter,
  webhookEvents: webhookEventsRouter,
  webhookEndpoints: webhookEndpointsRouter,
  deliveries: deliveriesRouter,
  events: eventsRouter,
  apiKeys: apiKeysRouter,
  apiLogs: apiLogsRouter,
  exceptions: exceptionsRouter,
  refunds: refundsRouter,
  reconciliation: reconciliationRouter,
  providers: providersRouter,
  merchantSettings: merchantSettingsRouter,
  members: membersRouter,
  account: accountRouter,
  notifications: notificationsRouter,
  approvalPolicies: approvalPoliciesRouter,
  payoutLimits: payoutLimitsRouter,
  audit: auditRouter,
});

export type AppRouter = typeof appRouter;

/** Calls procedures in this process, with a given context. */
export const createCaller = createCallerFactory(appRouter);
