// CPU time of the database server.
import { cpuSecondsWithChildren, parentOf } from "./proc";
import type { Stage } from "./stage";

/** CPU seconds of the database so far. */
export async function databaseSeconds({ database }: Stage): Promise<number | null> {
  const [row] = await database.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  const postmaster = row ? parentOf(row.pid) : null;
  return postmaster === null ? null : cpuSecondsWithChildren(postmaster);
}
