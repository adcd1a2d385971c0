// Tests that a restore into the same database is noticed: pg_restore drops the tables and creates them again.
import { readFile } from "node:fs/promises";
import { beforeEach, expect, it } from "vitest";
import { announceAttempt } from "@/server/db/attempts";
import { query } from "@/server/db/client";
import type { PayoutIntent } from "@/server/domain/payout-intent";
import { newId } from "@/server/platform/ids";
import { makeLiveMerchant, payout, type TestMerchant } from "@/server/testing/merchant";
import { queryAsOwner } from "@/server/testing/owner";
import { installScriptedProviders } from "@/server/testing/scripted-provider";
import { withoutIdempotency } from "../idempotency/completion";
import { createPayoutIntent } from "../payouts/create";
import { prepareDispatch, resumeDispatch, showDispatch } from "./control";

const MIGRATIONS = "prisma/migrations";
const EVERYTHING = { provider: null, merchantId: null, currency: null };

let merchant: TestMerchant;
let intent: PayoutIntent;
beforeEach(async () => {
  await prepareDispatch();
  installScriptedProviders("scripted");
  merchant = await makeLiveMerchant();
  intent = (await createPayoutIntent(merchant.context, payout(), withoutIdempotency())).intent;
});

/** Dumps a table, drops it and restores it with what it held. */
async function restoreInPlace(table: string): Promise<void> {
  await queryAsOwner(`CREATE TABLE dumped (LIKE ${table} INCLUDING ALL);
    INSERT INTO dumped SELECT * FROM ${table};
    DROP TABLE ${table} CASCADE;
    ALTER TABLE dumped RENAME TO ${table};
    GRANT ALL ON ${table} TO sluice_app`);
}

const announce = () => announceAttempt(intent, "payout_intent", { id: newId("attempt"), ordinal: 1 }, new Date());

it.each(["installation", "payout_intent"])(
  "after %s was restored in place no payout is announced until dispatch is resumed",
  async (table) => {
    expect((await showDispatch()).isRestored).toBe(false);
    await restoreInPlace(table);
    await prepareDispatch();
    expect((await showDispatch()).isRestored).toBe(true);
    expect(await announce()).toBe(false);
    await resumeDispatch(EVERYTHING, "Reconciled.");
    expect((await showDispatch()).isRestored).toBe(false);
    expect(await announce()).toBe(true);
  },
);

it.each([
  ["stays the known one", "current_database_identity()", false],
  ["that was restored before stays paused", "'7/00000001/5'", true],
])("after the upgrade a database %s", async (_what, known, isRestored) => {
  const earlier = await readFile(`${MIGRATIONS}/20261122160100_dispatch_pause/migration.sql`, "utf8");
  const [definition = ""] = /CREATE FUNCTION "current_database_identity"[\s\S]*?\n\$\$;/.exec(earlier) ?? [];
  await queryAsOwner("DROP FUNCTION current_tables_identity, current_database_identity");
  await queryAsOwner(definition);
  await query(`UPDATE installation SET database_identity = ${known}`);
  await queryAsOwner(await readFile(`${MIGRATIONS}/20261122210100_identity_of_tables/migration.sql`, "utf8"));
  expect((await showDispatch()).isRestored).toBe(isRestored);
  await resumeDispatch(EVERYTHING, "Reconciled.");
});
