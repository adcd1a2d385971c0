// Figures count the intents that finished in the period and scope, by days of the reader's time zone.
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { disconnect } from "@/server/db/client";
import { addDays } from "@/server/domain/days";
import { approvedPayout, makeMerchant, payment, type TestMerchant } from "@/server/testing/merchant";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { simulate } from "../sandbox/simulate";
import { readFigures } from "./read";
import { addUp } from "./testing/add-up";

// The service uses the time set by these tests as the database's.
vi.mock("@/server/platform/clock", async (original) => ({ ...(await original<object>()), now: () => new Date() }));

const DAY = 24 * 60 * 60_000;
const TODAY = Date.UTC(2027, 5, 20, 12);

let merchant: TestMerchant;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: TODAY - 20 * DAY });
  merchant = await makeMerchant();
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(() => disconnect());

async function pay(daysAgo: number, amount: string, outcome: string): Promise<void> {
  vi.setSystemTime(TODAY - daysAgo * DAY);
  const { intent } = await createPaymentIntent(merchant.context, payment({ amount }), withoutIdempotency());
  await simulate(merchant.context, intent.id, outcome);
}

it("adds up intents finished in the period by day, beside the previous period, without older ones and other scopes", async () => {
  await pay(20, "999", "succeeded");
  await pay(8, "300", "succeeded");
  await pay(6, "1000", "succeeded");
  await pay(1, "50", "declined");
  await pay(0, "20", "succeeded");
  await pay(0, "4", "succeeded");
  const { id } = await approvedPayout(merchant);
  await simulate(merchant.context, id, "settled");
  const figures = await readFigures(merchant.scope, { days: 7 }, "UTC");
  await addUp(merchant);
  expect(await readFigures(merchant.scope, { days: 7 }, "UTC")).toEqual(figures);
  expect(figures).toMatchObject({ from: "2027-06-14", to: "2027-06-20", isBehind: false, hasBegun: true });
  expect(figures.volumes).toEqual([
    {
      kind: "payment_intent",
      currency: "BRL",
      amount: 1024n,
      amountBefore: 300n,
      count: 3,
      byDay: [
        { day: "2027-06-14", amount: 1000n, count: 1 },
        { day: "2027-06-20", amount: 24n, count: 2 },
      ],
    },
    expect.objectContaining({ kind: "payout_intent", amount: 25_000n, amountBefore: 0n }),
  ]);
  expect(figures.rates).toEqual([
    { kind: "payment_intent", succeeded: 3, ended: 4, succeededBefore: 1, endedBefore: 1 },
    { kind: "payout_intent", succeeded: 1, ended: 1, succeededBefore: 0, endedBefore: 0 },
  ]);
  expect(figures.failures).toEqual([{ kind: "payment_intent", code: "provider_declined", count: 1 }]);

  const live = await readFigures({ ...merchant.scope, environment: "live" }, { days: 30 }, "UTC");
  const other = await readFigures((await makeMerchant()).scope, { days: 30 }, "UTC");
  for (const none of [live, other]) expect(none).toMatchObject({ volumes: [], failures: [], hasBegun: false });
});

it("reports missing ends if too many are not added up yet, and has them after that", async () => {
  await pay(3, "30", "succeeded");
  await pay(2, "10", "succeeded");
  const read = async (most: number) => {
    const { volumes, isBehind } = await readFigures(merchant.scope, { days: 7 }, "UTC", most);
    return [volumes[0]?.amount, isBehind];
  };
  expect(await read(10)).toEqual([40n, false]);
  expect((await read(2))[1]).toBe(true);
  await addUp(merchant);
  expect(await read(2)).toEqual([40n, false]);
});

describe("days follow the time zone, added up or not", () => {
  it.each([
    // The instants are the last of the day before, the first and the last of the day, and the first of the day after.
    ["Asia/Kathmandu", "2027-06-10", "2027-06-09T18:15:00.000Z", "2027-06-10T18:15:00.000Z"],
    ["Asia/Kolkata", "2027-06-10", "2027-06-09T18:30:00.000Z", "2027-06-10T18:30:00.000Z"],
    ["Pacific/Chatham", "2027-06-10", "2027-06-09T11:15:00.000Z", "2027-06-10T11:15:00.000Z"],
    ["America/Sao_Paulo", "2027-06-10", "2027-06-10T03:00:00.000Z", "2027-06-11T03:00:00.000Z"],
    // 23 and 25 hours, 23 and a half, and clocks that change at midnight.
    ["Europe/Berlin", "2027-03-28", "2027-03-27T23:00:00.000Z", "2027-03-28T22:00:00.000Z"],
    ["Europe/Berlin", "2026-10-25", "2026-10-24T22:00:00.000Z", "2026-10-25T23:00:00.000Z"],
    ["Australia/Lord_Howe", "2026-10-04", "2026-10-03T13:30:00.000Z", "2026-10-04T13:00:00.000Z"],
    ["Africa/Cairo", "2027-04-30", "2027-04-29T22:00:00.000Z", "2027-04-30T21:00:00.000Z"],
  ])("%s, %s", async (zone, day, begins, ends) => {
    const instants = [Date.parse(begins) - 1, Date.parse(begins), Date.parse(ends) - 1, Date.parse(ends)];
    for (const [index, at] of instants.entries()) {
      // Created before its time, since money arrives later than the creation.
      vi.setSystemTime(at - 60_000);
      const { intent } = await createPaymentIntent(
        merchant.context,
        payment({ amount: `${10 ** (index + 1)}` }),
        withoutIdempotency(),
      );
      vi.setSystemTime(at);
      await simulate(merchant.context, intent.id, "succeeded");
    }
    const read = async () => {
      const { volumes } = await readFigures(merchant.scope, { from: day, to: addDays(day, 1) }, zone);
      return volumes[0];
    };
    const expected = {
      amountBefore: 10n,
      byDay: [
        { day, amount: 1_100n, count: 2 },
        { day: addDays(day, 1), amount: 10_000n, count: 1 },
      ],
    };
    expect(await read()).toMatchObject(expected);
    await addUp(merchant);
    expect(await read()).toMatchObject(expected);
  });
});
