// Replicas of a cell that may take its place. One that lacks a move would bring the merchant back to where it was.
import type { Owner } from "./owner";

/** A replica that is connected now. */
export interface Standby {
  /** The process that sends to it. */
  readonly pid: number;
  readonly name: string;
}

/** How far the cell's log is written now. */
export async function readLogPosition(owner: Owner): Promise<string> {
  const [row] = await owner.query<{ position: string }>("SELECT pg_current_wal_lsn()::text AS position");
  return row?.position ?? "0/0";
}

const BEHIND = `
  SELECT r.pid, coalesce(nullif(r.application_name, ''), 'unnamed') AS name FROM pg_stat_replication r
  WHERE r.state <> 'backup' AND r.application_name !~ 'receive_?wal|pg_basebackup'
    AND coalesce(r.flush_lsn < $1::pg_lsn, true)
    AND NOT EXISTS (SELECT FROM pg_replication_slots s WHERE s.active_pid = r.pid AND s.slot_type = 'logical')
  ORDER BY r.pid`;

/**
 * The replicas that have not stored the log up to that position. Backups, archives of the log (`pg_receivewal`, Barman's
 * `receive-wal`) and logical subscribers do not count: none of them takes the cell's place.
 */
export function listStandbysBehind(owner: Owner, position: string): Promise<Standby[]> {
  return owner.query<Standby>(BEHIND, position);
}
