// A fenced merchant is out of reach of every statement, whatever the process believes; others notice nothing.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { allCells, type Cell } from "@/server/platform/cell";
import { withinMerchant, withinMerchants, withNobodysRows } from "@/server/platform/reach";
import { withoutIdempotency } from "@/server/services/idempotency/completion";
import { asServiceError } from "@/server/services/outage";
import { createPaymentIntent } from "@/server/services/payments/create";
import { requireInvariants } from "@/server/testing/invariants";
import { makeMerchant, payment, type TestMerchant } from "@/server/testing/merchant";
import { insertApiLog } from "./api-logs";
import { inTransaction, prisma, query, queryAcrossMerchants } from "./client";
import { hasFailedSince, hasMerchantLeft, isAttributable, isMerchantAway } from "./failures";
import { claimDueIntent } from "./testing/claims";
import { asOwnerOf, fence, unfence } from "./testing/move-by-hand";

let cell: Cell;
let mover: TestMerchant;
let neighbor: TestMerchant;

beforeEach(async () => {
  [cell] = allCells();
  [mover, neighbor] = [await makeMerchant(), await makeMerchant()];
});
afterEach(async () => {
  await unfence(cell, mover.merchantId).catch(() => {});
  await requireInvariants();
});

const close = (state: "arriving" | "closing" | "leaving" | "left") =>
  fence(cell, mover.merchantId, state, { ...cell, name: "eu2" });
const create = ({ merchantId, context }: TestMerchant) =>
  withinMerchant(merchantId, () => createPaymentIntent(context, payment(), withoutIdempotency()));
const nameOf = ({ merchantId }: TestMerchant) => query("SELECT name FROM merchant WHERE id = $1", merchantId);
const seen = async () => {
  const rows = await queryAcrossMerchants<{ id: string }>("SELECT id FROM merchant");
  return [mover, neighbor].map(({ merchantId }) => rows.some(({ id }) => id === merchantId));
};

/** True if a statement reads the fences first, as its plan shows. */
const readsFences = async () => {
  const sql = "EXPLAIN (VERBOSE, FORMAT JSON) SELECT reach_beside_fences(current_setting('sluice.reach'))";
  const [row] = await query<{ "QUERY PLAN": unknown }>(sql);
  return JSON.stringify(row?.["QUERY PLAN"]).includes("fences");
};

const planOf = (merchantId: string) => withinMerchant(merchantId, readsFences);

/** Makes the cell one that no merchant has left or entered. */
const forgetFences = () =>
  asOwnerOf(cell, (client) =>
    client.query(
      "CREATE OR REPLACE FUNCTION reach_beside_fences(reach text) RETURNS text LANGUAGE sql STABLE RETURN reach",
    ),
  );

// The first test of this file, whose database is new. It uses one connection: a busy machine is slow to open 20 of them.
it("nothing reads the fences before the first one; a session with a kept plan obeys it at once", async () => {
  const { merchantId } = mover;
  const statement = () => withinMerchant(merchantId, () => nameOf(mover));
  for (let round = 0; round < 10; round++) await statement();
  expect(await planOf(merchantId)).toBe(false);
  await close("leaving");
  await expect(statement()).rejects.toSatisfy(isMerchantAway);
  await unfence(cell, merchantId);
  await statement();
  expect(await planOf(merchantId)).toBe(true);
});

it("two first fences at once are both obeyed", async () => {
  await forgetFences();
  expect(await planOf(mover.merchantId)).toBe(false);
  await Promise.all(
    [mover, neighbor].map(({ merchantId }) => fence(cell, merchantId, "leaving", { ...cell, name: "eu2" })),
  );
  for (const merchant of [mover, neighbor])
    await expect(withinMerchant(merchant.merchantId, () => nameOf(merchant))).rejects.toSatisfy(isMerchantAway);
  await unfence(cell, neighbor.merchantId);
});

it.each([
  ["*", ["mer_a", "mer_b", "", null]],
  ["*,mer_b,", ["mer_a", "", null]],
  ["*,mer_ab,mer_ba,", ["mer_a", "mer_b", "", null]],
  ["mer_a", ["mer_a"]],
  ["mer_a,", ["mer_a", ""]],
  ["mer_b,mer_a", ["mer_a", "mer_b"]],
  ["", []],
])("a reach of '%s' has the rows of its merchants alone", async (reach, within) => {
  const sql = `SELECT m AS id FROM set_config('sluice.reach', $1, true), unnest(ARRAY['mer_a', 'mer_b', '', NULL]) AS m
    WHERE within_reach(m)`;
  const { rows } = await asOwnerOf(cell, (client) => client.query<{ id: string | null }>(sql, [reach]));
  expect(rows.map(({ id }) => id)).toEqual(within);
});

describe("while a merchant closes", () => {
  it("its own work goes on, and no work of all merchants sees it", async () => {
    const { intent } = await create(mover);
    await close("closing");
    expect(await seen()).toEqual([false, true]);
    expect(await withinMerchant(mover.merchantId, () => nameOf(mover))).toHaveLength(1);
    expect((await create(mover)).intent.merchantId).toBe(mover.merchantId);
    expect(await claimDueIntent(intent.id)).toBe(false);
    await unfence(cell, mover.merchantId);
    expect(await claimDueIntent(intent.id)).toBe(true);
    expect(await seen()).toEqual([true, true]);
  });
});

describe.each(["arriving", "leaving", "left"] as const)("while a merchant is %s", (state) => {
  beforeEach(() => close(state));

  it("its work fails before it does anything, by every way there is", async () => {
    const { merchantId } = mover;
    const ways: (() => Promise<unknown>)[] = [
      () => nameOf(mover),
      () => query("UPDATE merchant SET name = 'x' WHERE id = $1", merchantId),
      () => inTransaction((transaction) => transaction.query("SELECT 1")),
      async () => (await prisma().apiKey.findMany()).length,
    ];
    for (const way of ways) {
      const error: unknown = await withinMerchant(merchantId, way).catch((thrown: unknown) => thrown);
      expect([isMerchantAway(error), hasMerchantLeft(error)]).toEqual([true, state === "left"]);
      expect(asServiceError(error)).toMatchObject({ code: "service_unavailable", retryAfterSeconds: 1 });
    }
    const wider = [
      () => withinMerchants([neighbor.merchantId, merchantId], () => nameOf(neighbor)),
      () => withinMerchant(merchantId, () => withNobodysRows(() => nameOf(mover))),
    ];
    for (const way of wider) await expect(way()).rejects.toSatisfy(isMerchantAway);
  });

  it("work of all merchants neither sees nor writes it", async () => {
    expect(await seen()).toEqual([false, true]);
    expect(
      await queryAcrossMerchants("UPDATE merchant SET name = 'x' WHERE id = $1 RETURNING id", mover.merchantId),
    ).toEqual([]);
    const insert = queryAcrossMerchants(
      "INSERT INTO merchant_currency (merchant_id, currency) VALUES ($1, 'CLP')",
      mover.merchantId,
    );
    await expect(insert).rejects.toThrow("row-level security");
    const nobodys = await queryAcrossMerchants(
      "SELECT count(*)::int AS n FROM settlement_line WHERE merchant_id IS NULL",
    );
    expect(nobodys).toEqual([{ n: 0 }]);
  });

  it("units of other merchants in its batch are committed, and no outage of the database is noted", async () => {
    const before = performance.now();
    const results = await Promise.allSettled([mover, neighbor, mover, neighbor].map(create));
    expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "rejected", "fulfilled"]);
    expect(hasFailedSince(before)).toBe(false);
  });

  it("logged requests of others are stored", async () => {
    const logged = ({ merchantId }: TestMerchant, id: string) => ({
      merchantId,
      environment: "test" as const,
      id,
      apiKeyId: "key_1",
      method: "GET",
      route: "/wallets",
      path: "/v1/wallets",
      status: 200,
      durationUs: 1,
      address: "",
      requestBody: null,
      responseBody: null,
      objectId: null,
      createdAt: new Date(),
    });
    await insertApiLog([logged(mover, "req_1"), logged(neighbor, "req_2")]);
    const rows = await queryAcrossMerchants<{ id: string }>("SELECT id FROM api_log WHERE merchant_id = ANY ($1)", [
      mover.merchantId,
      neighbor.merchantId,
    ]);
    expect(rows).toEqual([{ id: "req_2" }]);
  });
});

it("a transaction that began before the fence ends at its next statement, without effect", async () => {
  const { merchantId } = mover;
  const begun = withinMerchant(merchantId, () =>
    inTransaction(async (transaction) => {
      await transaction.query("UPDATE merchant SET name = 'late' WHERE id = $1", merchantId);
      await close("leaving");
      await transaction.query("SELECT 1");
    }),
  );
  await expect(begun).rejects.toSatisfy((error) => isMerchantAway(error) && isAttributable(error));
  await unfence(cell, merchantId);
  expect(await withinMerchant(merchantId, () => nameOf(mover))).toEqual([{ name: "Test merchant" }]);
});

it("the service's role cannot change a fence", async () => {
  for (const sql of [
    "DELETE FROM merchant_fence",
    "UPDATE merchant_fence SET state = 'closing'",
    "INSERT INTO merchant_fence (merchant, state, other_cell) VALUES ('mer_1', 'left', 'eu2')",
  ])
    await expect(queryAcrossMerchants(sql)).rejects.toThrow("permission denied");
});

it("who has left may only come back as a copy", async () => {
  await close("left");
  await expect(close("closing")).rejects.toThrow("merchant_fence_departure_is_final");
  await expect(unfence(cell, mover.merchantId)).rejects.toThrow("merchant_fence_departure_stays");
  await close("arriving");
  await unfence(cell, mover.merchantId);
  expect(await seen()).toEqual([true, true]);
});

it("all sessions with a kept plan obey the first fence at once", async () => {
  const { merchantId } = mover;
  await forgetFences();
  const statements = () =>
    withinMerchant(merchantId, () => Promise.all(Array.from({ length: 20 }, () => nameOf(mover))));
  for (let round = 0; round < 10; round++) await statements();
  expect(await planOf(merchantId)).toBe(false);
  await close("leaving");
  await expect(statements()).rejects.toSatisfy(isMerchantAway);
  await unfence(cell, merchantId);
  await statements();
  expect(await planOf(merchantId)).toBe(true);
});
