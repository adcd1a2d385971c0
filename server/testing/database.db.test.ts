// Tests that a test file has its own migrated database, which the service's modules use.
import { expect, it } from "vitest";
import { query } from "@/server/db/client";
import { env } from "@/server/platform/env";

it("the service's own modules connect to this file's copy", async () => {
  const [row] = await query<{ name: string }>("SELECT current_database() AS name");
  expect(row?.name).toMatch(/^sluice_test_[0-9a-f]{12}$/);
  expect(env().databaseUrl).toContain(row?.name);
});

it("the copy contains every migration and no rows", async () => {
  const [counts] = await query<{ migrations: number; merchants: number }>(
    `SELECT (SELECT count(*)::int FROM _prisma_migrations WHERE finished_at IS NOT NULL) AS migrations,
            (SELECT count(*)::int FROM merchant) AS merchants`,
  );
  expect(counts?.migrations).toBeGreaterThan(0);
  expect(counts?.merchants).toBe(0);
});
