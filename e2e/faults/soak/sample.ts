// One look at a running service: memory and descriptors of its processes, what waits, and the size of its database.
import { readdirSync, readFileSync } from "node:fs";
import type { World } from "../../rest/world";
import { childrenOf } from "../../support/postgres/children";
import type { LiveMemory } from "./live-memory";

interface ProcessSample {
  readonly name: string;
  readonly pid: number;
  /** With garbage. */
  readonly residentMiB: number;
  /** Without garbage; only in samples that collected it. */
  readonly liveMiB?: number;
  readonly descriptors: number;
}

export interface Sample {
  /** ms since the start of the run. */
  readonly at: number;
  readonly processes: readonly ProcessSample[];
  /** How long the oldest due work has waited, in seconds. */
  readonly lagSeconds: number;
  readonly intents: number;
  readonly databaseBytes: number;
  /** Dead rows for each live one, of the table where they are most. */
  readonly deadRows: number;
  /** Bytes of indexes for each byte of tables. */
  readonly indexBytes: number;
}

const commandOf = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, "utf8");

function processSample(pid: number, main: number): ProcessSample {
  const name = pid === main ? "main" : commandOf(pid).includes("worker") ? "worker" : "web";
  const resident = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return {
    name,
    pid,
    residentMiB: Number(resident) / 1_024,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
  };
}

const INTENTS = ["payment_intent", "payout_intent", "topup_intent"];
const WAITING = [...INTENTS, "delivery", "provider_callback"]
  .map((table) => `SELECT min(due_at) AS due_at FROM ${table} WHERE due_at < now()`)
  .join(" UNION ALL ");
const COUNTED = INTENTS.map((table) => `(SELECT count(*) FROM ${table})`).join(" + ");

/** Looks at the service once; with `memory`, its processes collect their garbage first. */
export async function takeSample(
  { service, database }: World,
  startedAt: number,
  memory?: Pick<LiveMemory, "of">,
): Promise<Sample> {
  const [row] = await database.query<Omit<Sample, "at" | "processes">>(
    `SELECT (SELECT coalesce(extract(epoch FROM now() - min(due_at)), 0)::float8 FROM (${WAITING}) w) AS "lagSeconds",
            (${COUNTED})::int AS intents,
            pg_database_size(current_database())::float8 AS "databaseBytes",
            (SELECT coalesce(max(n_dead_tup::float8 / n_live_tup), 0) FROM pg_stat_user_tables WHERE n_live_tup > 1000) AS "deadRows",
            (SELECT sum(pg_indexes_size(relid)) / sum(pg_table_size(relid)) FROM pg_stat_user_tables)::float8 AS "indexBytes"`,
  );
  if (!row) throw new Error("the database told nothing");
  // From its sources, each process has a compiler beside it.
  const pids = [service.pid, ...childrenOf(service.pid).filter((pid) => !commandOf(pid).includes("/esbuild"))];
  const live = await memory?.of(pids);
  const processes = pids.map((pid, n) => ({
    ...processSample(pid, service.pid),
    ...(live && { liveMiB: live[n] ?? Number.NaN }),
  }));
  return { at: performance.now() - startedAt, processes, ...row };
}
