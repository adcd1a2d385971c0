// Through a real PgBouncer: transactions of many clients share a few sessions of the server, and nothing may pass between them.
import type { Socket } from "node:net";
import { Client, type PoolClient } from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { hasPgBouncer, type PgBouncer, passesNamesOn, startPgBouncer } from "@/e2e/support/postgres/pgbouncer";
import { provideRuntime } from "@/server/platform/env";
import { log } from "@/server/platform/log";
import { acrossMerchants, withinMerchant, withinMerchants } from "@/server/platform/reach";
import { withoutIdempotency } from "@/server/services/idempotency/completion";
import { createPaymentIntent } from "@/server/services/payments/create";
import { addressOf } from "@/server/testing/databases";
import { requireInvariants } from "@/server/testing/invariants";
import { makeMerchant, payment, type TestMerchant } from "@/server/testing/merchant";
import { disconnect, inSnapshot, inTransaction, pool, prisma, query } from "./client";
import { checkDirectAddress, checkPooler, checkSettings } from "./connection-check";
import { RESTRICTED_ROLE } from "./reach-client";
import { FOR_REPORTS, FOR_REQUESTS } from "./session-settings";

const direct = process.env.DATABASE_URL ?? "";
const SESSIONS = 3;
const CALLS = 300;

const without = !hasPgBouncer();
const poolers: PgBouncer[] = [];
const raw: Client[] = [];

async function pooled(...settings: Parameters<typeof startPgBouncer>): Promise<string> {
  const pooler = await startPgBouncer(...settings);
  poolers.push(pooler);
  return pooler.url;
}

async function connected(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  raw.push(client);
  return client;
}

async function closeAll(): Promise<void> {
  await disconnect();
  await Promise.all(raw.splice(0).map((client) => client.end().catch(() => {})));
  await Promise.all(poolers.splice(0).map((pooler) => pooler.stop()));
}

/** Runs statements of several clients until it is stopped. */
async function makeBusy(url: string): Promise<() => Promise<void>> {
  const clients = await Promise.all(Array.from({ length: 6 }, () => connected(url)));
  let isBusy = true;
  const ends = clients.map(async (client) => {
    while (isBusy) await client.query("SELECT pg_sleep(0.002)::text");
  });
  return async () => {
    isBusy = false;
    await Promise.all(ends);
  };
}

/** Runs the SQL in every session of the pooler: transactions that are open at once hold all of them. */
async function inEverySession<Row>(url: string, sql: string): Promise<Row[]> {
  const clients = await Promise.all(Array.from({ length: SESSIONS }, () => connected(url)));
  await Promise.all(clients.map((client) => client.query("BEGIN")));
  const answers = await Promise.all(clients.map((client) => client.query(sql)));
  await Promise.all(clients.map((client) => client.query("COMMIT")));
  return answers.flatMap(({ rows }) => rows as Row[]);
}

describe("the check of the pooler at the start", () => {
  afterEach(closeAll);

  it("accepts a direct connection; warns if its statements have no names for nothing", async () => {
    const warn = vi.spyOn(log(), "warn").mockImplementation(() => {});
    await checkPooler(direct, "named");
    expect(warn).not.toHaveBeenCalled();
    await checkPooler(direct, "unnamed");
    expect(warn).toHaveBeenCalledWith(expect.stringContaining("DATABASE_STATEMENTS=unnamed"));
    warn.mockRestore();
  });

  it.skipIf(without)("accepts a pooler of sessions (skipped: needs pgbouncer)", async () => {
    const url = await pooled(direct, { mode: "session" });
    await expect(checkPooler(url, "named")).resolves.toBeUndefined();
    await expect(checkPooler(url, "unnamed")).resolves.toBeUndefined();
  });

  it.skipIf(without)("accepts statements without names in transaction mode (skipped: needs pgbouncer)", async () => {
    for (const sessions of [1, 2]) {
      const url = await pooled(direct, { mode: "transaction", sessions });
      await expect(checkPooler(url, "unnamed")).resolves.toBeUndefined();
    }
  });

  it.skipIf(without || passesNamesOn())(
    "rejects names that do not reach every session, also while others use the pooler (skipped: needs pgbouncer before 1.21)",
    async () => {
      const fault = /set DATABASE_STATEMENTS=unnamed, or max_prepared_statements/;
      for (const sessions of [1, 2, 5]) {
        const url = await pooled(direct, { mode: "transaction", sessions });
        await expect(checkPooler(url, "named")).rejects.toThrow(fault);
        const rest = await makeBusy(url);
        for (let n = 0; n < 5; n += 1) await expect(checkPooler(url, "named")).rejects.toThrow(fault);
        await rest();
      }
    },
  );

  it.skipIf(without || !passesNamesOn())("accepts names that do (skipped: needs pgbouncer 1.21)", async () => {
    for (const sessions of [1, 2]) {
      const url = await pooled(direct, { mode: "transaction", sessions });
      await expect(checkPooler(url, "named")).resolves.toBeUndefined();
    }
  });

  it.skipIf(without)("rejects what allows no transactions (skipped: needs pgbouncer)", async () => {
    const url = await pooled(direct, { mode: "statement" });
    await expect(checkPooler(url, "unnamed")).rejects.toThrow(/set pool_mode=transaction/);
  });

  it.skipIf(without)("names the parameter that the pooler rejects (skipped: needs pgbouncer)", async () => {
    const url = await pooled(direct, { mode: "transaction" });
    const withOptions = `${url}?options=${encodeURIComponent("-c search_path=public")}`;
    await expect(checkPooler(withOptions, "unnamed")).rejects.toThrow(/remove options from the address/);
  });

  it("rejects a direct address of another database", async () => {
    await checkDirectAddress(direct);
    await expect(checkDirectAddress(addressOf(direct, "postgres"))).rejects.toThrow("name different databases");
  });

  it("rejects statements that run under other settings", async () => {
    await checkSettings();
    const fault = /lock_timeout is 2s instead of 9s/;
    await expect(checkSettings({ ...FOR_REQUESTS, lock_timeout: "9s" })).rejects.toThrow(fault);
  });
});

const NAMINGS = passesNamesOn() ? (["unnamed", "named"] as const) : (["unnamed"] as const);

describe.skipIf(without).each(NAMINGS)("%s statements in transaction mode (skipped: needs pgbouncer)", (statements) => {
  let [a, b]: TestMerchant[] = [];
  let url: string;

  beforeAll(async () => {
    [a, b] = [await makeMerchant(), await makeMerchant()];
    await disconnect();
    url = await pooled(direct, { mode: "transaction", sessions: SESSIONS });
    process.env.DATABASE_STATEMENTS = statements;
    provideRuntime({ databaseUrl: url });
  });
  afterAll(async () => {
    await closeAll();
    delete process.env.DATABASE_STATEMENTS;
    provideRuntime({ databaseUrl: direct });
  });

  const MERCHANTS = "SELECT DISTINCT merchant_id AS id FROM api_key ORDER BY 1";
  const merchants = (): readonly [TestMerchant, TestMerchant] => {
    if (!a || !b) throw new Error("there are no merchants");
    return [a, b];
  };

  /** Every way to the database, in a varying order; returns the merchants that it reached. */
  const ways: readonly (() => Promise<readonly string[]>)[] = [
    async () => (await query<{ id: string }>(MERCHANTS)).map(({ id }) => id),
    async () => (await prisma().apiKey.findMany()).map(({ merchantId }) => merchantId),
    async () => (await pool().query<{ id: string }>(MERCHANTS)).rows.map(({ id }) => id),
    () =>
      inTransaction(async (transaction) => {
        const before = await transaction.query<{ id: string }>(MERCHANTS);
        const after = await transaction.query<{ id: string }>("SELECT id FROM merchant ORDER BY id");
        return [...before, ...after].map(({ id }) => id);
      }),
    () => inSnapshot(async (transaction) => (await transaction.query<{ id: string }>(MERCHANTS)).map(({ id }) => id)),
    async () => {
      await query("SELECT 1 / $1::int", 0).catch(() => {});
      await query("SELECT no_such_column FROM merchant").catch(() => {});
      return [];
    },
  ];

  async function expectApart(): Promise<void> {
    const [mine, theirs] = merchants().map(({ merchantId }) => merchantId) as [string, string];
    const reaches = [[mine], [theirs], [mine, theirs]];
    const calls = Array.from({ length: CALLS }, async (_, n) => {
      const reach = reaches[n % 3] as string[];
      const found = await withinMerchants(reach, ways[n % ways.length] as () => Promise<readonly string[]>);
      expect([...new Set(found)].filter((id) => !reach.includes(id))).toEqual([]);
      return found.length;
    });
    const rows = await Promise.all(calls);
    expect(rows.filter((count) => count > 0).length).toBeGreaterThan(CALLS / 2);
  }

  it("a statement reaches its own merchants only, whichever session runs it", expectApart);

  it("what another client sets on the sessions changes nothing", async () => {
    await inEverySession(
      url,
      `SET sluice.reach = '*'; SET statement_timeout = 0; SET lock_timeout = 0; SET timezone = 'Asia/Tokyo';
       SET enable_hashjoin = on; SET ROLE ${RESTRICTED_ROLE}`,
    );
    await expectApart();
    for (let n = 0; n < 10; n += 1) await checkSettings();
    await inEverySession(url, "RESET ALL; RESET ROLE");
  });

  it("statements, transactions and reports run under their settings, and leave none behind", async () => {
    await checkSettings();
    const names = Object.keys({ ...FOR_REQUESTS, ...FOR_REPORTS });
    const shownWith = (read: <Row>(sql: string, ...values: unknown[]) => Promise<Row[]>) =>
      read<{ name: string; value: string }>(
        "SELECT name, current_setting(name) AS value FROM unnest($1::text[]) AS setting(name)",
        names,
      ).then((rows) => Object.fromEntries(rows.map(({ name, value }) => [name, value])));
    expect(await inTransaction((transaction) => shownWith(transaction.query))).toMatchObject(FOR_REQUESTS);
    expect(await inSnapshot((transaction) => shownWith(transaction.query))).toMatchObject(FOR_REPORTS);
    const own = `SELECT ${names.map((name) => `current_setting('${name}') AS ${name}`).join(", ")},
      coalesce(current_setting('sluice.reach', true), '') AS reach, current_user = session_user AS own`;
    const untouched = (await (await connected(direct)).query<object>(own)).rows[0];
    expect(untouched).toMatchObject({ reach: "", own: true });
    expect(await inEverySession(url, own)).toEqual(Array.from({ length: SESSIONS }, () => untouched));
  });

  it("a statement that waits for a lock, or runs too long, is ended by the server", async () => {
    const holder = await connected(direct);
    await holder.query("BEGIN; LOCK TABLE merchant IN ACCESS EXCLUSIVE MODE");
    const [locked, slow] = await Promise.allSettled([
      query("SELECT count(*) FROM merchant"),
      query("SELECT pg_sleep(30)::text"),
    ]);
    await holder.query("ROLLBACK");
    expect(locked).toMatchObject({ status: "rejected", reason: { code: "55P03" } });
    expect(slow).toMatchObject({ status: "rejected", reason: { code: "57014" } });
  });

  it("a client that breaks in a transaction leaves its reach to nobody", async () => {
    const [mine] = merchants();
    for (let n = 0; n < SESSIONS; n += 1) {
      const client = (await pool().connect()) as PoolClient & { readonly connection: { readonly stream: Socket } };
      client.on("error", () => {});
      await client.query("BEGIN");
      await acrossMerchants(() => client.query("SELECT count(*) FROM merchant"));
      client.connection.stream.destroy();
      client.release(new Error("broken"));
      const read = ways[0] as () => Promise<readonly string[]>;
      expect(await withinMerchant(mine.merchantId, read)).toEqual([mine.merchantId]);
    }
    await expectApart();
  });

  it("creates of two merchants at once stay apart, and every invariant holds", async () => {
    const create = (merchant: TestMerchant) =>
      withinMerchant(merchant.merchantId, () => createPaymentIntent(merchant.context, payment(), withoutIdempotency()));
    const both = merchants();
    const made = await Promise.all(Array.from({ length: 40 }, (_, n) => create(both[n % 2] as TestMerchant)));
    for (const { merchantId } of both) {
      const own = made.filter(({ intent }) => intent.merchantId === merchantId);
      const stored = await withinMerchant(merchantId, () => query("SELECT FROM payment_intent"));
      expect([own.length, stored.length]).toEqual([20, 20]);
    }
    await requireInvariants();
  });
});
