// The dashboard's API: one router per subject.
import { accountRouter } from "./account";
import { apiKeysRouter } from "./api-keys";
import { apiLogsRouter } from "./api-logs";
import { approvalPoliciesRouter } from "./approval-policies";
import { auditRouter } from "./audit";
import { changesRouter } from "./changes";
import { deliveriesRouter } from "./deliveries";
import { exceptionsRouter } from "./exceptions";
import { membersRouter } from "./members";
import { overviewRouter } from "./overview";
import { paymentIntentsRouter } from "./payment-intents";
import { payoutIntentsRouter } from "./payout-intents";
import { payoutLimitsRouter } from "./payout-limits";
import { createCallerFactory, router } from "./procedures";
import { reconciliationRouter } from "./reconciliation";
import { savedViewsRouter } from "./saved-views";
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
  topupIntents: topupIntentsRouter,
  savedViews: savedViewsRouter,
  wallets: walletsRouter,
  webhookEvents: webhookEventsRouter,
  webhookEndpoints: webhookEndpointsRouter,
  deliveries: deliveriesRouter,
  apiKeys: apiKeysRouter,
  apiLogs: apiLogsRouter,
  exceptions: exceptionsRouter,
  reconciliation: reconciliationRouter,
  members: membersRouter,
  account: accountRouter,
  approvalPolicies: approvalPoliciesRouter,
  payoutLimits: payoutLimitsRouter,
  audit: auditRouter,
});

export type AppRouter = typeof appRouter;

/** Calls procedures in this process, with a given context. */
export const createCaller = createCallerFactory(appRouter);
