// Planted bugs in moves of merchants between cells: fences, the last changes, and the checks before the merchant opens.
import type { Patch } from "./patch";

const FENCES = { project: "db", tests: ["server/db/merchant-fences.db.test.ts"] } as const;
const PAUSE = { project: "db", tests: ["server/services/moves/pause.db.test.ts"] } as const;
const TROUBLE = { project: "db", tests: ["server/services/moves/trouble.db.test.ts"] } as const;
const LEFT_BEHIND = { project: "db", tests: ["server/services/moves/left-behind.db.test.ts"] } as const;
const OUTSIDERS = { project: "db", tests: ["server/services/moves/outsiders.db.test.ts"] } as const;
const SESSIONS = { project: "db", tests: ["server/services/moves/sessions.db.test.ts"] } as const;
const HISTORIES = { project: "db", tests: ["server/services/moves/histories.db.test.ts"] } as const;
const STAYS = { project: "db", tests: ["server/services/cells/settle-stays.db.test.ts"] } as const;
const FENCE_MIGRATION = "prisma/migrations/20261201010000_merchant_fence/migration.sql";

export const MOVE_PATCHES: readonly Patch[] = [
  {
    name: "moves: statements do not read the fences",
    file: "server/db/reach-client.ts",
    within: "FENCED_REACH",
    find: "reach_beside_fences($2)",
    replace: "$2",
    caughtBy: FENCES,
  },
  {
    name: "moves: the work of a fenced merchant goes on",
    file: FENCE_MIGRATION,
    within: "CREATE FUNCTION reach_beside_fences",
    find: "IF FOUND THEN",
    replace: "IF FOUND AND fence.state = 'left' THEN",
    caughtBy: FENCES,
  },
  {
    name: "moves: work of all merchants reaches a fenced one",
    file: FENCE_MIGRATION,
    within: "CREATE FUNCTION reach_beside_fences",
    find: "coalesce((SELECT '*,' || string_agg(merchant, ',') FROM merchant_fence), reach)",
    replace: "reach",
    caughtBy: FENCES,
  },
  {
    name: "moves: the last notes are not followed",
    file: "server/services/moves/pause.ts",
    within: "leaveUnlessHindered",
    find: "await followToTheEnd(move, look);",
    replace: "",
    caughtBy: PAUSE,
  },
  {
    name: "moves: deleted rows are not noted",
    file: "server/db/moves/triggers.ts",
    within: "ACTS",
    find: '{ act: "DELETE", rows: ["OLD"] }',
    replace: '{ act: "UPDATE", rows: ["OLD", "NEW"] }',
    caughtBy: PAUSE,
  },
  {
    name: "moves: a merchant opens whatever its copy adds up to",
    file: "server/services/moves/pause.ts",
    within: "checkAndLeave",
    find: "await findFaults(move)",
    replace: "[] as string[]",
    caughtBy: TROUBLE,
  },
  {
    name: "moves: a merchant opens whatever the last checks found",
    file: "server/services/moves/pause.ts",
    within: "leaveUnlessHindered",
    find: "if (faults.length > 0) return { faults };",
    replace: "",
    caughtBy: PAUSE,
  },
  {
    name: "moves: a merchant opens in the new cell although it has not left",
    file: "server/services/moves/pause.ts",
    within: "leaveUnlessHindered",
    find: 'if (!(await completeDeparture(from, merchantId, handover))) return { transactions: "The fence was lifted meanwhile" };',
    replace: "await completeDeparture(from, merchantId, handover);",
    caughtBy: PAUSE,
  },
  {
    name: "moves: what a process of an earlier release writes late is lost",
    file: "prisma/migrations/20261203010000_move_refuses_late_writes/migration.sql",
    within: "CREATE OR REPLACE FUNCTION note_move_change",
    find: "IF FOUND THEN",
    replace: "IF FOUND AND fence.other_cell = '' THEN",
    caughtBy: OUTSIDERS,
  },
  {
    name: "moves: an import of a settlement file does not notice that a merchant closes",
    file: "server/services/reconciliation/reconcile.ts",
    within: "importWithin",
    find: "requireSame(currentCell(), await holdMerchantFences(transaction));",
    replace: "",
    caughtBy: LEFT_BEHIND,
  },
  {
    name: "moves: a session works again once its merchant has come back",
    file: "prisma/migrations/20261203020000_sessions_end_with_a_move/migration.sql",
    within: "CREATE OR REPLACE FUNCTION open_arrival",
    find: "AND revoked_at IS NULL AND expires_at > now()",
    replace: "AND false",
    caughtBy: SESSIONS,
  },
  {
    name: "moves: a copy is removed although the other cell has an earlier state",
    file: "server/services/moves/drop-copy.ts",
    within: "requireLaterStay",
    find: "residence.stay < (closed.nextStay ?? 0)",
    replace: "false",
    caughtBy: STAYS,
  },
  {
    name: "moves: what somebody writes in the new cell before the opening stays in the copy",
    file: "prisma/migrations/20261203030000_move_refuses_early_writes/migration.sql",
    within: "CREATE FUNCTION refuse_before_opening",
    find: "IF FOUND THEN",
    replace: "IF FOUND AND fence.other_cell = '' THEN",
    caughtBy: OUTSIDERS,
  },
  {
    name: "moves: a session that could not be ended works again once its merchant has come back",
    file: "server/db/sessions.ts",
    within: "endOf",
    find: "a.since > ${session}.created_at",
    replace: "false",
    caughtBy: SESSIONS,
  },
  {
    name: "moves: no alert counts a complete copy that does not open",
    file: "server/db/merchant-stays.ts",
    within: "countMisplacedAcrossMerchants",
    find: "state IN ('closing', 'leaving', 'ready')",
    replace: "state IN ('closing', 'leaving')",
    caughtBy: TROUBLE,
  },
  {
    name: "moves: rows are removed without a last look into the new cell",
    file: "server/db/moves/rows.ts",
    within: "deleteAllRows",
    find: "await confirm();",
    replace: "",
    caughtBy: { project: "db", tests: ["server/services/moves/removal.db.test.ts"] },
  },
  {
    name: "moves: a pause of dispatch does not hold for a merchant that closes",
    file: "prisma/migrations/20261204010000_dispatch_holds/migration.sql",
    within: 'CREATE FUNCTION "dispatch_holds"',
    find: " SECURITY DEFINER",
    replace: "",
    caughtBy: { project: "db", tests: ["server/services/moves/paused.db.test.ts"] },
  },
  {
    name: "moves: changes of payouts are not noted",
    file: "server/services/moves/triggers.ts",
    within: "startTriggers",
    find: "makeTriggers(owner, table, { ...of, kind }, TABLE_MS)",
    replace:
      '(kind === "noting" && table.name === "payout_intent" ? null : makeTriggers(owner, table, { ...of, kind }, TABLE_MS))',
    caughtBy: HISTORIES,
  },
  {
    name: "moves: no worker opens a merchant whose move was killed before it left",
    file: "server/services/moves/abandoned.ts",
    within: "settleAbandonedMoves",
    find: "await liftAbandonedFencesAcrossMerchants()",
    replace: "0",
    caughtBy: HISTORIES,
  },
  {
    name: "moves: names lead nowhere after a restore",
    file: "server/services/cells/settle-stays.ts",
    within: "settleHere",
    find: "if (newest && absent.length === 0) await leadOn(own, newest, places);",
    replace: "",
    caughtBy: { project: "db", tests: ["server/services/moves/restored-passages.db.test.ts"] },
  },
  {
    name: "moves: a failover in the middle of a move is not seen before the merchant leaves",
    file: "server/services/moves/pause.ts",
    within: "leaveUnlessHindered",
    find: "for (const owner of [from, to]) await requireSameDatabase(owner, merchantId);",
    replace: "",
    caughtBy: { project: "db", tests: ["server/services/moves/failover.db.test.ts"] },
  },
  {
    name: "moves: what came of a notification is not recorded in the new cell",
    file: "server/services/notifications/send.ts",
    within: "end",
    find: "whereMerchantOpens(merchantId, record)",
    replace: "record()",
    caughtBy: { project: "db", tests: ["server/services/moves/notified.db.test.ts"] },
  },
];
