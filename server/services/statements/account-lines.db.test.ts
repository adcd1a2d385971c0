// A wallet's lines are listed page by page with the balance after each, over any period.
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { disconnect } from "@/server/db/client";
import { balanceOf, makeMerchant, OPENING, payout, type TestMerchant } from "@/server/testing/merchant";
import { withoutIdempotency } from "../idempotency/completion";
import { cancelPayoutIntent } from "../payouts/cancel";
import { createPayoutIntent } from "../payouts/create";
import { fundWallet } from "../wallets";
import {
  type AccountLine,
  type AccountPeriod,
  countLinesAfter,
  type LinePosition,
  listAccountLines,
} from "./account-lines";

// The service uses the time set by these tests as the database's.
vi.mock("@/server/platform/clock", async (original) => ({ ...(await original<object>()), now: () => new Date() }));

const START = Date.UTC(2027, 5, 1);
const HOUR = 60 * 60_000;
const at = (hours: number) => new Date(START + hours * HOUR);

let merchant: TestMerchant;
/**
 * An opening, then in each of ten hours a funding of the hour's number and a payout of 10 + hour; every second payout
 * is cancelled.
 */
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: START });
  merchant = await makeMerchant(["BRL", "JPY"]);
  for (let hour = 1; hour <= 10; hour += 1) {
    vi.setSystemTime(at(hour));
    await fundWallet(merchant.context, { currency: "BRL", amount: BigInt(hour) });
    const { intent } = await createPayoutIntent(
      merchant.context,
      payout({ amount: String(10 + hour) }),
      withoutIdempotency(),
    );
    if (hour % 2 === 0)
      await cancelPayoutIntent(merchant.context, { id: intent.id, reason: null }, withoutIdempotency());
  }
});
afterAll(async () => {
  vi.useRealTimers();
  await disconnect();
});

const period = (more: Partial<AccountPeriod> = {}): AccountPeriod => ({
  scope: merchant.scope,
  currency: "BRL",
  account: "available",
  ...more,
});

/** Returns every line of the period, read in pages of `size`, and its opening balance. */
async function readAll(asked: AccountPeriod, size: number): Promise<{ lines: AccountLine[]; opening: bigint | null }> {
  const lines: AccountLine[] = [];
  let position: LinePosition | null = null;
  for (;;) {
    const page = await listAccountLines(asked, position, size);
    lines.push(...page.lines);
    if (!page.next) return { lines, opening: page.opening };
    expect([page.lines.length, page.opening]).toEqual([size, null]);
    position = page.next;
  }
}

it("the newest line ends at the wallet's balance, each starts where the one below ends, the oldest at zero", async () => {
  const [available, held] = await balanceOf(merchant);
  for (const [account, balance] of [
    ["available", available],
    ["held", held],
  ] as const) {
    const { lines, opening } = await readAll(period({ account }), 100);
    expect([lines[0]?.balance, opening]).toEqual([balance, 0n]);
    for (const [index, line] of lines.entries()) {
      expect(line.balance - line.amount).toBe(lines[index + 1]?.balance ?? 0n);
    }
  }
});

it("pages of any size have the same lines, also while money moves", async () => {
  const { lines } = await readAll(period(), 100);
  expect(lines).toHaveLength(1 + 10 + 10 + 5);
  for (const size of [1, 3, 25]) expect((await readAll(period(), size)).lines).toEqual(lines);
  const first = await listAccountLines(period(), null, 4);
  vi.setSystemTime(at(100));
  await fundWallet(merchant.context, { currency: "BRL", amount: 1n });
  const rest = await listAccountLines(period(), first.next, 100);
  expect([...first.lines, ...rest.lines]).toEqual(lines);
});

it("a period has the lines booked in it, excluding its end, with the balance before its first line", async () => {
  const { lines, opening } = await readAll(period({ from: at(3), to: at(5) }), 2);
  expect(lines.map(({ at: when, reason, amount }) => [when, reason, amount])).toEqual([
    [at(4), "payout_release", 14n],
    [at(4), "payout_hold", -14n],
    [at(4), "funding", 4n],
    [at(3), "payout_hold", -13n],
    [at(3), "funding", 3n],
  ]);
  expect(opening).toBe(OPENING + 1n - 11n + 2n);
  expect(await readAll(period({ from: at(200) }), 5)).toMatchObject({ lines: [] });
  expect(await readAll(period({ to: at(-1) }), 5)).toEqual({ lines: [], opening: 0n });
});

it("lines booked after a given one are counted, within the period", async () => {
  const { lines } = await readAll(period({ from: at(3), to: at(5) }), 100);
  const numbers = lines.map(({ sequence }) => sequence);
  const count = (more: Partial<AccountPeriod>, after: bigint | null) => countLinesAfter(period(more), after);
  expect(await count({ from: at(3), to: at(5) }, null)).toBe(5n);
  expect(await count({ from: at(3), to: at(5) }, numbers[0] ?? null)).toBe(0n);
  expect(await count({ from: at(3), to: at(5) }, numbers[2] ?? null)).toBe(2n);
  const [newest] = (await listAccountLines(period(), null, 1)).lines;
  expect(await count({}, newest?.sequence ?? null)).toBe(0n);
  await fundWallet(merchant.context, { currency: "BRL", amount: 1n });
  expect(await count({}, newest?.sequence ?? null)).toBe(1n);
  await expect(count({ currency: "USD" }, null)).rejects.toMatchObject({ code: "not_found" });
});

it("another wallet has its own lines; an unknown one is not found, and an empty period is rejected", async () => {
  const { lines } = await readAll(period({ currency: "JPY" }), 5);
  expect(lines.map(({ reason }) => reason)).toEqual(["funding"]);
  await expect(listAccountLines(period({ currency: "USD" }), null, 5)).rejects.toMatchObject({ code: "not_found" });
  const other = await makeMerchant(["JPY"]);
  await expect(listAccountLines(period({ scope: other.scope }), null, 5)).rejects.toMatchObject({ code: "not_found" });
  await expect(listAccountLines(period({ from: at(2), to: at(2) }), null, 5)).rejects.toMatchObject({
    code: "validation_failed",
  });
});
