// Owns the proof that figures are what has ended in the period, in the scope alone, and bounded whatever there is.
import { afterAll, afterEach, beforeEach, expect, it, vi } from "vitest";
import { disconnect } from "@/server/db/client";
import { approvedPayout, makeMerchant, payment, type TestMerchant } from "@/server/testing/merchant";
import { createPaymentIntent } from "../payment-intents/create";
import { simulate } from "../sandbox/simulate";
import { unsealed } from "../unsealed";
import { readFigures } from "./read";

// The time these tests set is what the service takes for the database's.
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
  const { intent } = await createPaymentIntent(merchant.context, payment({ amount }), unsealed());
  await simulate(merchant.context, intent.id, outcome);
}

it("what ended in the period is added up by day, beside the period before; what is older or another's is left out", async () => {
  await pay(20, "999", "succeeded");
  await pay(8, "300", "succeeded");
  await pay(6, "1000", "succeeded");
  await pay(1, "50", "declined");
  await pay(0, "20", "succeeded");
  await pay(0, "4", "succeeded");
  const { id } = await approvedPayout(merchant);
  await simulate(merchant.context, id, "settled");
  const figures = await readFigures(merchant.scope, 7);
  expect(figures).toMatchObject({ from: "2027-06-14", to: "2027-06-20", countedSince: null, hasBegun: true });
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

  const live = await readFigures({ ...merchant.scope, environment: "live" }, 30);
  const other = await readFigures((await makeMerchant()).scope, 30);
  for (const none of [live, other]) expect(none).toMatchObject({ volumes: [], failures: [], hasBegun: false });
});

it("more than is looked at leaves out the oldest, and says from when on all is counted", async () => {
  await pay(3, "1", "succeeded");
  await pay(2, "10", "succeeded");
  await pay(1, "100", "succeeded");
  const { volumes, countedSince } = await readFigures(merchant.scope, 7, 2);
  expect([volumes[0]?.amount, countedSince]).toEqual([110n, new Date(TODAY - 2 * DAY)]);
});
