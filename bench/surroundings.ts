// The conditions of a run: the machine, the versions, the database's settings, the numbers of rows.
import { readFileSync } from "node:fs";
import { arch, cpus, platform, release, totalmem } from "node:os";
import { join } from "node:path";
import { pgbenchVersion } from "./limit/pgbench";
import type { Stage } from "./stage";

export interface Surroundings {
  readonly at: string;
  readonly machine: Readonly<Record<string, string | number>>;
  readonly versions: Readonly<Record<string, string>>;
  readonly postgres: Readonly<Record<string, string>>;
  readonly rowsAtTheEnd: Readonly<Record<string, number>>;
}

const SETTINGS_SHOWN = ["server_version", "fsync", "synchronous_commit", "full_page_writes", "shared_buffers"];
const PACKAGES_SHOWN = ["next", "pg", "@prisma/client", "fastify", "autocannon"];
const TABLES_COUNTED = ["payment_intent", "payout_intent", "audit_entry", "idempotency_key", "event", "delivery"];

function versions(root: string): Record<string, string> {
  const packages = PACKAGES_SHOWN.map((name) => {
    const text = readFileSync(join(root, "node_modules", name, "package.json"), "utf8");
    return [name, (JSON.parse(text) as { version: string }).version] as const;
  });
  const pgbench = pgbenchVersion();
  return { node: process.version, ...Object.fromEntries(packages), pgbench: pgbench ?? "not there" };
}

/** Queries the machine and the database. */
export async function surroundings({ database }: Pick<Stage, "database">, root: string): Promise<Surroundings> {
  const settings = await database.query<{ name: string; setting: string }>(
    "SELECT name, current_setting(name) AS setting FROM pg_settings WHERE name = ANY($1)",
    SETTINGS_SHOWN,
  );
  const counts = TABLES_COUNTED.map((table) => `(SELECT count(*)::int FROM ${table}) AS ${table}`);
  const [rowsAtTheEnd = {}] = await database.query<Record<string, number>>(`SELECT ${counts.join(", ")}`);
  return {
    at: new Date().toISOString(),
    machine: {
      cpu: cpus()[0]?.model ?? "unknown",
      cores: cpus().length,
      memoryGiB: Math.round(totalmem() / 2 ** 30),
      system: `${platform()} ${release()} ${arch()}`,
    },
    versions: versions(root),
    postgres: Object.fromEntries(settings.map(({ name, setting }) => [name, setting])),
    rowsAtTheEnd,
  };
}
