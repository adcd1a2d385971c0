// While two cells are compared, neither drops a partition of its logs: no trigger notes rows that go with it.
import type { Owner } from "./owner";

const LOGS = ["api_log", "delivery_attempt"];

/** Keeps `keep_log_partitions` from doing anything until the session ends or lets it. Throws if it runs just now. */
export async function holdLogPartitions(owner: Owner): Promise<void> {
  await owner.query(
    "SELECT pg_advisory_lock(hashtext('keep_log_partitions'), hashtext(log)) FROM unnest($1::text[]) AS log",
    LOGS,
  );
}

/** Lets it go on. */
export async function releaseLogPartitions(owner: Owner): Promise<void> {
  await owner.query(
    "SELECT pg_advisory_unlock(hashtext('keep_log_partitions'), hashtext(log)) FROM unnest($1::text[]) AS log",
    LOGS,
  );
}
