import { createHash, randomBytes } from "node:crypto";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { hasPgBouncer, startPgBouncer } from "@/e2e/support/postgres/pgbouncer";
import { migrate } from "./migrate";

const server = process.env.DATABASE_URL ?? "";
let database: string;
let url: string;
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

/** Advisory locks in the database. */
const LOCKS = `SELECT FROM pg_locks WHERE locktype = 'advisory'
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

function write(name: string, sql: string): void {
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, "migration.sql"), sql);
}

beforeEach(async () => {
  database = `migrate_${randomBytes(6).toString("hex")}`;
  await run(server, `CREATE DATABASE ${database}`);
  const address = new URL(server);
  address.pathname = `/${database}`;
  url = address.href;
  folder = mkdtempSync(join(tmpdir(), "sluice-migrations-"));
  writeFileSync(join(folder, "migration_lock.toml"), 'provider = "postgresql"\n');
  write("1_first", "CREATE TABLE first (id INT PRIMARY KEY);\nINSERT INTO first VALUES (1);");
  write(
    "2_second",
    "CREATE FUNCTION two() RETURNS INT AS $$ BEGIN RETURN 2; END $$ LANGUAGE plpgsql;\nALTER TABLE first ADD COLUMN two INT DEFAULT two();",
  );
});

afterEach(async () => {
  await run(server, `DROP DATABASE ${database} WITH (FORCE)`);
  rmSync(folder, { recursive: true, force: true });
});

describe.each(["transaction", "session"] as const)(
  "behind PgBouncer with pool_mode=%s (skipped: needs pgbouncer)",
  (mode) => {
    it.skipIf(!hasPgBouncer())(
      "many processes migrate at once, each migration once, and leave no lock behind",
      async () => {
        write("3_slow", "SELECT pg_sleep(0.2); CREATE TABLE third (id INT);");
        const pooler = await startPgBouncer(url, { mode });
        try {
          const runs = await Promise.all(Array.from({ length: 8 }, () => migrate(pooler.url, folder)));
          expect(runs.flatMap(({ applied }) => applied).sort()).toEqual(["1_first", "2_second", "3_slow"]);
          expect(await run(url, LOCKS)).toEqual([]);
          write("4_wrong", "SELECT 1 / 0;");
          await expect(migrate(pooler.url, folder)).rejects.toThrow("4_wrong failed and was undone");
          rmSync(join(folder, "4_wrong"), { recursive: true });
          expect(await migrate(pooler.url, folder)).toEqual({ applied: [] });
        } finally {
          await pooler.stop();
        }
      },
    );
  },
);

describe("migrate", () => {
  it("applies all in order, then nothing", async () => {
    expect(await migrate(url, folder)).toEqual({ applied: ["1_first", "2_second"] });
    expect(await migrate(url, folder)).toEqual({ applied: [] });
    expect(await run(url, "SELECT * FROM first")).toEqual([{ id: 1, two: 2 }]);
  });

  it.each(["succeeds", "fails"])(
    "holds no lock before it disconnects if it %s: a pooler keeps the session",
    async (outcome) => {
      if (outcome === "fails") write("3_third", "SELECT 1/0");
      const locks: unknown[][] = [];
      const clients = Client.prototype as unknown as { end(): Promise<void> };
      const { end } = clients;
      const ending = vi.spyOn(clients, "end").mockImplementation(async function (this: Client) {
        if (this.database === database && locks.length === 0) locks.push((await this.query(LOCKS)).rows);
        return end.call(this);
      });
      const [{ status }] = await Promise.allSettled([migrate(url, folder)]);
      ending.mockRestore();
      expect(status).toBe(outcome === "fails" ? "rejected" : "fulfilled");
      expect(locks).toEqual([[]]);
    },
  );

  it("applies only what is new", async () => {
    await migrate(url, folder);
    write("3_third", "INSERT INTO first VALUES (3)");
    expect(await migrate(url, folder)).toEqual({ applied: ["3_third"] });
  });

  it("records each as Prisma does: checksum of the file, one step, finished", async () => {
    write("1_first", "CREATE TABLE first (id INT); -- é\n");
    await migrate(url, folder);
    const [row] = await run<Record<string, unknown>>(url, `SELECT * FROM "_prisma_migrations" ORDER BY migration_name`);
    expect(row).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      checksum: createHash("sha256").update("CREATE TABLE first (id INT); -- é\n").digest("hex"),
      migration_name: "1_first",
      started_at: expect.any(Date),
      finished_at: expect.any(Date),
      logs: null,
      rolled_back_at: null,
      applied_steps_count: 1,
    });
  });

  it("applies each once when many processes start at the same moment", async () => {
    const results = await Promise.all(Array.from({ length: 8 }, () => migrate(url, folder)));
    expect(results.flatMap(({ applied }) => applied).sort()).toEqual(["1_first", "2_second"]);
  });

  it("undoes a migration that fails as a whole, and goes on from there when it is repaired", async () => {
    write("3_third", "INSERT INTO first VALUES (3);\nSELECT nothing_here();");
    await expect(migrate(url, folder)).rejects.toThrow(/3_third failed and was undone/);
    expect(await run(url, "SELECT id FROM first")).toEqual([{ id: 1 }]);
    write("3_third", "INSERT INTO first VALUES (3)");
    expect(await migrate(url, folder)).toEqual({ applied: ["3_third"] });
  });

  it("refuses when an applied migration was changed since", async () => {
    await migrate(url, folder);
    appendFileSync(join(folder, "1_first", "migration.sql"), "\n");
    write("3_third", "INSERT INTO first VALUES (3)");
    await expect(migrate(url, folder)).rejects.toThrow(/1_first was changed/);
    expect(await run(url, "SELECT id FROM first")).toEqual([{ id: 1 }]);
  });

  it("refuses when one was begun by another program and not finished", async () => {
    await migrate(url, folder);
    await run(url, `UPDATE "_prisma_migrations" SET finished_at = NULL WHERE migration_name = '2_second'`);
    await expect(migrate(url, folder)).rejects.toThrow(/2_second was started but not finished/);
  });

  it("lets older code run beside a database that newer code has migrated", async () => {
    await migrate(url, folder);
    rmSync(join(folder, "2_second"), { recursive: true });
    expect(await migrate(url, folder)).toEqual({ applied: [] });
  });
});

describe("migrate, while another session holds a lock that a migration needs", () => {
  let holder: Client;

  beforeEach(async () => {
    await migrate(url, folder);
    write("3_third", "INSERT INTO first VALUES (3);\nALTER TABLE first ADD COLUMN three INT;");
    holder = new Client({ connectionString: url, application_name: "pg_dump" });
    await holder.connect();
    await holder.query("BEGIN; LOCK TABLE first IN ACCESS SHARE MODE");
  });
  afterEach(() => holder.end());

  it("lets reads pass between its tries, and applies the migration once the lock is free", async () => {
    const applied = migrate(url, folder);
    await expect.poll(() => waiting()).toBe(1);
    const startedAt = Date.now();
    expect(await run(url, "SELECT count(*)::int AS rows FROM first")).toEqual([{ rows: 1 }]);
    expect(Date.now() - startedAt).toBeLessThan(5_000);
    await holder.query("COMMIT");
    expect(await applied).toEqual({ applied: ["3_third"] });
    expect(await run(url, "SELECT id FROM first ORDER BY id")).toEqual([{ id: 1 }, { id: 3 }]);
  });

  it("gives up after its tries with the name of the migration and of the session, and changes nothing", async () => {
    await expect(migrate(url, folder, 2)).rejects.toThrow(
      /^migration 3_third was not applied: .* 2 tries.*\n.*session \d+ \(pg_dump, .*first/,
    );
    expect(await run(url, "SELECT id FROM first")).toEqual([{ id: 1 }]);
    await holder.query("COMMIT");
    expect(await migrate(url, folder)).toEqual({ applied: ["3_third"] });
  });

  /** Sessions that wait for a lock on a table of the database. */
  async function waiting(): Promise<number> {
    return (await run(url, "SELECT 1 FROM pg_locks WHERE relation = 'first'::regclass AND NOT granted")).length;
  }
});
