// A cell whose rows were loaded without triggers, as by `pg_restore --data-only --disable-triggers`: its fences count.
import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { afterEach, expect, inject, it } from "vitest";
import { inCell } from "@/server/platform/cell";
import { addressOf, createDatabase, dropDatabase, nameOf } from "@/server/testing/databases";
import { approvedPayout, makeMerchant } from "@/server/testing/merchant";
import { createApiKey } from "../api-keys/create";
import { settleStaysAtStart } from "../cells/settle-stays";
import { workOnDueIntents } from "../due-intents";
import { call } from "./testing/api-call";
import { fenceIn } from "./testing/rows";
import { eu2, killedAt, main, sql, threeCells } from "./testing/three-cells";

const cells = threeCells();
const template = () => inject("databaseTemplate");
const server = () => addressOf(template(), "postgres");

let loaded: string | null = null;
afterEach(async () => {
  await cells.pointTo();
  if (loaded) await dropDatabase(server(), loaded);
  loaded = null;
});

/** Loads the rows into a new, migrated database, each table with its triggers off. */
async function load(from: string): Promise<string> {
  loaded = await createDatabase(server(), `sluice_test_${randomBytes(6).toString("hex")}`, nameOf(template()));
  const [source, target] = [new Client({ connectionString: from }), new Client({ connectionString: loaded })];
  await Promise.all([source.connect(), target.connect()]);
  const { rows } = await source.query<{ name: string }>(
    `SELECT format('%I', relname) AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`,
  );
  await target.query(rows.map(({ name }) => `ALTER TABLE ${name} DISABLE TRIGGER ALL; DELETE FROM ${name}`).join("; "));
  for (const { name } of rows) {
    const { rows: found } = await source.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
    await target.query(`INSERT INTO ${name} SELECT * FROM unnest($1::text[]::${name}[])`, [
      found.map(({ row }) => row),
    ]);
  }
  await target.query(rows.map(({ name }) => `ALTER TABLE ${name} ENABLE TRIGGER ALL`).join("; "));
  await Promise.all([source.end(), target.end()]);
  return loaded;
}

it("a merchant that has left is not served from what it left behind", async () => {
  const { merchantId, key } = await inCell(main(), async () => {
    const merchant = await makeMerchant();
    return { merchantId: merchant.merchantId, key: await createApiKey(merchant.context, "Key") };
  });
  await killedAt(/UPDATE merchant_move SET paused_ms/, merchantId, eu2());
  expect(await fenceIn(main(), merchantId)).toBe("left eu2");
  await sql(eu2(), "UPDATE api_key SET revoked_at = now() WHERE merchant_id = $1", merchantId);
  await cells.pointTo([await load(cells.own[0] ?? "")]);
  await settleStaysAtStart();
  expect((await call(key, { method: "GET", path: "/wallets" })).status).toBe(401);
});

it("a copy that arrives is not worked on", async () => {
  const merchantId = await inCell(main(), async () => {
    const merchant = await makeMerchant();
    await approvedPayout(merchant);
    return merchant.merchantId;
  });
  await sql(main(), "UPDATE payout_intent SET due_at = now() - interval '1 minute' WHERE merchant_id = $1", merchantId);
  // All rows are copied; then the command is killed.
  await killedAt(/count\(\*\)::int AS count FROM api_key/, merchantId, eu2());
  expect(await fenceIn(eu2(), merchantId)).toBe("arriving main");
  await cells.pointTo([null, await load(cells.own[1] ?? "")]);
  await settleStaysAtStart();
  expect(await inCell(eu2(), () => workOnDueIntents("payout_intent", 50, 30_000))).toBe(0);
});
