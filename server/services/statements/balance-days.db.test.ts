// Each day's balance is the statement's last balance of that day, in any time zone.
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { disconnect } from "@/server/db/client";
import { startOfDay } from "@/server/domain/days";
import { balanceOf, makeMerchant, OPENING, payout, type TestMerchant } from "@/server/testing/merchant";
import { withoutIdempotency } from "../idempotency/completion";
import { cancelPayoutIntent } from "../payouts/cancel";
import { createPayoutIntent } from "../payouts/create";
import { fundWallet } from "../wallets";
import { listAccountLines } from "./account-lines";
import { readBalanceDays } from "./balance-days";

// The service uses the time set by these tests as the database's.
vi.mock("@/server/platform/clock", async (original) => ({ ...(await original<object>()), now: () => new Date() }));

const HOUR = 60 * 60_000;
/** Before the clock changes in Berlin and on Lord Howe Island. */
const START = Date.UTC(2027, 2, 20);

let merchant: TestMerchant;
/**
 * An opening, then for twenty days every seven hours a funding and a payout; every third payout is cancelled at once.
 */
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: START });
  merchant = await makeMerchant(["BRL", "JPY"]);
  for (let hour = 7; hour <= 20 * 24; hour += 7) {
    vi.setSystemTime(START + hour * HOUR);
    await fundWallet(merchant.context, { currency: "BRL", amount: BigInt(hour) });
    const { intent } = await createPayoutIntent(
      merchant.context,
      payout({ amount: `${hour}00` }),
      withoutIdempotency(),
    );
    if (hour % 3 === 0)
      await cancelPayoutIntent(merchant.context, { id: intent.id, reason: null }, withoutIdempotency());
  }
});
afterAll(async () => {
  vi.useRealTimers();
  await disconnect();
});

const ZONES = ["UTC", "Europe/Berlin", "Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Pago_Pago"];

it.each(ZONES)("%s: days close with the balance after the statement's last line before their end", async (zone) => {
  for (const [index, account] of (["available", "held"] as const).entries()) {
    const of = { scope: merchant.scope, currency: "BRL", account };
    const days = await readBalanceDays(of, 30, zone);
    expect(days).toHaveLength(30);
    for (const [place, { day, closing, change }] of days.entries()) {
      const next = days[place + 1];
      const to = next ? startOfDay(next.day, zone) : undefined;
      const { lines, opening } = await listAccountLines({ ...of, to }, null, 1);
      expect([day, closing]).toEqual([day, lines[0]?.balance ?? opening ?? 0n]);
      expect(closing - change).toBe(days[place - 1]?.closing ?? 0n);
    }
    expect(days.at(-1)?.closing).toBe((await balanceOf(merchant))[index]);
  }
});

it("a wallet with only its opening has that balance from that day on; an unknown one is not found", async () => {
  const days = await readBalanceDays({ scope: merchant.scope, currency: "JPY", account: "available" }, 30, "UTC");
  expect(new Set(days.filter(({ day }) => day < "2027-03-20").map(({ closing }) => closing))).toEqual(new Set([0n]));
  expect(new Set(days.filter(({ day }) => day >= "2027-03-20").map(({ closing }) => closing))).toEqual(
    new Set([OPENING / 100n]),
  );
  const other = await makeMerchant(["JPY"]);
  const missing = { scope: other.scope, currency: "BRL", account: "available" } as const;
  await expect(readBalanceDays(missing, 30, "UTC")).rejects.toMatchObject({ code: "not_found" });
});
