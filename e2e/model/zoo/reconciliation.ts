// Planted bugs in imports of settlement files: what lines find, and what bank lines settle.
import type { Patch } from "./patch";

export const RECONCILIATION_PATCHES: readonly Patch[] = [
  {
    name: "reconciliation: a bank line is judged without the lines of a cell that is away",
    file: "server/services/reconciliation/reconcile.ts",
    within: "reconcile",
    find: "file.every((line) => !failed.has(cells.cellOf(line).name))",
    replace: "true",
    caughtBy: { project: "db", tests: ["server/services/reconciliation/cells.db.test.ts"] },
  },
  {
    name: "reconciliation: a bank line settles what another one has settled",
    file: "server/domain/reconciliation.ts",
    within: "judgeLines",
    find: "!banked.has(line.digest)",
    replace: "true",
    caughtBy: { project: "unit", tests: ["server/domain/reconciliation-bank.test.ts"] },
  },
  {
    name: "reconciliation: the line_id of what people booked counts for nothing",
    file: "server/domain/reconciliation.ts",
    within: "judgeLines",
    find: "idsBookedByHand.has(lineId)",
    replace: "false",
    caughtBy: { project: "db", tests: ["server/services/journal/beside-files.db.test.ts"] },
  },
  {
    name: "reconciliation: a line that a member uploaded first never binds its line_id",
    file: "server/db/reconciliation/lines.ts",
    within: "findKnownLinesWithin",
    find: "importer === null && !row.is_imported",
    replace: "importer === null",
    caughtBy: { project: "db", tests: ["server/services/journal/beside-files.db.test.ts"] },
  },
  {
    name: "journal: an import books a line that an operator said is booked",
    file: "server/db/reconciliation/hand-bookings.ts",
    within: "resolveAsBooked",
    find: "noteHandBookingWithin(transaction, exception, null)",
    replace: "Promise.resolve()",
    caughtBy: { project: "db", tests: ["server/services/reconciliation/several-exceptions-cells.db.test.ts"] },
  },
  {
    name: "journal: a bank line without a batch settles the lines of another file",
    file: "server/domain/reconciliation.ts",
    within: "newlyBanked",
    find: 'verdict === "bank" && before !== "bank"',
    replace: 'verdict === "bank"',
    caughtBy: { project: "db", tests: ["server/services/journal/beside-imports.db.test.ts"] },
  },
  {
    name: "journal: what was taken back is taken from a movement that a line has found",
    file: "server/domain/taken-back.ts",
    within: "withoutTakenBack",
    find: "one.isSettled === isSettled",
    replace: "!isSettled",
    caughtBy: { project: "db", tests: ["server/services/journal/beside-files.db.test.ts"] },
  },
  {
    name: "a bank line that was booked by hand does not keep an import from booking its batch",
    file: "server/domain/reconciliation.ts",
    within: "judgeBank",
    find: "others.some(({ digest }) => bookedByHand.has(digest))",
    replace: "false",
    caughtBy: { project: "unit", tests: ["server/domain/reconciliation-bank.test.ts"] },
  },
];
