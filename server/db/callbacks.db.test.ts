// Tests that the migration takes up the callbacks that earlier releases dropped, and leaves the others alone.
import { randomBytes } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";
import { migrate } from "./migrate";

const MIGRATIONS = fileURLToPath(new URL("../../prisma/migrations", import.meta.url));
const OURS = "20261122130000_unapplied_callbacks";

const server = process.env.DATABASE_URL ?? "";
const database = `callbacks_${randomBytes(6).toString("hex")}`;
const url = Object.assign(new URL(server), { pathname: `/${database}` }).href;
let folder: string;

async function run<Row>(address: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: address });
  await client.connect();
  try {
    return (await client.query(sql)).rows as Row[];
  } finally {
    await client.end();
  }
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "sluice-callbacks-"));
  await run(server, `CREATE DATABASE ${database}`);
});
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  await run(server, `DROP DATABASE ${database} WITH (FORCE)`);
});

it("callbacks that were dropped are due again, and the rest stay as they are", async () => {
  const earlier = readdirSync(MIGRATIONS).filter((name) => name < OURS || name === "migration_lock.toml");
  for (const name of earlier) cpSync(join(MIGRATIONS, name), join(folder, name), { recursive: true });
  await migrate(url, folder);
  await run(
    url,
    `INSERT INTO provider_callback (provider, callback_id, body, applied_at, result, attempts, due_at)
     SELECT 'acme', result, '{}', now(), result, 3, NULL
     FROM unnest(ARRAY['applied', 'ignored', 'unreadable', 'unmatched']) AS result`,
  );
  cpSync(join(MIGRATIONS, OURS), join(folder, OURS), { recursive: true });
  expect(await migrate(url, folder)).toEqual({ applied: [OURS] });
  const rows = "SELECT callback_id, result, attempts, due_at IS NOT NULL AS is_due FROM provider_callback ORDER BY 1";
  expect(await run(url, rows)).toEqual([
    { callback_id: "applied", result: "applied", attempts: 3, is_due: false },
    { callback_id: "ignored", result: "ignored", attempts: 3, is_due: false },
    { callback_id: "unmatched", result: null, attempts: 0, is_due: true },
    { callback_id: "unreadable", result: null, attempts: 0, is_due: true },
  ]);
});
