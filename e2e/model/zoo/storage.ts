// Planted bugs in the statements: locks, claims and conditions of the database layer.
import type { Patch } from "./patch";

const DELIVERIES = {
  project: "db",
  tests: ["server/services/webhooks/late-claims.db.test.ts", "server/services/webhooks/deliver-due.db.test.ts"],
} as const;
const KEYS = { project: "db", tests: ["server/services/idempotency/once.db.test.ts"] } as const;

export const STORAGE_PATCHES: readonly Patch[] = [
  {
    name: "a worker records an attempt after its claim has gone to another",
    file: "server/db/webhooks/attempts.ts",
    within: "RECORD",
    find: "AND d.claims = r.claims AND d.in_flight",
    replace: "",
    caughtBy: DELIVERIES,
  },
  {
    name: "a delivery is taken again while it is under way",
    file: "server/db/webhooks/claims.ts",
    within: "CLAIM",
    find: "due_at = now() + $4 * interval '1 millisecond', in_flight = true",
    replace: "due_at = now() - $4 * interval '1 millisecond', in_flight = true",
    caughtBy: DELIVERIES,
  },
  {
    name: "a paused endpoint still gets its events",
    file: "server/db/webhooks/claims.ts",
    within: "CLAIM",
    find: "e.state = 'enabled' AND",
    replace: "",
    caughtBy: DELIVERIES,
  },
  {
    name: "two retries can take over one key",
    file: "server/db/idempotency.ts",
    within: "takeOverKey",
    find: "AND holder = $6",
    replace: "AND $6::text IS NOT NULL",
    caughtBy: KEYS,
  },
  {
    name: "an idempotency key never expires",
    file: "server/db/idempotency.ts",
    within: "findKey",
    find: "- ${LIFETIME} AS expired",
    replace: "- 9 * ${LIFETIME} AS expired",
    caughtBy: KEYS,
  },
  {
    name: "a move of the clock ends claims of deliveries",
    file: "server/db/webhooks/due.ts",
    within: "isDue",
    find: " AND (NOT ${row}.in_flight OR ${row}.due_at <= now())",
    replace: "",
    caughtBy: { project: "db", tests: ["server/services/sandbox"] },
  },
  {
    name: "a move of the clock does not reach the times of endpoints",
    file: "server/db/sandbox-clock.ts",
    within: "moveAll",
    find: "transaction.query(BRING_ENDPOINTS_NEARER, merchantId, totalMs)",
    replace: "Promise.resolve()",
    caughtBy: { project: "db", tests: ["server/services/sandbox"] },
  },
];
