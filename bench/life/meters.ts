// What a run costs: CPU time by process, WAL, and row changes by table.
import { databaseSeconds } from "../database";
import { cpuSecondsOf } from "../proc";
import { workerOf } from "../webhooks/shared";
import type { Scene } from "./scene";

/** Row changes of a table. `hot` counts the updates that wrote no index. */
interface RowChanges {
  readonly inserted: number;
  readonly updated: number;
  readonly hot: number;
  readonly deleted: number;
}

export interface Meters {
  /** CPU seconds; null where the system does not report them. */
  readonly cpu: Readonly<Record<string, number | null>>;
  readonly walBytes: number;
  readonly fullPageImages: number;
  readonly tables: Readonly<Record<string, RowChanges>>;
}

/** Backends report their statistics at the latest after they have been idle for this time. */
export const STATISTICS_LATE_MS = 11_000;

const ROW_CHANGES = `
  SELECT coalesce(pg_partition_root(relid)::regclass::text, relname) AS name, sum(n_tup_ins)::float8 AS inserted,
         sum(n_tup_upd)::float8 AS updated, sum(n_tup_hot_upd)::float8 AS hot, sum(n_tup_del)::float8 AS deleted
  FROM pg_stat_user_tables WHERE schemaname = 'public' GROUP BY 1`;

const WAL = `
  SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS bytes, wal_fpi::float8 AS images
  FROM pg_stat_wal`;

/** Reads all meters. The load generator is this process. */
export async function readMeters({ stage, provider, receiver }: Scene): Promise<Meters> {
  const { database, service } = stage;
  const rows = await database.query<RowChanges & { name: string }>(ROW_CHANGES);
  const [wal] = await database.query<{ bytes: number; images: number }>(WAL);
  if (!wal) throw new Error("the server reports no WAL");
  const own = process.cpuUsage();
  return {
    cpu: {
      "web process": cpuSecondsOf(service.pid),
      worker: cpuSecondsOf(workerOf(stage)),
      Postgres: await databaseSeconds(stage),
      "bench: provider": cpuSecondsOf(provider.pid),
      "bench: receiver": cpuSecondsOf(receiver.pid),
      "bench: load": (own.user + own.system) / 1e6,
    },
    walBytes: wal.bytes,
    fullPageImages: wal.images,
    tables: Object.fromEntries(rows.map(({ name, ...changes }) => [name, changes])),
  };
}

export interface Cost {
  /** CPU in ms per life, by process. */
  readonly cpuMs: Readonly<Record<string, number | null>>;
  readonly walBytes: number;
  readonly fullPageImages: number;
  /** Row changes per life, of the tables that changed. */
  readonly tables: Readonly<Record<string, RowChanges>>;
}

const UNCHANGED: RowChanges = { inserted: 0, updated: 0, hot: 0, deleted: 0 };
/** Tables with fewer changes per life are left out: those of the worker's own clockwork. */
const LEAST_CHANGES = 0.005;

function perLife(from: RowChanges, to: RowChanges, lives: number): RowChanges {
  return {
    inserted: (to.inserted - from.inserted) / lives,
    updated: (to.updated - from.updated) / lives,
    hot: (to.hot - from.hot) / lives,
    deleted: (to.deleted - from.deleted) / lives,
  };
}

/** What one of the lives between the two readings has cost. */
export function costPerLife(from: Meters, to: Meters, lives: number): Cost {
  const cpuMs = Object.entries(to.cpu).map(([name, seconds]) => {
    const before = from.cpu[name] ?? null;
    return [name, seconds === null || before === null ? null : ((seconds - before) * 1_000) / lives] as const;
  });
  const tables = Object.entries(to.tables)
    .map(([name, changes]) => [name, perLife(from.tables[name] ?? UNCHANGED, changes, lives)] as const)
    .filter(([, { inserted, updated, deleted }]) => inserted + updated + deleted >= LEAST_CHANGES);
  return {
    cpuMs: Object.fromEntries(cpuMs),
    walBytes: (to.walBytes - from.walBytes) / lives,
    fullPageImages: (to.fullPageImages - from.fullPageImages) / lives,
    tables: Object.fromEntries(tables),
  };
}
