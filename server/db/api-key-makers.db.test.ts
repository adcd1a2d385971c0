// The migration that adds the makers of keys, from keys and audit entries of the previous version.
import { readFile } from "node:fs/promises";
import { Client } from "pg";
import { expect, it } from "vitest";
import { newId } from "@/server/platform/ids";
import { createApiKey } from "@/server/services/api-keys/create";
import { rollApiKey } from "@/server/services/api-keys/roll";
import { operatorContext } from "@/server/services/merchants/operator";
import { makeMerchant } from "@/server/testing/merchant";

const MIGRATION = new URL("../../prisma/migrations/20261123001000_api_key_makers/migration.sql", import.meta.url);

it("the migration finds the makers of keys in the audit log; a key without an entry has an unknown maker", async () => {
  const merchant = await makeMerchant();
  const [creator, roller] = [merchant.byMember(), merchant.byMember()];
  const { merchantId, environment } = merchant.scope;
  const first = await createApiKey(creator, "Web shop");
  const second = await rollApiKey(roller, { id: first.id, graceSeconds: 60 });
  const byOperator = await createApiKey(operatorContext(merchantId, environment), "Operator");
  const unknown = newId("apiKey");

  const client = new Client({ connectionString: process.env.DATABASE_URL });
  await client.connect();
  try {
    await client.query("BEGIN");
    await client.query("ALTER TABLE api_key DROP COLUMN makers CASCADE");
    await client.query(
      `INSERT INTO api_key (merchant_id, id, environment, name, public_key, secret_hash, pepper_id)
       SELECT merchant_id, $2, environment, name, left(public_key, 8) || $2, secret_hash, pepper_id
       FROM api_key WHERE id = $1`,
      [first.id, unknown],
    );
    await client.query(await readFile(MIGRATION, "utf8"));
    const { rows } = await client.query<{ id: string; makers: string[] | null }>(
      "SELECT id, makers FROM api_key WHERE merchant_id = $1",
      [merchantId],
    );
    const makers = Object.fromEntries(rows.map((row) => [row.id, row.makers?.toSorted() ?? null]));
    expect(makers).toEqual({
      [first.id]: [creator.actor.id, roller.actor.id].toSorted(),
      [second.id]: [roller.actor.id],
      [merchant.context.actor.id]: null,
      [byOperator.id]: [],
      [unknown]: null,
    });
  } finally {
    await client.query("ROLLBACK");
    await client.end();
  }
});
