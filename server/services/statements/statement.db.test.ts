// A wallet's statement adds up to the stored balance over any period, and shows when it does not.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { requireInvariants } from "@/server/testing/invariants";
import {
  approvedPayout,
  balanceOf,
  makeMerchant,
  OPENING,
  payment,
  payout,
  type TestMerchant,
} from "@/server/testing/merchant";
import { tamper } from "@/server/testing/owner";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { cancelPayoutIntent } from "../payouts/cancel";
import { createPayoutIntent } from "../payouts/create";
import { simulate } from "../sandbox/simulate";
import { fundWallet } from "../wallets";
import { walletStatement } from "./statement";

// The service uses the time set by these tests as the database's.
vi.mock("@/server/platform/clock", async (original) => ({ ...(await original<object>()), now: () => new Date() }));

const START = Date.UTC(2027, 5, 1);
const HOUR = 60 * 60_000;
const NOTHING = { available: 0n, held: 0n };

let merchant: TestMerchant;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: START });
  merchant = await makeMerchant(["BRL", "JPY"]);
});
afterEach(() => {
  vi.useRealTimers();
});

const at = (hours: number) => new Date(START + hours * HOUR);
const go = (hours: number) => vi.setSystemTime(at(hours));
const statement = (from: number, to: number, currency = "BRL") =>
  walletStatement({ scope: merchant.scope, currency, from: at(from), to: at(to) });

it("lists each transaction's effect on available and held, with the balance after it", async () => {
  go(1);
  const { intent: paid } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
  await simulate(merchant.context, paid.id, "succeeded");
  go(2);
  const { id } = await approvedPayout(merchant);
  go(3);
  await simulate(merchant.context, id, "settled");
  go(4);
  await simulate(merchant.context, id, "returned");
  const { opening, lines, closing, unexplained } = await statement(1, 5);
  expect(opening).toEqual({ available: OPENING, held: 0n });
  expect(
    lines.map(({ at: when, reason, intentId, available, held, after }) => [
      when,
      reason,
      intentId,
      available,
      held,
      after,
    ]),
  ).toEqual([
    [at(1), "payment_credit", paid.id, 1050n, 0n, { available: OPENING + 1050n, held: 0n }],
    [at(2), "payout_hold", id, -25_000n, 25_000n, { available: OPENING - 23_950n, held: 25_000n }],
    [at(3), "payout_settlement", id, 0n, -25_000n, { available: OPENING - 23_950n, held: 0n }],
    [at(4), "bank_return", id, 25_000n, 0n, { available: OPENING + 1050n, held: 0n }],
  ]);
  expect(closing).toEqual({ available: OPENING + 1050n, held: 0n });
  expect(unexplained).toEqual(NOTHING);
});

describe("thousands of entries", () => {
  async function play(): Promise<void> {
    for (let hour = 1; hour <= 12; hour += 1) {
      go(hour);
      const work = Array.from({ length: 60 }, async (_, n) => {
        await fundWallet(merchant.context, { currency: "BRL", amount: BigInt(1 + hour * 7 + n) });
        const { intent } = await createPayoutIntent(
          merchant.context,
          payout({ amount: String(100 + n) }),
          withoutIdempotency(),
        );
        if (n % 2 === 0)
          await cancelPayoutIntent(merchant.context, { id: intent.id, reason: null }, withoutIdempotency());
        await fundWallet(merchant.context, { currency: "JPY", amount: BigInt(n + 1) });
      });
      await Promise.all(work);
    }
  }

  it("add up in every period: the end of one is the beginning of the next, and all lines sum to the balance", async () => {
    await play();
    const whole = await statement(0, 100);
    expect(whole.lines.length).toBe(1 + 12 * 150);
    expect(whole.opening).toEqual(NOTHING);
    expect(whole.unexplained).toEqual(NOTHING);
    expect([whole.closing.available, whole.closing.held]).toEqual(await balanceOf(merchant));
    const bounds = [0, 1, 3, 4, 9, 12, 13, 50];
    let lines = 0;
    let last = NOTHING;
    for (const [n, from] of bounds.slice(0, -1).entries()) {
      const part = await statement(from, bounds[n + 1] ?? 0);
      expect(part.opening).toEqual(last);
      expect(part.unexplained).toEqual(NOTHING);
      expect(part.lines.at(-1)?.after ?? part.opening).toEqual(part.closing);
      lines += part.lines.length;
      last = part.closing;
    }
    expect(lines).toBe(whole.lines.length);
    expect(last).toEqual(whole.closing);
    const yen = await statement(0, 100, "JPY");
    expect(yen.lines.length).toBe(1 + 12 * 60);
    expect([yen.closing.available, yen.closing.held]).toEqual(await balanceOf(merchant, "JPY"));
    await requireInvariants();
  }, 60_000);

  it("add up too while money moves", async () => {
    const moving = play();
    for (let round = 0; round < 20; round += 1) expect((await statement(0, 6)).unexplained).toEqual(NOTHING);
    await moving;
    expect((await statement(0, 6)).unexplained).toEqual(NOTHING);
  }, 60_000);
});

describe("a difference", () => {
  /** Changes rows bypassing the database's guards, and restores them. */
  async function tampered(table: string, change: string, undo: string, work: () => Promise<void>): Promise<void> {
    await tamper(table, change, merchant.merchantId);
    await work();
    await tamper(table, undo, merchant.merchantId);
  }

  it("is shown as unexplained, after a change of the balance or an entry, in the period or outside it", async () => {
    const balance = (sign: string) =>
      `UPDATE ledger_account SET balance = balance ${sign} 7 WHERE merchant_id = $1 AND environment = 'test' AND currency = 'BRL' AND kind = 'available'`;
    const entry = (sign: string) =>
      `UPDATE ledger_entry SET amount = amount ${sign} 7 WHERE merchant_id = $1 AND environment = 'test' AND currency = 'BRL' AND kind = 'available' AND sequence = 1`;
    for (const [from, to] of [
      [0, 5],
      [2, 5],
      [-5, 0],
    ] as const) {
      await tampered("ledger_account", balance("+"), balance("-"), async () => {
        expect((await statement(from, to)).unexplained).toEqual({ available: 7n, held: 0n });
      });
      await tampered("ledger_entry", entry("+"), entry("-"), async () => {
        expect((await statement(from, to)).unexplained).toEqual({ available: -7n, held: 0n });
      });
      expect((await statement(from, to)).unexplained).toEqual(NOTHING);
    }
  });
});

it("is an error for an unknown wallet and an empty period", async () => {
  const scope = { merchantId: "mer_nobody", environment: "test" } as const;
  const period = { from: at(0), to: at(1) };
  await expect(walletStatement({ scope, currency: "BRL", ...period })).rejects.toMatchObject({ code: "not_found" });
  await expect(statement(0, 1, "MXN")).rejects.toMatchObject({ code: "not_found" });
  for (const to of [0, -1]) await expect(statement(0, to)).rejects.toMatchObject({ code: "validation_failed" });
});
