// Planted bugs in journal entries: money that a report has booked, or will book, is booked by hand as well.
import type { Patch } from "./patch";

const BOOKED_ONCE = { project: "db", tests: ["server/services/journal/booked-once.db.test.ts"] } as const;

const besideWhat = (what: "reports" | "totals" | "imports") =>
  ({ project: "db", tests: [`server/services/journal/beside-${what}.db.test.ts`] }) as const;

const WHATEVER_EXCEPTION = { project: "db", tests: ["server/services/journal/whatever-exception.db.test.ts"] } as const;

export const JOURNAL_PATCHES: readonly Patch[] = [
  {
    name: "journal: money of a refund under way is booked by hand",
    file: "server/services/journal/ended-intent.ts",
    within: "requireEndedIntent",
    find: "await hasOpenRefund(merchantId, id)",
    replace: "false",
    caughtBy: BOOKED_ONCE,
  },
  {
    name: "journal: money of a lost payment is booked by hand before its merchant repeats the request",
    file: "server/services/journal/nobodys-exception.ts",
    within: "requireNobodys",
    find: "!isAdditional",
    replace: "false",
    caughtBy: BOOKED_ONCE,
  },
  {
    name: "journal: a sum that a report has booked is booked again by hand",
    file: "server/domain/journal.ts",
    within: "isSumBooked",
    find: "mayCombine(sumsOf(ofPayer), moved) || inCurrency.some((one) => one.amount === moved)",
    replace: "false",
    caughtBy: { project: "db", tests: ["server/services/intents/journaled-money.db.test.ts"] },
  },
  {
    name: "journal: what entries come to after a correction is booked again by a report",
    file: "server/domain/journal.ts",
    within: "sumsOf",
    find: "[0n, ...sums]",
    replace: "[0n]",
    caughtBy: WHATEVER_EXCEPTION,
  },
  {
    name: "journal: an entry about a line may name another provider than the line's",
    file: "server/services/journal/propose.ts",
    within: "requireLinesProvider",
    find: "file !== undefined && given !== provider",
    replace: "false",
    caughtBy: WHATEVER_EXCEPTION,
  },
  {
    name: "journal: a returned refund is booked although operators may have booked it",
    file: "server/services/refunds/returned.ts",
    within: "recordReturn",
    find: "!movements.some(isByHand)",
    replace: "true",
    caughtBy: WHATEVER_EXCEPTION,
  },
  {
    name: "journal: a line is booked by hand for each of its exceptions",
    file: "server/services/journal/line-booked.ts",
    within: "isLineBooked",
    find: "byHand.entries.some(isSameLine)",
    replace: "false",
    caughtBy: { project: "db", tests: ["server/services/reconciliation/several-exceptions.db.test.ts"] },
  },
  {
    name: "journal: an intent of a merchant that moves counts as nobody's",
    file: "server/services/cells/between.ts",
    within: "requireNobodyMoved",
    find: "isAnyBetween(fences)",
    replace: "false",
    caughtBy: { project: "db", tests: ["server/services/moves/read-while-closing.db.test.ts"] },
  },
  {
    name: "journal: entries in two cells book one line at the same moment",
    file: "server/services/journal/line-booked.ts",
    within: "confirmBesideImports",
    find: "own.name === first.name",
    replace: "true",
    caughtBy: { project: "db", tests: ["server/services/moves/two-entries.db.test.ts"] },
  },
  {
    name: "journal: a report is booked beside money that people booked by hand",
    file: "server/domain/receipts.ts",
    within: "compareReceipts",
    find: "booked.some(isByHand)",
    replace: "false",
    caughtBy: besideWhat("reports"),
  },
  {
    name: "journal: a top-up's total is booked beside money that people booked by hand",
    file: "server/services/intents/unmatched-funds.ts",
    within: "bookTotals",
    find: "step.booking && known.byHand.count > 0",
    replace: "false",
    caughtBy: besideWhat("totals"),
  },
  {
    name: "journal: a late settlement is found back as well as returned",
    file: "server/db/suspense.ts",
    within: "isMoreBackWithin",
    find: "rows.length > 0",
    replace: "false",
    caughtBy: besideWhat("reports"),
  },
  {
    name: "journal: a line finds a movement that entries about its intent took back",
    file: "server/domain/taken-back.ts",
    within: "withoutTakenBack",
    find: "amount < 0n ? -amount : 0n",
    replace: "0n",
    caughtBy: besideWhat("imports"),
  },
  {
    name: "journal: a bank line without a batch settles the lines of another file",
    file: "server/domain/reconciliation.ts",
    within: "bankedLines",
    find: 'line.batch !== null || bank.before !== "bank" || before !== null',
    replace: "true",
    caughtBy: besideWhat("imports"),
  },
  {
    name: "journal: a line that its provider corrects is booked by hand again",
    file: "server/services/journal/line-booked.ts",
    within: "isLineBooked",
    find: "!(isMissingInternal(fact) && isMissingInternal(entry.fact)) && [entry.lineId, entry.objectId].includes(lineId)",
    replace: "false",
    caughtBy: besideWhat("imports"),
  },
  {
    name: "journal: a movement is taken back while an import finds it",
    file: "server/db/journal-confirmation.ts",
    within: "confirmJournalEntry",
    find: "provider ?? entry.provider",
    replace: "provider",
    caughtBy: besideWhat("imports"),
  },
];
