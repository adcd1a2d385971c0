// The partitions of the logs: made ahead, dropped once all their rows are old, and reached through their log alone.
import { Client } from "pg";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { idBoundAt } from "@/server/platform/ids";
import { withinMerchant } from "@/server/platform/reach";
import { makeMerchant, type TestMerchant } from "@/server/testing/merchant";
import { queryAsOwner } from "@/server/testing/owner";
import { disconnect, query } from "./client";
import { keepLogPartitionsAcrossMerchants, type PartitionedLog } from "./log-partitions";

const DAY_MS = 86_400_000;
const LOGS = ["api_log", "delivery_attempt"] as const;
const KEPT = { api_log: 7, delivery_attempt: 30 } as const;

/** Tests move forward in time, each from where the one before has ended. */
let today = new Date();
const inDays = (days: number) => new Date(today.getTime() + days * DAY_MS);

let merchant: TestMerchant;
beforeEach(async () => {
  merchant = await makeMerchant();
});
afterAll(disconnect);

async function keepAt(log: PartitionedLog, at: Date, days: number = KEPT[log]): Promise<number> {
  const [row] = await queryAsOwner<{ changed: number }>(
    "SELECT keep_log_partitions_at($1, $2, $3) AS changed",
    log,
    days,
    at,
  );
  return row?.changed ?? Number.NaN;
}

/** Lets days pass, one by one. */
async function passDays(days: number): Promise<void> {
  for (let day = 1; day <= days; day += 1) for (const log of LOGS) await keepAt(log, inDays(day));
  today = inDays(days);
}

const partitionsOf = (log: string) =>
  queryAsOwner<{ name: string; ends_at: Date }>(
    "SELECT name, ends_at FROM log_partition WHERE log = $1 ORDER BY ends_at",
    log,
  );

let number = 0;
function idAt(kind: "request" | "delivery", at: Date): string {
  number += 1;
  return idBoundAt(kind, at) + String(number).padStart(16, "0");
}

/** A request of that time, whose id may say another time; returns the id. */
async function logAt(at: Date, idSays = at): Promise<string> {
  const id = idAt("request", idSays);
  await query(
    `INSERT INTO api_log (merchant_id, environment, id, api_key_id, method, route, path, status, duration_us, address, created_at)
     VALUES ($1, 'test', $2, 'key_1', 'GET', '', '/', 200, 1, '', $3::timestamptz)`,
    merchant.merchantId,
    id,
    at,
  );
  return id;
}

/** Attempts at a delivery at those times, under an event and an endpoint that do not exist. */
const attemptAt = (deliveryId: string, ...times: readonly Date[]) =>
  queryAsOwner(
    `SET session_replication_role = replica;
     INSERT INTO delivery (merchant_id, id, environment, endpoint_id, event_id, state, attempts, created_at, ended_at)
     VALUES ('${merchant.merchantId}', '${deliveryId}', 'test', 'we_1', '${deliveryId}', 'delivered', 2, now(), now());
     INSERT INTO delivery_attempt (merchant_id, delivery_id, ordinal, status, duration_ms, request_headers, response_body,
                                   attempted_at, endpoint_id)
     SELECT '${merchant.merchantId}', '${deliveryId}', ordinal, 200, 1, '{}', '', at, 'we_1'
     FROM unnest('{${times.map((at) => at.toISOString()).join()}}'::timestamptz[]) WITH ORDINALITY AS t(at, ordinal)`,
  );

async function placeOf(log: PartitionedLog, id: string): Promise<string | undefined> {
  const column = log === "api_log" ? "id" : "delivery_id";
  const rows = await queryAsOwner<{ place: string }>(
    `SELECT tableoid::regclass::text AS place FROM ${log} WHERE ${column} = $1`,
    id,
  );
  return rows[0]?.place;
}

describe("ids and times", () => {
  it.each(["2026-11-26T05:06:07.089Z", "1970-01-01T00:00:00.000Z", "2999-12-31T23:59:59.999Z"])(
    "the database makes the bound that the service makes: %s",
    async (text) => {
      const at = new Date(text);
      const [row] = await query<{ bound: string; time: Date }>(
        "SELECT id_bound_at('req_', $1::timestamptz) AS bound, id_time(id_bound_at('req_', $1::timestamptz)) AS time",
        at,
      );
      expect(row).toEqual({ bound: idBoundAt("request", at), time: at });
    },
  );
});

describe("partitions", () => {
  it("are made ahead without a gap, and seventeen at most are there after two months", async () => {
    await passDays(60);
    for (const log of LOGS) {
      const rows = await partitionsOf(log);
      expect(rows.length).toBeGreaterThan(7);
      expect(rows.length).toBeLessThanOrEqual(17);
      expect(rows.at(-1)?.ends_at.getTime()).toBeGreaterThan(inDays(1).getTime());
      expect(await keepAt(log, today)).toBe(0);
    }
  });

  it("are dropped when their rows are older than is kept, and not before", async () => {
    const id = await logAt(today);
    const place = (await placeOf("api_log", id)) ?? "";
    expect(place).toMatch(/^api_log_\d{8}$/);
    await passDays(7);
    expect(await placeOf("api_log", id)).toBe(place);
    await passDays(1);
    expect(await placeOf("api_log", id)).toBeUndefined();
    expect((await partitionsOf("api_log")).map(({ name }) => name)).not.toContain(place);
  });

  it("leave the attempts of a delivery that was sent again long after for as long as others", async () => {
    const deliveryId = idAt("delivery", today);
    const first = today;
    await passDays(25);
    await attemptAt(deliveryId, first, today);
    await passDays(20);
    const ordinals = () =>
      query<{ ordinal: number }>("SELECT ordinal FROM delivery_attempt WHERE delivery_id = $1", deliveryId);
    expect(await ordinals()).toEqual([{ ordinal: 2 }]);
    expect(await placeOf("delivery_attempt", deliveryId)).toBe("delivery_attempt_default");
    await passDays(11);
    expect(await ordinals()).toEqual([]);
  });
});

describe("rows without a partition", () => {
  it("of a process whose clock is wrong, or of days without a worker, are stored and found", async () => {
    const ids = [await logAt(today, inDays(400)), await logAt(inDays(5))];
    for (const id of ids) {
      expect(await placeOf("api_log", id)).toBe("api_log_default");
      expect(await query("SELECT id FROM api_log WHERE merchant_id = $1 AND id = $2", merchant.merchantId, id)).toEqual(
        [{ id }],
      );
    }
    // A worker is there again.
    today = inDays(5);
    await keepAt("api_log", today);
    expect(await placeOf("api_log", ids[1] ?? "")).toMatch(/^api_log_\d{8}$/);
    expect(await placeOf("api_log", ids[0] ?? "")).toBe("api_log_default");
    await passDays(3);
    expect(await placeOf("api_log", ids[0] ?? "")).toBeUndefined();
  });

  it("move while others are recorded, and none is lost", async () => {
    const at = inDays(6);
    const before = await Promise.all(Array.from({ length: 200 }, () => logAt(at)));
    const [, ...meanwhile] = await Promise.all([
      keepAt("api_log", at),
      ...Array.from({ length: 200 }, () => logAt(at)),
    ]);
    const [row] = await query<{ count: number }>(
      "SELECT count(*)::int AS count FROM api_log WHERE id = ANY($1::text[])",
      [...before, ...meanwhile],
    );
    expect(row?.count).toBe(400);
    today = at;
  });
});

describe("a call", () => {
  it("gives up where a lock is held, changes nothing, and the next one goes on", async () => {
    const holder = new Client({ connectionString: process.env.DATABASE_URL });
    await holder.connect();
    await holder.query("BEGIN; SELECT FROM api_log LIMIT 1");
    const before = await partitionsOf("api_log");
    await expect(keepAt("api_log", inDays(30))).rejects.toMatchObject({ code: "55P03" });
    expect(await partitionsOf("api_log")).toEqual(before);
    await holder.end();
    expect(await keepAt("api_log", inDays(30))).toBeGreaterThan(0);
    today = inDays(30);
  });

  it("beside another one does nothing", async () => {
    const at = inDays(60);
    const changed = await Promise.all(Array.from({ length: 8 }, () => keepAt("delivery_attempt", at)));
    expect(changed.filter((count) => count > 0)).toHaveLength(1);
    today = at;
  });

  it("of the service's role keeps both logs", async () => {
    for (const log of LOGS) expect(await keepLogPartitionsAcrossMerchants(log, 10_000)).toBeGreaterThanOrEqual(0);
    await expect(keepLogPartitionsAcrossMerchants("payment_intent" as PartitionedLog, 7)).rejects.toThrow(
      "no log of that name",
    );
    await expect(keepLogPartitionsAcrossMerchants("api_log", -1)).rejects.toThrow("no number of days");
  });
});

it("the service reaches a partition through its log alone", async () => {
  const id = await logAt(today);
  const place = (await placeOf("api_log", id)) ?? "";
  const unguarded = "SELECT relname FROM pg_class WHERE relispartition AND relkind = 'r' AND NOT relrowsecurity";
  expect(await queryAsOwner(unguarded)).toEqual([]);
  await queryAsOwner(`GRANT ALL ON ${place} TO sluice_app`);
  const read = (table: string) =>
    withinMerchant(merchant.merchantId, () => query(`SELECT id FROM ${table} WHERE id = '${id}'`));
  expect(await read("api_log")).toEqual([{ id }]);
  expect(await read(place)).toEqual([]);
  await expect(query(`INSERT INTO ${place} SELECT * FROM api_log WHERE id = $1`, id)).rejects.toThrow(
    "row-level security",
  );
  const other = await makeMerchant();
  expect(await withinMerchant(other.merchantId, () => query("SELECT id FROM api_log WHERE id = $1", id))).toEqual([]);
});
