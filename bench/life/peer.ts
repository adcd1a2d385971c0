// pgbench writing the rows of whole lives: the database's own limit.
import { databaseSeconds } from "../database";
import { PGBENCH, runScripts } from "../limit/pgbench";
import { commands } from "../limit/pgbench-script";
import type { Party, Stage } from "../stage";
import { FATES, type Fate } from "./course";
import { computedLife, lifeCommits, makeLifeTables, takeLife } from "./peer-rows";

const CONNECTIONS = 32;
const SECONDS = 15;

export interface PeerLives {
  /** Lives per second. */
  readonly rate: number;
  readonly walBytes: number;
  /** CPU of Postgres in ms per life; null where the system does not report it. */
  readonly cpuMs: number | null;
}

/** Writes copies of complete lives of the parties, in the same shares. Returns null if pgbench is not installed. */
export async function measurePeerLives(stage: Stage, parties: readonly Party[]): Promise<PeerLives | null> {
  if (!PGBENCH) return null;
  const { database, databaseUrl: url } = stage;
  await makeLifeTables(database);
  const scripts: { text: string; weight: number }[] = [];
  for (const { id } of parties)
    for (const fate of new Set<Fate>(FATES)) {
      const commits = lifeCommits(computedLife(await takeLife(database, id, fate)), fate);
      const weight = FATES.filter((other) => other === fate).length;
      scripts.push({ text: `${["\\set n :n + 1", ...commands(commits)].join("\n")}\n`, weight });
    }
  const read = async () => {
    const sql = "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS bytes";
    const [wal] = await database.query<{ bytes: number }>(sql);
    return { bytes: wal?.bytes ?? Number.NaN, seconds: await databaseSeconds(stage) };
  };
  const before = await read();
  const { rate, done } = await runScripts(PGBENCH, { url, scripts, connections: CONNECTIONS, seconds: SECONDS });
  const after = await read();
  const isTimed = before.seconds !== null && after.seconds !== null;
  return {
    rate,
    walBytes: (after.bytes - before.bytes) / done,
    cpuMs: isTimed ? (((after.seconds ?? 0) - (before.seconds ?? 0)) * 1_000) / done : null,
  };
}
