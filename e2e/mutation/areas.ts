// What is mutated, in parts that are run and resumed one by one, and the tests that must notice.

export interface MutationPart {
  /** Sources, as patterns; one after `!` is left out. */
  readonly mutate: readonly string[];
  /** Patterns of test files; the ones with a database end in `.db.test.ts`. */
  readonly tests: readonly string[];
}

type Area = Readonly<Record<string, MutationPart>>;

const MONEY = [
  "money",
  "currencies",
  "fx",
  "ledger*",
  "journal",
  "books",
  "figures",
  "receipts",
  "statement",
  "suspense",
];
const PAYMENTS = ["payment-{intent,repeat}", "pending-payment", "callback", "contradiction", "former-provider"];
const PAYOUTS = ["payout-*", "manual-resolution"];
const APPROVALS = ["approval-*", "authority*"];
const TOPUPS = ["topup-*"];
const RECONCILIATION = ["reconciliation*"];
const NAMED = [...MONEY, ...PAYMENTS, ...PAYOUTS, ...APPROVALS, ...TOPUPS, ...RECONCILIATION];

function domain(names: readonly string[], except: readonly string[] = []): MutationPart {
  const without = ["*.test", ...except].map((name) => `!server/domain/${name}.ts`);
  return {
    mutate: [...names.map((name) => `server/domain/${name}.ts`), ...without],
    tests: ["server/domain/*.test.ts"],
  };
}

/** Files of a folder, with those of its tests that need no database, or with all of them. */
function folder(path: string, names: readonly string[], tests: "unit" | "database"): MutationPart {
  const unit = `${path}/*.test.ts`;
  return {
    mutate: names.map((name) => `${path}/${name}.ts`),
    tests: tests === "unit" ? [unit] : [unit, `${path}/*.db.test.ts`],
  };
}

const IDEMPOTENCY = "server/services/idempotency";
const COMMIT = "server/db/commit";

export const AREAS: Readonly<Record<string, Area>> = {
  domain: {
    money: domain(MONEY),
    topups: domain(TOPUPS),
    payments: domain(PAYMENTS),
    payouts: domain(PAYOUTS),
    approvals: domain(APPROVALS),
    reconciliation: domain(RECONCILIATION),
    others: domain(["*"], NAMED),
  },
  idempotency: {
    memory: folder(IDEMPOTENCY, ["{abandoned,answered}-here", "confidential-answer", "release-abandoned"], "unit"),
    once: folder(IDEMPOTENCY, ["once", "completion", "reap"], "database"),
  },
  commit: {
    units: folder(COMMIT, ["unit", "audited"], "unit"),
    statements: folder(COMMIT, ["commit", "statement", "book-within"], "database"),
  },
  auth: {
    all: {
      mutate: ["server/auth/*.ts", "!server/auth/*.{test,d}.ts"],
      tests: ["server/auth/*.test.ts"],
    },
  },
};
