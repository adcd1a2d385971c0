// Proves that the pool survives what happens to connections: broken ones are replaced, waiting has an end.
import { Client } from "pg";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { log } from "@/server/platform/log";
import { disconnect, isDatabaseReachable, prisma, query } from "./client";
import { isDatabaseOutage } from "./failures";
import { createPool } from "./pool";
import { FOR_REQUESTS } from "./session-settings";

let other: Client;

beforeAll(async () => {
  other = new Client(process.env.DATABASE_URL);
  await other.connect();
});

afterAll(async () => {
  await other.end();
  await disconnect();
});

async function breakOtherConnections(): Promise<void> {
  await other.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
  );
}

it("idle connections that break are replaced; the process goes on", async () => {
  await Promise.all(Array.from({ length: 5 }, () => query("SELECT pg_sleep(0.05)::text")));
  await breakOtherConnections();
  await expect.poll(() => query("SELECT 1 AS one").catch(() => null)).toEqual([{ one: 1 }]);
});

it("reports a connection that breaks while idle, and none that breaks while the pool closes", async () => {
  const settings = { max: 1, session: FOR_REQUESTS, statements: "named" as const, statementEndsWithinMs: 4_000 };
  const pool = createPool(process.env.DATABASE_URL ?? "", settings);
  const warn = vi.spyOn(log(), "warn").mockImplementation(() => {});
  const client = await pool.connect();
  client.release();
  const broken = new Error("terminating connection due to administrator command");
  pool.emit("error", broken, client);
  expect(warn).toHaveBeenCalledTimes(1);
  const closed = pool.end();
  pool.emit("error", broken, client);
  await closed;
  expect(warn).toHaveBeenCalledTimes(1);
  warn.mockRestore();
});

it("a connection that breaks under a statement is an outage, not a fault, and the pool is whole again at once", async () => {
  const broken = query("SELECT pg_sleep(5)::text").catch((error: unknown) => error);
  const running = "SELECT count(*)::int AS count FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep(5)%'";
  await expect.poll(async () => (await other.query<{ count: number }>(running)).rows).toEqual([{ count: 1 }]);
  await breakOtherConnections();
  expect(isDatabaseOutage(await broken)).toBe(true);
  await expect.poll(isDatabaseReachable).toBe(true);
});

it("waiting for a lock ends as an outage instead of hanging the request", async () => {
  await other.query("BEGIN");
  await other.query("LOCK TABLE merchant IN ACCESS EXCLUSIVE MODE");
  const refused = await query("SELECT count(*) FROM merchant").catch((error: unknown) => error);
  const refusedModel = await prisma()
    .merchant.count()
    .catch((error: unknown) => error);
  await other.query("ROLLBACK");
  expect([refused, refusedModel].map(isDatabaseOutage)).toEqual([true, true]);
});

it("a pool whose connections are all busy refuses within seconds instead of queueing without end", async () => {
  const busy = Array.from({ length: 10 }, () => query("SELECT pg_sleep(3.4)::text"));
  const refused = await query("SELECT 1").catch((error: unknown) => error);
  expect(isDatabaseOutage(refused)).toBe(true);
  await Promise.all(busy);
});
