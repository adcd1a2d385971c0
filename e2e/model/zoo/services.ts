// Planted bugs around the decisions: commits, calls to providers, callbacks, leases. Tests with a database catch them.
import type { Patch } from "./patch";

export const SERVICE_PATCHES: readonly Patch[] = [
  {
    name: "two writers can move an intent from one revision",
    file: "server/db/commit/statement.ts",
    within: "transitionCause",
    find: "AND t.revision = unit.from_revision",
    replace: "",
    caughtBy: { project: "db", tests: ["server/services/intents/transition.db.test.ts", "server/db/commit"] },
  },
  {
    name: "two late reports can be booked on the same books",
    file: "server/domain/books.ts",
    within: "decideOnBooks",
    find: "{ ...decision, transaction: numbered(decision.transaction, 0) }",
    replace: "decision",
    caughtBy: { project: "db", tests: ["server/services/races/late-movements.db.test.ts"] },
  },
  {
    name: "a callback is finished before it is applied",
    file: "server/services/callbacks/receive-callback.ts",
    within: "applyInTurn",
    find: "await conclude(callback, await (merchantId === null ? attempt() : withinMerchant(merchantId, attempt)));",
    replace: 'await conclude(callback, { result: "applied" });',
    caughtBy: { project: "db", tests: ["server/services/callbacks/receive-callback.db.test.ts"] },
  },
  {
    name: "two workers can take one due intent",
    file: "server/db/intents/claim.ts",
    within: "claimStatement",
    find: "due_at = now() + ${ahead} + $2 * interval '1 millisecond'",
    replace: "due_at = t.due_at",
    caughtBy: { project: "db", tests: ["server/services/due-intents.db.test.ts"] },
  },
  {
    name: "a lease ends before the longest chain of calls",
    file: "server/services/due-intents.ts",
    within: "claimLeaseMs",
    find: "Math.max(SHORTEST_CLAIM_MS, longestMs)",
    replace: "SHORTEST_CLAIM_MS",
    caughtBy: { project: "db", tests: ["server/services/due-intents.db.test.ts"] },
  },
  {
    name: "a worker begins an intent whose lease is half over",
    file: "server/services/due-intents.ts",
    within: "createDueWork",
    find: "now().getTime() - claimedAt.getTime() > BEGIN_WITHIN_MS",
    replace: "claimedAt.getTime() > now().getTime() + BEGIN_WITHIN_MS",
    caughtBy: { project: "db", tests: ["server/services/due-intents.db.test.ts"] },
  },
  {
    name: "a payout that a provider accepted and denies is sent again",
    file: "server/services/intents/follow-up.ts",
    within: "poll",
    find: "acceptor !== undefined",
    replace: "acceptor === intent.id",
    caughtBy: { project: "db", tests: ["server/services/intents/acceptance.db.test.ts"] },
  },
  {
    name: "a journal entry does not wait for an import that judges its line",
    file: "server/db/journal-confirmation.ts",
    within: "confirmJournalEntry",
    find: "if (held !== null) await holdLinesWithin(within, entry.environment, held);",
    replace: "",
    caughtBy: { project: "db", tests: ["server/services/reconciliation/reconcile.db.test.ts"] },
  },
];
