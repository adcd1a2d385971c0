// Keeps the partitions of the logs, which are dropped as a whole when their rows are old.
import { queryAcrossMerchants } from "./client";

/** The tables that are partitioned by the time in their ids (docs/decisions/0078). */
export type PartitionedLog = "api_log" | "delivery_attempt";

/**
 * Makes the partitions of the next days and removes rows older than `keptDays`. Returns how much it changed; 0 means
 * that nothing is left to do, or that another process is doing it. Rejects where it would have to wait for a lock for
 * half a second; the next call goes on.
 */
export async function keepLogPartitionsAcrossMerchants(log: PartitionedLog, keptDays: number): Promise<number> {
  const [row] = await queryAcrossMerchants<{ changed: number }>(
    "SELECT keep_log_partitions($1, $2::int) AS changed",
    log,
    keptDays,
  );
  return row?.changed ?? 0;
}
