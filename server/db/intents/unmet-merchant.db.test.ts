// Owns the proof that a row is looked up by its key also for a merchant that the planner's statistics have not met.
import { afterAll, expect, it } from "vitest";
import { disconnect, prisma } from "../client";

afterAll(disconnect);

/** A table of another merchant's rows, with an index that promises as little for an unknown merchant as the key does. */
const TABLE = [
  `CREATE TEMP TABLE met (merchant_id text, environment text, id text, reference text, PRIMARY KEY (merchant_id, id))
   ON COMMIT DROP`,
  "INSERT INTO met SELECT 'one', 'test', 'id-' || n, 'r-' || n FROM generate_series(1, 5000) n",
  "CREATE INDEX met_reference ON met (merchant_id, environment, reference)",
  "ANALYZE met",
  `PREPARE find(text, text, text) AS
   SELECT * FROM met WHERE merchant_id = $1 AND environment = $2 AND id = $3`,
];

async function planOf(...settings: string[]): Promise<string> {
  const lines = await prisma().$transaction(async (transaction) => {
    for (const statement of [...settings, ...TABLE]) await transaction.$executeRawUnsafe(statement);
    const plan = await transaction.$queryRawUnsafe<{ "QUERY PLAN": string }[]>(
      "EXPLAIN EXECUTE find('another', 'test', 'id-1')",
    );
    await transaction.$executeRawUnsafe("DEALLOCATE find");
    return plan;
  });
  return lines.map((line) => line["QUERY PLAN"]).join("\n");
}

it("the service's connections find it by the primary key", async () => {
  expect(await planOf()).toContain("using met_pkey");
});

it("a plan made for the very merchant would read all of its rows", async () => {
  expect(await planOf("SET LOCAL plan_cache_mode = force_custom_plan")).toContain("using met_reference");
});
