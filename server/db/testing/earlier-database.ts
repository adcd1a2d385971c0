// A database as an earlier release left it, for tests of what a migration makes of its rows.
import { randomBytes } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { migrate } from "../migrate";

const MIGRATIONS = fileURLToPath(new URL("../../../prisma/migrations", import.meta.url));

export interface EarlierDatabase {
  /** Executes a script, or one statement with values, as the owner. */
  run<Row>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Applies the migrations of that name and before it that are missing; returns their names. */
  migrateTo(name: string): Promise<readonly string[]>;
  drop(): Promise<void>;
}

async function run<Row>(address: string, sql: string, values?: readonly unknown[]): Promise<Row[]> {
  const client = new Client({ connectionString: address });
  await client.connect();
  try {
    return (await client.query(sql, values && [...values])).rows as Row[];
  } finally {
    await client.end();
  }
}

/** A new database on the server of `DATABASE_URL`, with the migrations before `name`. */
export async function openDatabaseBefore(name: string): Promise<EarlierDatabase> {
  const server = process.env.DATABASE_URL ?? "";
  const database = `earlier_${randomBytes(6).toString("hex")}`;
  const url = Object.assign(new URL(server), { pathname: `/${database}` }).href;
  const folder = mkdtempSync(join(tmpdir(), "sluice-migrations-"));
  const isMigration = (entry: string) => /^\d/.test(entry);
  async function apply(isWanted: (entry: string) => boolean) {
    for (const entry of readdirSync(MIGRATIONS).filter((one) => !isMigration(one) || isWanted(one)))
      cpSync(join(MIGRATIONS, entry), join(folder, entry), { recursive: true });
    return (await migrate(url, folder)).applied;
  }
  await run(server, `CREATE DATABASE ${database}`);
  await apply((entry) => entry < name);
  return {
    run: (sql, values) => run(url, sql, values),
    migrateTo: (last) => apply((entry) => entry <= last),
    async drop() {
      rmSync(folder, { recursive: true, force: true });
      await run(server, `DROP DATABASE ${database} WITH (FORCE)`);
    },
  };
}
