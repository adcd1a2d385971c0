// The keys of requests that a move of their merchant has interrupted are free as soon as the merchant is open again.
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { disconnect, query } from "@/server/db/client";
import { claimKey, findKey, type LeasedKey } from "@/server/db/idempotency";
import { fence, moveByHand, unfence } from "@/server/db/testing/move-by-hand";
import { openTwoCells, type TwoCells } from "@/server/db/testing/second-cell";
import { type Cell, inCell } from "@/server/platform/cell";
import { newId } from "@/server/platform/ids";
import { reachEveryMerchant } from "@/server/platform/reach";
import { makeLiveMerchant, type TestMerchant } from "@/server/testing/merchant";
import { createApiKey } from "../api-keys/create";
import { releaseOnceReachable } from "./release-abandoned";

/** Longer than claims may take to arrive, after which a key that is not found is given up. */
const LONGER_MS = 7_000;

let cells: TwoCells;
let first: Cell;
let second: Cell;
let merchant: TestMerchant;
let held: LeasedKey;

beforeAll(async () => {
  reachEveryMerchant();
  cells = await openTwoCells();
  ({ first, second } = cells);
});
beforeEach(async () => {
  merchant = await inCell(first, makeLiveMerchant);
  const { id } = await inCell(first, () => createApiKey(merchant.context, "Key"));
  held = { merchantId: merchant.merchantId, apiKeyId: id, key: newId("request"), holder: newId("request") };
  const claim = { ...held, fingerprint: "0a1b2c3d.00", leaseSeconds: 600 };
  await inCell(first, () => claimKey(merchant.scope, claim));
});
afterAll(async () => {
  await disconnect();
  await cells.end();
});

const isFreeIn = async (cell: Cell) => (await inCell(cell, () => findKey(merchant.scope, held)))?.leaseLapsed;
const soon = (expected: () => Promise<void>) => vi.waitFor(expected, { timeout: 5_000, interval: 200 });

it("in the new cell, however long the move takes", async () => {
  await fence(second, merchant.merchantId, "arriving", first);
  await fence(first, merchant.merchantId, "leaving", second);
  inCell(first, () => releaseOnceReachable(held));
  await new Promise((resolve) => setTimeout(resolve, LONGER_MS));
  await moveByHand(first, second, merchant.merchantId);
  await soon(async () => expect(await isFreeIn(second)).toBe(true));
});

it("in the old cell, if the merchant stays", async () => {
  await fence(first, merchant.merchantId, "closing", second);
  inCell(first, () => releaseOnceReachable(held));
  await new Promise((resolve) => setTimeout(resolve, LONGER_MS));
  await unfence(first, merchant.merchantId);
  await soon(async () => expect(await isFreeIn(first)).toBe(true));
});

it("and nobody else's wait for it", async () => {
  const neighbor = await inCell(first, makeLiveMerchant);
  const { id } = await inCell(first, () => createApiKey(neighbor.context, "Key"));
  const theirs = { ...held, merchantId: neighbor.merchantId, apiKeyId: id, holder: newId("request") };
  const claim = { ...theirs, fingerprint: "0a1b2c3d.00", leaseSeconds: 600 };
  await inCell(first, () => claimKey(neighbor.scope, claim));
  await fence(first, merchant.merchantId, "leaving", second);
  inCell(first, () => [held, theirs].forEach(releaseOnceReachable));
  const sql = "SELECT lease_until <= now() AS free FROM idempotency_key WHERE holder = $1";
  await soon(async () => expect(await inCell(first, () => query(sql, theirs.holder))).toEqual([{ free: true }]));
});
