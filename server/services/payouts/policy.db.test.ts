// Approval policies on new payouts, alone and when many are created at the same time.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { query } from "@/server/db/client";
import { FIRST_POLICY, type PolicyRule } from "@/server/domain/approval-policy";
import { ENVIRONMENTS } from "@/server/domain/scope";
import { requireInvariants } from "@/server/testing/invariants";
import { adoptPolicy, keyed, makeMerchant, once, payout, type TestMerchant } from "@/server/testing/merchant";
import { activePolicy } from "../approval-policies/active";
import { withoutIdempotency } from "../idempotency/completion";
import { simulate } from "../sandbox/simulate";
import { type CreatePayout, createPayoutIntent } from "./create";

/** Far from midnight, when the day's total would restart during a test. */
const NOON = new Date("2026-11-21T12:00:00.000Z");
const DAY_MS = 24 * 60 * 60 * 1000;

// The service uses the time set by these tests as the database's.
vi.mock("@/server/platform/clock", async (original) => ({ ...(await original<object>()), now: () => new Date() }));

let merchant: TestMerchant;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: NOON });
  merchant = await makeMerchant(["BRL", "JPY"]);
});
afterEach(async () => {
  vi.useRealTimers();
  await requireInvariants();
});

async function create(changes: Partial<CreatePayout> = {}, context = merchant.context) {
  return (await createPayoutIntent(context, payout(changes), withoutIdempotency())).intent;
}
const needed = async (changes: Partial<CreatePayout> = {}) => (await create(changes)).approvalsRequired;
const adopt = (rules: readonly PolicyRule[], defaultApprovals = 1) =>
  adoptPolicy(merchant, { rules, defaultApprovals });

it("the initial policy requires one approval, in test and live", async () => {
  expect(await create()).toMatchObject({ approvalsRequired: 1, policyVersion: 1, dailyTotalBelow: null });
  for (const environment of ENVIRONMENTS) {
    expect(await activePolicy({ ...merchant.scope, environment })).toMatchObject({ version: 1, policy: FIRST_POLICY });
  }
});

it("a policy applies in its own environment to payouts created after its confirmation", async () => {
  const before = await create();
  await adopt([], 2);
  expect(await create()).toMatchObject({ approvalsRequired: 2, policyVersion: 2 });
  const [kept] = await query("SELECT approvals_required, policy_version FROM payout_intent WHERE id = $1", before.id);
  expect(kept).toEqual({ approvals_required: 1, policy_version: 1 });
});

it("amount, currency and country decide; the highest matching rule applies, or the default", async () => {
  await adopt([
    { currency: "BRL", amountAtLeast: 50_000n, approvals: 2 },
    { currency: "BRL", amountAtLeast: 100_000n, approvals: 3 },
    { country: "JP", approvals: 0 },
  ]);
  expect(await needed({ amount: "49999" })).toBe(1);
  expect(await needed({ amount: "50000" })).toBe(2);
  expect(await needed({ amount: "100000" })).toBe(3);
  expect(await needed({ amount: "100000", country: "JP" })).toBe(3);
  expect(await create({ amount: "100003", country: "JP", currency: "JPY" })).toMatchObject({
    status: "processing",
    approvalsRequired: 0,
  });
});

describe("a recipient", () => {
  const other = (change: Partial<CreatePayout["recipient"]>) => ({ recipient: { ...payout().recipient, ...change } });

  it("is new until a payout to the same account, bank and holder has succeeded", async () => {
    await adopt([
      { firstTimeRecipient: true, approvals: 2 },
      { currency: "BRL", approvals: 0 },
    ]);
    const first = await create();
    expect(first.approvalsRequired).toBe(2);
    // A payout that only waits or was only sent makes no recipient known: a small payout must not pave the way for a
    // large one.
    expect(await needed()).toBe(2);
    await adopt([{ country: "BR", approvals: 0 }]);
    const paid = await create();
    await adopt([
      { firstTimeRecipient: true, approvals: 2 },
      { currency: "BRL", approvals: 0 },
    ]);
    expect(await needed()).toBe(2);
    await simulate(merchant.context, paid.id, "settled");
    expect(await needed()).toBe(0);
    expect(await needed(other({ accountNumber: "0001-999999999" }))).toBe(2);
    expect(await needed(other({ bankCode: "002" }))).toBe(2);
    expect(await needed(other({ holderName: "Eva Lima" }))).toBe(2);
  });

  it("of another merchant is new to this one", async () => {
    const neighbour = await makeMerchant();
    await adoptPolicy(neighbour, { rules: [], defaultApprovals: 0 });
    const { intent } = await createPayoutIntent(neighbour.context, payout(), withoutIdempotency());
    await simulate(neighbour.context, intent.id, "settled");
    await adopt([{ firstTimeRecipient: true, approvals: 2 }]);
    expect(await needed()).toBe(2);
  });
});

describe("the day's total", () => {
  const THRESHOLD: readonly PolicyRule[] = [
    { currency: "BRL", dailyTotalAtLeast: 100_000n, approvals: 2 },
    { currency: "BRL", approvals: 0 },
  ];

  it("counts this payout and all of the UTC day in the currency, except failed ones", async () => {
    await adopt(THRESHOLD);
    expect(await create({ amount: "60003" })).toMatchObject({ approvalsRequired: 0, dailyTotalBelow: 100_000n });
    expect(await needed({ amount: "99999", currency: "JPY" })).toBe(1);
    const { id } = await create({ amount: "39003" });
    expect(await needed({ amount: "994" })).toBe(2);
    await simulate(merchant.context, id, "declined");
    expect(await needed({ amount: "39002" })).toBe(0);
    expect(await needed({ amount: "5003" })).toBe(2);
    vi.setSystemTime(NOON.getTime() + DAY_MS / 2 - 1);
    expect(await needed({ amount: "5003" })).toBe(2);
    vi.setSystemTime(NOON.getTime() + DAY_MS / 2);
    expect(await needed({ amount: "99003" })).toBe(0);
  });

  it("is exact for simultaneous payouts: only as many as fit below it need no approval", async () => {
    await adopt(THRESHOLD);
    const made = await Promise.all(Array.from({ length: 24 }, () => create({ amount: "15003" })));
    const byNeed = [0, 2].map((count) => made.filter(({ approvalsRequired }) => approvalsRequired === count).length);
    expect(byNeed).toEqual([6, 18]);
    const rows = await query(
      `SELECT approvals_required, status, count(*)::int AS count FROM payout_intent WHERE merchant_id = $1
       GROUP BY 1, 2 ORDER BY 1`,
      merchant.merchantId,
    );
    expect(rows).toEqual([
      { approvals_required: 0, status: "processing", count: 6 },
      { approvals_required: 2, status: "requires_approval", count: 18 },
    ]);
  });

  it("leaves one payout per key and reference, with the stored answer, if its write is rejected meanwhile", async () => {
    await adopt(THRESHOLD);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        once(keyed(merchant, `key-${n}`), (idempotency) =>
          createPayoutIntent(merchant.context, payout({ amount: "30003" }), idempotency),
        ),
      ),
    );
    const told = answers.map(({ body }) => JSON.parse(body) as { id: string; status: string });
    expect(told.filter(({ status }) => status === "processing")).toHaveLength(3);
    const stored = await query<{ id: string; status: string }>(
      "SELECT id, status FROM payout_intent WHERE merchant_id = $1",
      merchant.merchantId,
    );
    expect(new Map(told.map(({ id, status }) => [id, status]))).toEqual(
      new Map(stored.map(({ id, status }) => [id, status])),
    );
  });
});
