// Planted bugs in journal entries: money that a report has booked, or will book, is booked by hand as well.
import type { Patch } from "./patch";

const BOOKED_ONCE = { project: "db", tests: ["server/services/journal/booked-once.db.test.ts"] } as const;

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
    find: "total === moved || inCurrency.some((one) => one.amount === moved)",
    replace: "false",
    caughtBy: { project: "db", tests: ["server/services/intents/journaled-money.db.test.ts"] },
  },
];
