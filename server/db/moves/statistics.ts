// The planner's statistics of tables that a merchant arrives in.
import type { Owner } from "./owner";
import type { MovedTable } from "./shape";

/**
 * Renews the statistics of a table, as after any load of rows. Autovacuum would do it within a minute; until then the planner
 * takes the merchant for one that has no rows. Does nothing while another session maintains the table.
 */
export async function renewStatistics(owner: Owner, { name }: MovedTable): Promise<void> {
  await owner.query(`ANALYZE (SKIP_LOCKED) ${name}`);
}
