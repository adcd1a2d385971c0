// Two cells in one process: two real databases, each with merchants of its own.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasFailedSince, isDatabaseOutage } from "@/server/db/failures";
import { allCells, type Cell, inCell, inEachCell, OutOfCell } from "@/server/platform/cell";
import { now } from "@/server/platform/clock";
import { OutOfReach, withinMerchant } from "@/server/platform/reach";
import { createShortCache } from "@/server/platform/short-cache";
import { withoutIdempotency } from "@/server/services/idempotency/completion";
import { createPaymentIntent } from "@/server/services/payments/create";
import { createPayoutIntent } from "@/server/services/payouts/create";
import { addressOf } from "@/server/testing/databases";
import { requireInvariants } from "@/server/testing/invariants";
import { balanceOf, makeMerchant, OPENING, payment, payout, type TestMerchant } from "@/server/testing/merchant";
import { disconnect, inLongTransaction, inSnapshot, inTransaction, pool, prisma, query } from "./client";
import { createMerchantBatcher } from "./merchant-batcher";
import { configureCells, openTwoCells, SECOND_CELL, type TwoCells } from "./testing/second-cell";

let cells: TwoCells;
let ours: TestMerchant;
let theirs: TestMerchant;

beforeAll(async () => {
  cells = await openTwoCells();
  ours = await inCell(cells.first, () => makeMerchant());
  theirs = await inCell(cells.second, () => makeMerchant());
});

afterAll(async () => {
  await inEachCell(requireInvariants);
  await disconnect();
  await cells.end();
});

const DATABASE = "SELECT current_database()::text AS name";
const read = async () => (await query<{ name: string }>(DATABASE))[0]?.name;
const nameOf = ({ databaseUrl }: Cell) => new URL(databaseUrl ?? "").pathname.slice(1);

function create(merchant: TestMerchant) {
  return createPaymentIntent(merchant.context, payment(), withoutIdempotency());
}

async function merchantsIn(cell: Cell): Promise<string[]> {
  const rows = await inCell(cell, () => query<{ id: string }>("SELECT id FROM merchant"));
  return rows.map(({ id }) => id);
}

describe("a statement", () => {
  it("runs in the database of its work's cell, by every way there is", async () => {
    for (const cell of [cells.first, cells.second]) {
      const name = nameOf(cell);
      const ways = [
        read,
        () => inTransaction(async (transaction) => (await transaction.query<{ name: string }>(DATABASE))[0]?.name),
        () => inSnapshot(async (transaction) => (await transaction.query<{ name: string }>(DATABASE))[0]?.name),
        () => inLongTransaction(async (transaction) => (await transaction.query<{ name: string }>(DATABASE))[0]?.name),
        async () => (await pool().query<{ name: string }>(DATABASE)).rows[0]?.name,
      ];
      expect(await inCell(cell, () => Promise.all(ways.map((way) => way())))).toEqual(ways.map(() => name));
    }
  });

  it("without a cell fails before it reaches a database, by every way there is", async () => {
    const ways = [
      () => query(DATABASE),
      async () => inTransaction(async () => {}),
      async () => inSnapshot(async () => {}),
      async () => inLongTransaction(async () => {}),
      async () => pool(),
      async () => prisma(),
    ];
    for (const way of ways) await expect(way()).rejects.toThrow(OutOfCell);
  });

  it("keeps its cell across timers and other work's turns", async () => {
    const order = [cells.first, cells.second, cells.second, cells.first, cells.second, cells.first];
    const slowly = async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      const [row] = await query<{ name: string }>(`${DATABASE} FROM pg_sleep(0.01)`);
      return row?.name;
    };
    const many = [...order, ...order, ...order, ...order];
    expect(await Promise.all(many.map((cell) => inCell(cell, slowly)))).toEqual(many.map(nameOf));
  });
});

describe("work in a cell", () => {
  it("cannot go on in another one, and may name its own again", async () => {
    await inCell(cells.first, async () => {
      expect(() => inCell(cells.second, () => {})).toThrow(OutOfCell);
      expect(await inCell(cells.first, read)).toBe(nameOf(cells.first));
    });
  });

  it("sees no merchant of another cell and changes none", async () => {
    expect(await merchantsIn(cells.first)).not.toContain(theirs.merchantId);
    expect(await merchantsIn(cells.second)).toEqual([theirs.merchantId]);
    const byModel = (cell: Cell) => inCell(cell, () => prisma().merchant.findMany({ select: { id: true } }));
    expect(await byModel(cells.second)).toEqual([{ id: theirs.merchantId }]);
    expect(await byModel(cells.first)).not.toContainEqual({ id: theirs.merchantId });
    const rename = () => query("UPDATE merchant SET name = 'taken' WHERE id = $1 RETURNING id", theirs.merchantId);
    expect(await inCell(cells.first, () => withinMerchant(theirs.merchantId, rename))).toEqual([]);
    await expect(inCell(cells.first, () => create(theirs))).rejects.toMatchObject({ code: "not_found" });
    const [row] = await inCell(cells.second, () => query<{ name: string }>("SELECT name FROM merchant"));
    expect(row?.name).toBe("Test merchant");
  });

  it("of both cells at once commits each unit in its own, though batches gather at the same moment", async () => {
    const each = OPENING / 20n;
    const pay = (merchant: TestMerchant) =>
      createPayoutIntent(merchant.context, payout({ amount: String(each) }), withoutIdempotency());
    const results = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        n % 2 === 0
          ? inCell(cells.first, () => Promise.all([create(ours), pay(ours)]))
          : inCell(cells.second, () => Promise.all([create(theirs), pay(theirs)])),
      ),
    );
    expect(results).toHaveLength(40);
    for (const [cell, merchant] of [
      [cells.first, ours],
      [cells.second, theirs],
    ] as const) {
      const counts = await inCell(cell, () =>
        query<{ merchant: string; payments: number; payouts: number }>(
          `SELECT m.id AS merchant, (SELECT count(*)::int FROM payment_intent p WHERE p.merchant_id = m.id) AS payments,
                  (SELECT count(*)::int FROM payout_intent p WHERE p.merchant_id = m.id) AS payouts
           FROM merchant m WHERE id = ANY($1)`,
          [ours.merchantId, theirs.merchantId],
        ),
      );
      expect(counts).toEqual([{ merchant: merchant.merchantId, payments: 20, payouts: 20 }]);
      expect(await inCell(cell, () => balanceOf(merchant))).toEqual([0n, OPENING]);
    }
  });

  it("still needs a reach", async () => {
    const batcher = createMerchantBatcher<string, string>({
      merchantOf: (id) => id,
      run: async (ids) => ids,
      isAttributable: () => false,
      maximumSize: 4,
    });
    const misnamed = () => withinMerchant(theirs.merchantId, () => batcher.add(ours.merchantId));
    expect(() => inCell(cells.second, misnamed)).toThrow(OutOfReach);
    expect(() => withinMerchant(ours.merchantId, () => batcher.add(ours.merchantId))).toThrow(OutOfCell);
  });
});

describe("what a process remembers", () => {
  it("of one cell is never the answer in another", async () => {
    const cache = createShortCache<string>("cells-test");
    const get = (cell: Cell, value: string) => inCell(cell, () => cache.get("key", async () => value));
    expect([await get(cells.first, "one"), await get(cells.second, "two")]).toEqual(["one", "two"]);
    expect([await get(cells.first, "new"), await get(cells.second, "new")]).toEqual(["one", "two"]);
    inCell(cells.first, () => cache.forget("key"));
    expect([await get(cells.first, "three"), await get(cells.second, "new")]).toEqual(["three", "two"]);
  });

  it("each cell goes by its own database's clock", async () => {
    const { noteDatabaseTime } = await import("@/server/platform/clock");
    const [first, second] = [Date.UTC(2031, 0, 1), Date.UTC(2032, 0, 1)];
    const note = (at: number) => noteDatabaseTime(at, performance.now(), performance.now());
    inCell(cells.first, () => note(first));
    inCell(cells.second, () => note(second));
    expect(inCell(cells.first, now).getUTCFullYear()).toBe(2031);
    expect(inCell(cells.second, now).getUTCFullYear()).toBe(2032);
    expect(now().getUTCFullYear()).toBe(2031);
    // The databases contradict what the test said.
    delete (globalThis as { sluiceClocks?: unknown }).sluiceClocks;
  });
});

describe("a cell that is down", () => {
  it("fails its own work as an outage, soon, and no other", async () => {
    const { databaseUrl } = cells.second;
    const closed = new URL(addressOf(databaseUrl ?? "", "nothing"));
    closed.port = "9";
    await disconnect();
    configureCells([{ ...SECOND_CELL, url: closed.href }]);
    try {
      const [, down] = allCells();
      const startedAt = performance.now();
      const lost = inCell(down as Cell, () => query("SELECT 1")).then(
        () => null,
        (error: unknown) => error,
      );
      const served = await Promise.all(Array.from({ length: 20 }, () => inCell(cells.first, () => create(ours))));
      expect(served).toHaveLength(20);
      expect(isDatabaseOutage(await lost)).toBe(true);
      expect(inCell(cells.second, () => hasFailedSince(startedAt))).toBe(true);
      expect(inCell(cells.first, () => hasFailedSince(startedAt))).toBe(false);
      expect(hasFailedSince(startedAt)).toBe(true);
    } finally {
      await disconnect();
      configureCells([{ ...SECOND_CELL, url: databaseUrl ?? "" }]);
    }
    expect(await inCell(cells.second, read)).toBe(nameOf(cells.second));
  });

  it("that accepts connections and never answers holds no connection of another", async () => {
    let areStuck = true;
    const stuck = Array.from({ length: 12 }, () => inCell(cells.second, () => query("SELECT pg_sleep(3)::text")));
    const ended = Promise.allSettled(stuck).then(() => {
      areStuck = false;
    });
    await Promise.all(Array.from({ length: 20 }, () => inCell(cells.first, read)));
    expect(areStuck).toBe(true);
    await ended;
  });
});
