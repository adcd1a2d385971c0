// Planted bugs in the decisions on top-ups, in conversion and in the totals that providers report.
import type { Patch } from "./patch";

const TOPUP = "server/domain/topup-intent.ts";
const LATE = "server/domain/topup-late.ts";
const topup = { caughtBy: { model: "topup" } } as const;

export const TOPUP_PATCHES: readonly Patch[] = [
  {
    name: "a drop that was reported before somebody restored the funds takes them away again",
    file: LATE,
    within: "decideOnLateDrop",
    find: "known.restoredAt !== null && reportedAt < known.restoredAt",
    replace: "false",
    caughtBy: { project: "db", tests: ["server/services/callbacks/remembered.db.test.ts"] },
  },
  {
    name: "a second drop of a chain adds to the first",
    file: LATE,
    within: "decideOnLateDrop",
    find: "taken - known.dropped - valueOf(remaining, ended)",
    replace: "taken - valueOf(remaining, ended)",
    ...topup,
  },
  {
    name: "a drop after late money loses that money",
    file: LATE,
    within: "decideOnLateDrop",
    find: "valueOf(ended.receivedAmount, ended) + known.taken",
    replace: "valueOf(ended.receivedAmount, ended)",
    ...topup,
  },
  {
    name: "late totals are booked in full each time",
    file: LATE,
    within: "nextForFunds",
    find: "valueOf(to, ended) - valueOf(ended.receivedAmount, ended) - known.taken",
    replace: "valueOf(to, ended) - valueOf(ended.receivedAmount, ended)",
    ...topup,
  },
  {
    name: "late funds are credited against the policy",
    file: LATE,
    within: "lateBooking",
    find: 'policy === "credit_actual"',
    replace: "true",
    ...topup,
  },
  {
    name: "an overpayment is credited against the policy",
    file: "server/domain/topup-funds.ts",
    within: "divideFunds",
    find: 'policies.overpayment === "credit_actual" || received <= sourceAmount',
    replace: "received > 0n",
    ...topup,
  },
  {
    name: "the fee of a top-up is kept twice",
    file: "server/domain/fx.ts",
    within: "creditFor",
    find: "bornByOthers - fee",
    replace: "bornByOthers - 2n * fee",
    ...topup,
  },
  {
    name: "a part is credited against the underpayment policy",
    file: TOPUP,
    within: "runOut",
    find: 'intent.policies.underpayment === "credit_actual"',
    replace: "true",
    ...topup,
  },
  {
    name: "a confirmed part ends a top-up of which more was seen",
    file: TOPUP,
    within: "settle",
    find: "(isClosed && receivedAmount === seenAmount)",
    replace: "receivedAmount > 0n",
    ...topup,
  },
  {
    name: "a conversion rounds up for the wallet",
    file: "server/domain/fx.ts",
    within: "toDestination",
    find: "numerator / 10n ** BigInt(RATE_DIGITS + minorUnitDigits(c.sourceCurrency))",
    replace: "numerator / 10n ** BigInt(RATE_DIGITS + minorUnitDigits(c.sourceCurrency)) + 1n",
    caughtBy: { project: "unit", tests: ["server/domain/fx.test.ts"] },
  },
];
