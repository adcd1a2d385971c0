// A settled refund that the payer's bank sends back later comes back into suspense, also if no webhook tells it: the worker asks
// the provider for 30 days.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { StripeAccount } from "@/e2e/support/fake-stripe/book";
import { CANCELLED } from "@/e2e/support/fake-stripe/objects";
import { FakeStripe } from "@/e2e/support/fake-stripe/server";
import { query } from "@/server/db/client";
import { listExceptionsOf } from "@/server/db/exceptions";
import { findRefund, type StoredRefund } from "@/server/db/suspense-refunds";
import { now } from "@/server/platform/clock";
import { forgetBreakers } from "@/server/psp/breakers";
import { configureGateways } from "@/server/psp/registry";
import { requireInvariants } from "@/server/testing/invariants";
import { balanceOf, makeLiveMerchant, payment, type TestMerchant } from "@/server/testing/merchant";
import { applyDueCallbacks, receiveCallback } from "../callbacks/receive-callback";
import { resolveEndedStuck } from "../exceptions/stuck";
import { withoutIdempotency } from "../idempotency/completion";
import { followUp } from "../intents/follow-up";
import { getIntent } from "../intents/read";
import { createPaymentIntent } from "../payments/create";
import { PAYMENTS } from "../payments/kind";
import { requireProviderAccounts } from "../providers/accounts";
import { confirmRefund } from "./decide";
import { workOnDueRefunds } from "./due-refunds";
import { followUpRefund } from "./follow-up";
import { proposeRefund } from "./propose";

const KEY = `sk_live_${"0".repeat(24)}`;
const SECRET = "whsec_0123456789abcdef0123456789abcdef";
const OWNER = { id: "acct_1Ours", livemode: true };
const SUM = 1_050n;
const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;

let name: string;
let entries = 0;
let fake: FakeStripe;
let account: StripeAccount;
let merchant: TestMerchant;
let refund: StoredRefund;

function configure(changes: object = {}): void {
  const entry = { name, type: "stripe", account: OWNER.id, secret_key: KEY, webhook_secrets: [SECRET], url: fake.url };
  configureGateways(JSON.stringify([{ ...entry, payment_methods: "all", deadline_ms: 20_000, ...changes }]));
}

beforeAll(async () => {
  fake = await FakeStripe.start();
});
afterAll(async () => {
  await fake.stop();
  configureGateways(null);
});
beforeEach(async () => {
  entries += 1;
  name = `stripe-${entries}`;
  forgetBreakers();
  fake.clear();
  fake.outbox.length = 0;
  account = fake.open(KEY, OWNER);
  merchant = await makeLiveMerchant();
  configure();
  refund = await settledRefund();
  fake.outbox.length = 0;
  fake.calls.length = 0;
});
afterEach(requireInvariants);

/** A refund of late money that the provider has settled. */
async function settledRefund(): Promise<StoredRefund> {
  const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
  const late = () => new Date(now().getTime() + HOUR);
  await followUp(PAYMENTS, await getIntent(PAYMENTS, intent, intent.id), late);
  fake.pay(account, intent.dispatchReference);
  await deliver();
  const [exception] = await listExceptionsOf(merchant.scope, { objectId: intent.id }, null, 1);
  const { id } = await proposeRefund(merchant.byMember(), exception?.id ?? "", "Paid after the order had expired.");
  await confirmRefund(merchant.byMember(), id);
  await workOnDueRefunds(10);
  return read(id);
}

async function deliver(): Promise<void> {
  for (const event of fake.outbox.splice(0)) {
    const { headers, body } = FakeStripe.webhook(event, SECRET);
    await receiveCallback(name, headers, body);
  }
  await applyDueCallbacks(100, 60_000);
}

const read = async (id = refund.id) => (await findRefund(merchant.scope, id)) as StoredRefund;
const dueAt = async (): Promise<Date | null> => {
  const [row] = await query<{ due_at: Date | null }>("SELECT due_at FROM suspense_refund WHERE id = $1", refund.id);
  return row?.due_at ?? null;
};
const settledAt = () => refund.endedAt?.getTime() ?? 0;
/** What the worker does with the due refund, `afterMs` after its settlement. */
const watch = async (afterMs: number) => followUpRefund(await read(), () => new Date(settledAt() + afterMs));
const sendBack = () =>
  Object.assign(account.refunds[0] ?? {}, { status: "failed", failure_reason: "lost_or_stolen_card" });
const suspense = async () => {
  const [row] = await query<{ balance: string }>(
    `SELECT coalesce(sum(balance), 0)::text AS balance FROM ledger_account
     WHERE merchant_id = $1 AND environment = 'live' AND kind = 'suspense'`,
    merchant.merchantId,
  );
  return BigInt(row?.balance ?? 0);
};
const open = async () => {
  const all = await listExceptionsOf(merchant.scope, { state: "open" }, null, 10);
  return all.map(({ kind }) => kind);
};

it("is due six hours after its settlement, and changes nothing while the payer has the money", async () => {
  expect(refund.state).toBe("settled");
  expect((await dueAt())?.getTime()).toBe(settledAt() + 6 * HOUR);
  await watch(6 * HOUR);
  expect([(await read()).state, await suspense(), await open()]).toEqual(["settled", 0n, []]);
  expect((await dueAt())?.getTime()).toBe(settledAt() + 12 * HOUR);
});

it("that comes back without a webhook is in suspense again, once, and can be decided on", async () => {
  const [opening] = await balanceOf(merchant);
  sendBack();
  await Promise.all([watch(DAY), watch(DAY), watch(DAY)]);
  // Too late: it came back while the worker held it.
  await watch(DAY);
  expect([(await read()).state, await suspense(), await dueAt()]).toEqual(["returned", SUM, null]);
  expect(await open()).toEqual(["late_money"]);
  expect(await balanceOf(merchant)).toEqual([opening, 0n]);
});

it("is found by the worker when it is due, and by no round before", async () => {
  sendBack();
  expect(await workOnDueRefunds(10)).toBe(0);
  await query("UPDATE suspense_refund SET due_at = now() WHERE id = $1", refund.id);
  expect(await workOnDueRefunds(10)).toBe(1);
  expect((await read()).state).toBe("returned");
  expect(await workOnDueRefunds(10)).toBe(0);
});

it("is found by a webhook and the worker at once, and booked once", async () => {
  sendBack();
  fake.announce(account, "refund.failed", account.refunds[0] ?? {});
  await Promise.all([deliver(), watch(DAY)]);
  expect([(await read()).state, await suspense()]).toEqual(["returned", SUM]);
});

it("is asked about some thirty times in thirty days, the last time at their end, and never again", async () => {
  let looks = 0;
  for (let due = await dueAt(); due !== null; due = await dueAt()) {
    looks += 1;
    expect(due.getTime()).toBeLessThanOrEqual(settledAt() + 30 * DAY);
    await watch(due.getTime() - settledAt());
  }
  expect(looks).toBeGreaterThanOrEqual(30);
  expect(looks).toBeLessThanOrEqual(33);
  sendBack();
  expect(await workOnDueRefunds(10)).toBe(0);
  // A webhook still tells it.
  fake.announce(account, "refund.failed", account.refunds[0] ?? {});
  await deliver();
  expect((await read()).state).toBe("returned");
});

it("that comes back on the last day is found", async () => {
  sendBack();
  await watch(30 * DAY);
  expect([(await read()).state, await suspense()]).toEqual(["returned", SUM]);
});

describe("a provider that cannot be asked", () => {
  it.each([
    ["removed", () => configureGateways(null)],
    ["of another account", () => configure({ account: "acct_1Other" })],
  ])("since it is %s asks for nobody, and the watch goes on", async (_, change) => {
    change();
    await query("UPDATE suspense_refund SET due_at = now() WHERE id = $1", refund.id);
    expect(await workOnDueRefunds(10)).toBe(1);
    expect([(await read()).state, await open()]).toEqual(["settled", []]);
    expect(((await dueAt())?.getTime() ?? 0) > now().getTime() + 5 * HOUR).toBe(true);
  });

  it("since it does not answer is asked again", async () => {
    fake.spoil(/GET .v1.refunds/, "lost_answer");
    sendBack();
    await watch(DAY);
    expect((await read()).state).toBe("settled");
    await watch(2 * DAY);
    expect((await read()).state).toBe("returned");
  });
});

it("that a provider reports as cancelled after its settlement asks a person, who is not told that it has ended", async () => {
  Object.assign(account.refunds[0] ?? {}, { status: CANCELLED });
  await watch(DAY);
  await resolveEndedStuck();
  expect([(await read()).state, await open()]).toEqual(["settled", ["stuck"]]);
});

it("a refund that is watched keeps nobody from changing the account", async () => {
  configure({ account: "acct_1Theirs", secret_key: `sk_live_${"9".repeat(24)}` });
  fake.open(`sk_live_${"9".repeat(24)}`, { id: "acct_1Theirs", livemode: true });
  await expect(requireProviderAccounts()).resolves.toBeUndefined();
});
