// Planted bugs in callbacks of merchants that move between cells.
import type { Patch } from "./patch";

export const CALLBACK_PATCHES: readonly Patch[] = [
  {
    name: "moves: a callback that tells a total is applied again after another cell has applied it",
    file: "server/services/callbacks/try.ts",
    within: "applyReading",
    find: "tellsTotal && (await isTopupCallbackApplied(scope.merchantId, callback))",
    replace: "false",
    caughtBy: { project: "db", tests: ["server/services/moves/repeated-callbacks.db.test.ts"] },
  },
  {
    name: "moves: the number of a callback's name counts as its provider's",
    file: "server/domain/callback.ts",
    within: "originalCallbackId",
    find: 'storedId.replace(/(?:~\\d+)+$/, "")',
    replace: "storedId",
    caughtBy: { project: "db", tests: ["server/services/moves/repeated-callbacks.db.test.ts"] },
  },
  {
    name: "moves: a callback is handed over to a restored cell that lacks its merchant",
    file: "server/services/callbacks/hand-over.ts",
    within: "whereaboutsOf",
    find: "(await inOtherCell(cell, () => isResident(merchantId))) ? cell : undefined",
    replace: "cell",
    caughtBy: { project: "db", tests: ["server/services/moves/restored-callbacks.db.test.ts"] },
  },
  {
    name: "moves: what an older copy could not apply is forgotten",
    file: "prisma/migrations/20261209060000_unapplied_callbacks_of_older_copies/migration.sql",
    within: "CREATE OR REPLACE FUNCTION close_older_stay",
    find: "result IN ('applied', 'ignored', 'unreadable', 'unmatched', 'failing')",
    replace: "result IN ('applied', 'ignored')",
    caughtBy: { project: "db", tests: ["server/services/moves/unmatched-in-older-copy.db.test.ts"] },
  },
];
