// Planted bugs in what makes something happen once: unique keys, and what an insert does with a conflict.
import type { Patch } from "./patch";

const INITIAL = "prisma/migrations/20261121000000_initial/migration.sql";

export const UNIQUE_KEY_PATCHES: readonly Patch[] = [
  {
    name: "unique keys: a callback id can be stored twice",
    file: INITIAL,
    within: 'CREATE TABLE "provider_callback"',
    find: 'CONSTRAINT "provider_callback_pkey" PRIMARY KEY ("provider","callback_id")',
    replace: 'CONSTRAINT "provider_callback_pkey" CHECK (callback_id IS NOT NULL)',
    caughtBy: { project: "db", tests: ["server/services/callbacks/callback-identity.db.test.ts"] },
  },
  {
    name: "unique keys: a merchant reference can be used by two payments",
    file: INITIAL,
    within: 'CREATE UNIQUE INDEX "payment_intent_merchant_id_environment_merchant_reference_key"',
    find: "CREATE UNIQUE INDEX",
    replace: "CREATE INDEX",
    caughtBy: { project: "db", tests: ["server/services/intents/repeated-references.db.test.ts"] },
  },
  {
    name: "unique keys: two workers can announce the same call",
    file: INITIAL,
    within: 'CREATE UNIQUE INDEX "provider_attempt_merchant_id_intent_id_ordinal_key"',
    find: "CREATE UNIQUE INDEX",
    replace: "CREATE INDEX",
    caughtBy: { project: "db", tests: ["server/services/intents/follow-up.db.test.ts"] },
  },
  {
    name: "unique keys: a creation goes on although its key is taken",
    file: "server/db/commit/statement.ts",
    within: "creationCause",
    find: "WHERE unit.claim IS NULL OR c.object_id IS NOT NULL",
    replace: "",
    caughtBy: {
      project: "db",
      tests: ["server/services/idempotency/once.db.test.ts", "server/services/races/idempotency-keys.db.test.ts"],
    },
  },
];
