// Payments and payouts through Paystack, from creation to the end, against the hostile fake and a real Postgres: whatever
// calls and webhooks are lost, repeated or late, a reference is executed once and every unit is in an account.
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Account } from "@/e2e/support/fake-paystack/book";
import { FakePaystack } from "@/e2e/support/fake-paystack/server";
import { query } from "@/server/db/client";
import type { PaymentIntent } from "@/server/domain/payment-intent";
import type { PayoutIntent } from "@/server/domain/payout-intent";
import { now } from "@/server/platform/clock";
import { forgetBreakers } from "@/server/psp/breakers";
import { configureGateways } from "@/server/psp/registry";
import { requireInvariants } from "@/server/testing/invariants";
import { balanceOf, makeLiveMerchant, payment, payout, type TestMerchant } from "@/server/testing/merchant";
import { applyDueCallbacks, receiveCallback } from "../callbacks/receive-callback";
import { withoutIdempotency } from "../idempotency/completion";
import { followUp } from "../intents/follow-up";
import { getIntent } from "../intents/read";
import { createPaymentIntent } from "../payments/create";
import { PAYMENTS } from "../payments/kind";
import { createPayoutIntent } from "../payouts/create";
import { PAYOUTS } from "../payouts/kind";
import { requireProviderAccounts } from "./accounts";
import { checkProviders } from "./check";

const KEY = `sk_live_${"0123456789".repeat(4)}`;
const NEW_KEY = `sk_live_${"9876543210".repeat(4)}`;
const OTHER_KEY = `sk_live_${"5".repeat(40)}`;
const SUM = 105_000n;
const MINUTE = 60_000;

let fake: FakePaystack;
let account: Account;
let merchant: TestMerchant;
let opening: bigint;

function configure(changes: object = {}): void {
  const entry = { name: "paystack", type: "paystack", account: "463433", secret_key: KEY, url: fake.url };
  configureGateways(
    JSON.stringify([{ ...entry, payment_methods: "all", payout_currencies: "all", deadline_ms: 20_000, ...changes }]),
  );
}

beforeAll(async () => {
  fake = await FakePaystack.start();
});
afterAll(async () => {
  await fake.stop();
  configureGateways(null);
});
beforeEach(async () => {
  forgetBreakers();
  fake.clear();
  fake.outbox.length = 0;
  account = fake.open(KEY, { integration: 463_433, domain: "live" });
  account.customers.push("earlier@example.com");
  fake.open(OTHER_KEY, { integration: 99, domain: "live" }).customers.push("theirs@example.com");
  configure();
  merchant = await makeLiveMerchant("NGN");
  [opening] = await balanceOf(merchant, "NGN");
});
afterEach(requireInvariants);

const recipient = {
  type: "bank_account",
  accountNumber: "0123456789",
  bankCode: "058",
  holderName: "Ada Obi",
} as const;
const createPayment = async () => {
  const command = { country: "NG", currency: "NGN", paymentMethod: "NG_USSD", customer: { email: "ada@example.com" } };
  const wanted = payment({ ...command, amount: SUM.toString() });
  return (await createPaymentIntent(merchant.context, wanted, withoutIdempotency())).intent;
};
/** A payout that the worker has dispatched. */
const createPayout = async () => {
  const wanted = payout({ country: "NG", currency: "NGN", amount: SUM.toString(), recipient });
  const { intent } = await createPayoutIntent(merchant.context, wanted, withoutIdempotency());
  return followPayout(intent);
};
const readPayment = ({ id }: PaymentIntent) => getIntent(PAYMENTS, merchant.scope, id);
const readPayout = ({ id }: PayoutIntent) => getIntent(PAYOUTS, merchant.scope, id);
const clockAhead = (ms: number) => () => new Date(now().getTime() + ms);

async function followPayment(intent: PaymentIntent, aheadMs = 0): Promise<PaymentIntent> {
  await followUp(PAYMENTS, await readPayment(intent), clockAhead(aheadMs));
  return readPayment(intent);
}

async function followPayout(intent: PayoutIntent, aheadMs = 0): Promise<PayoutIntent> {
  await followUp(PAYOUTS, await readPayout(intent), clockAhead(aheadMs));
  return readPayout(intent);
}

/** Delivers the waiting webhooks and tries them; `order` rearranges them. */
async function deliver(order = <Event>(events: readonly Event[]) => events, key = KEY): Promise<void> {
  for (const event of order(fake.outbox.splice(0))) {
    const { headers, body } = FakePaystack.webhook(event, key);
    await receiveCallback("paystack", headers, body);
    await applyDueCallbacks(100, 60_000);
  }
}

const transactionOf = ({ dispatchReference }: PaymentIntent) => dispatchReference.replaceAll("_", "-");
const suspense = async () => {
  const [row] = await query<{ balance: string }>(
    `SELECT coalesce(sum(balance), 0)::text AS balance FROM ledger_account
     WHERE merchant_id = $1 AND environment = 'live' AND kind = 'suspense'`,
    merchant.merchantId,
  );
  return BigInt(row?.balance ?? 0);
};
const exceptionsOf = async (kind: string) =>
  query<{ detail: Record<string, string | null> }>(
    "SELECT detail FROM exception WHERE merchant_id = $1 AND kind = $2 AND resolved_at IS NULL",
    merchant.merchantId,
    kind,
  );

describe("a payment", () => {
  it("is shown, paid, and credited by its webhook, which is only a hint", async () => {
    const intent = await createPayment();
    expect(intent).toMatchObject({ status: "requires_action", nextAction: { type: "redirect_to_url" } });
    fake.pay(account, transactionOf(intent));
    const [event] = fake.outbox;
    if (event) Object.assign(event.data, { amount: 999_999_999, status: "success" });
    await deliver();
    expect((await readPayment(intent)).status).toBe("succeeded");
    expect(await balanceOf(merchant, "NGN")).toEqual([opening + SUM, 0n]);
  });

  it("is not believed to be paid because of a webhook", async () => {
    const intent = await createPayment();
    fake.outbox.push({ event: "charge.success", data: { reference: transactionOf(intent), status: "success" } });
    await deliver();
    expect((await readPayment(intent)).status).toBe("requires_action");
  });

  it("is credited once by the worker and by repeated and late webhooks", async () => {
    const intent = await createPayment();
    fake.pay(account, transactionOf(intent));
    const events = [...fake.outbox];
    expect((await followPayment(intent)).status).toBe("succeeded");
    fake.outbox.push(...events, ...events);
    await deliver();
    expect(await balanceOf(merchant, "NGN")).toEqual([opening + SUM, 0n]);
  });

  it("expires unpaid, and late money goes to suspense", async () => {
    const intent = await createPayment();
    expect((await followPayment(intent, 31 * MINUTE)).status).toBe("expired");
    fake.pay(account, transactionOf(intent));
    await deliver();
    expect((await readPayment(intent)).status).toBe("expired");
    expect(await suspense()).toBe(SUM);
    expect(await exceptionsOf("late_money")).toHaveLength(1);
    expect(await balanceOf(merchant, "NGN")).toEqual([opening, 0n]);
  });

  it("does not expire while Paystack does not answer", async () => {
    const intent = await createPayment();
    fake.spoil(/verify/, "error_before", "rate_limited", "lost_answer");
    for (let poll = 0; poll < 3; poll += 1) {
      expect((await followPayment(intent, 31 * MINUTE)).status).toBe("requires_action");
    }
  });

  it("of another sum is booked to suspense", async () => {
    const intent = await createPayment();
    fake.pay(account, transactionOf(intent), Number(SUM) + 1_575);
    await deliver();
    expect(await suspense()).toBe(SUM + 1_575n);
    expect(await exceptionsOf("amount_mismatch")).toHaveLength(1);
  });

  it("whose creation was executed but not answered is neither created again nor failed", async () => {
    fake.spoil(/initialize/, "lost_answer");
    const intent = await createPayment();
    expect(intent.status).toBe("processing");
    expect((await followPayment(intent, MINUTE)).status).toBe("processing");
    expect(account.transactions.size).toBe(1);
    expect((await followPayment(intent, 31 * MINUTE)).status).toBe("expired");
  });

  it("whose creation never arrived is sent again", async () => {
    fake.spoil(/initialize/, "lost_request");
    const intent = await createPayment();
    expect((await followPayment(intent)).status).toBe("requires_action");
  });

  it("with a status that Sluice does not know stays open and opens an exception", async () => {
    const intent = await createPayment();
    account.findTransaction(transactionOf(intent)).status = "half_paid";
    expect((await followPayment(intent, 31 * MINUTE)).status).toBe("requires_action");
    expect(await exceptionsOf("stuck")).toMatchObject([{ detail: { why: expect.stringContaining("half_paid") } }]);
  });

  it("that is disputed opens an exception of its merchant", async () => {
    const intent = await createPayment();
    fake.outbox.push({ event: "charge.dispute.create", data: { transaction: { reference: transactionOf(intent) } } });
    await deliver();
    expect(await exceptionsOf("unapplied_callback")).toHaveLength(1);
  });
});

describe("a payout", () => {
  it("settles by its webhook", async () => {
    const intent = await createPayout();
    fake.move(account, intent.dispatchReference, "success");
    await deliver();
    expect((await readPayout(intent)).status).toBe("succeeded");
    expect(await balanceOf(merchant, "NGN")).toEqual([opening - SUM, 0n]);
  });

  it("executed without an answer, then not found, is sent again and executed once", async () => {
    fake.spoil(/POST .transfer$/, "lost_answer");
    const intent = await createPayout();
    fake.spoil(/transfer.verify/, "not_found");
    await followPayout(intent);
    expect(account.executions).toEqual([intent.dispatchReference]);
    fake.move(account, intent.dispatchReference, "success");
    expect((await followPayout(intent, MINUTE)).status).toBe("succeeded");
    expect(account.executions).toEqual([intent.dispatchReference]);
  });

  it("whose call about the recipient fails is sent by the worker later", async () => {
    fake.spoil(/transferrecipient/, "lost_answer");
    const intent = await createPayout();
    expect(account.executions).toEqual([]);
    await followPayout(intent, MINUTE);
    expect(account.executions).toEqual([intent.dispatchReference]);
  });

  it("reversed after success is returned to the wallet", async () => {
    const intent = await createPayout();
    fake.move(account, intent.dispatchReference, "success");
    await deliver();
    fake.move(account, intent.dispatchReference, "reversed");
    await deliver();
    expect((await readPayout(intent)).status).toBe("succeeded");
    expect(await balanceOf(merchant, "NGN")).toEqual([opening, 0n]);
    expect(await exceptionsOf("bank_return")).toHaveLength(1);
  });

  it("that failed releases its hold, also if the webhooks arrive in reverse", async () => {
    const intent = await createPayout();
    fake.move(account, intent.dispatchReference, "pending");
    fake.move(account, intent.dispatchReference, "failed");
    await deliver((events) => [...events].reverse());
    expect((await readPayout(intent)).status).toBe("failed");
    expect(await balanceOf(merchant, "NGN")).toEqual([opening, 0n]);
  });

  it("that waits for a code stays open, and an exception says what to do", async () => {
    account.firstStatus = "otp";
    const intent = await createPayout();
    expect((await followPayout(intent, MINUTE)).status).toBe("processing");
    expect(await exceptionsOf("stuck")).toMatchObject([{ detail: { why: expect.stringContaining("one-time code") } }]);
  });
});

describe("another account", () => {
  it("is refused at startup while work of the first is open, and never polled about it", async () => {
    const [ours, theirs] = [{ name: "two" }, { name: "two", account: "99", secret_key: OTHER_KEY }];
    configure(ours);
    const intent = await createPayout();
    configure(theirs);
    await expect(requireProviderAccounts()).rejects.toThrow("1 open intents were sent to account 463433");
    const calls = fake.calls.length;
    await expect(followPayout(intent, MINUTE)).rejects.toThrow("another account");
    expect(fake.calls.length).toBe(calls);
    configure(ours);
    fake.move(account, intent.dispatchReference, "success");
    expect((await followPayout(intent, MINUTE)).status).toBe("succeeded");
    configure(theirs);
    await expect(requireProviderAccounts()).resolves.toBeUndefined();
  });

  it("is refused at startup if its key is configured under the account's id", async () => {
    configure({ secret_key: OTHER_KEY });
    await expect(requireProviderAccounts()).rejects.toThrow("belongs to account 99, not to 463433");
  });

  it("is not what a new key of the account is: its old webhooks are still accepted", async () => {
    const intent = await createPayout();
    fake.open(NEW_KEY, account);
    configure({ secret_key: NEW_KEY, webhook_secrets: [KEY] });
    await expect(requireProviderAccounts()).resolves.toBeUndefined();
    fake.move(account, intent.dispatchReference, "success");
    await deliver(undefined, KEY);
    expect((await readPayout(intent)).status).toBe("succeeded");
  });

  it("does not keep the service from starting while Paystack does not answer", async () => {
    fake.spoil(/./, "error_before", "error_before", "error_before", "error_before");
    await expect(requireProviderAccounts()).resolves.toBeUndefined();
  });

  it("shows in a check of the providers", async () => {
    expect(await checkProviders()).toMatchObject([
      { name: "paystack", account: "463433", payoutCurrencies: ["GHS", "NGN", "ZAR"], paymentMethods: { length: 4 } },
    ]);
    configure({ secret_key: `sk_live_${"7".repeat(40)}` });
    const [check] = await checkProviders();
    expect(check?.findings[0]).toEqual({ level: "fault", text: "Paystack rejects secret_key" });
  });
});

const FAULTS: readonly Parameters<FakePaystack["spoil"]>[1][] = [
  "lost_request",
  "lost_answer",
  "error_before",
  "error_after",
  "rate_limited",
  "html",
  "not_found",
];
const faults = fc.array(fc.constantFrom(...FAULTS), { maxLength: 4 });
const endings = fc.constantFrom("success", "failed", "reversed", "abandoned", "rejected");

it("whatever goes wrong, a payout is executed at most once and its money is accounted for", async () => {
  const property = fc.asyncProperty(
    faults,
    faults,
    faults,
    endings,
    fc.boolean(),
    async (atRecipient, atTransfer, atPoll, ending, isHeard) => {
      forgetBreakers();
      fake.clear();
      fake.outbox.length = 0;
      const [before] = await balanceOf(merchant, "NGN");
      fake.spoil(/POST .transferrecipient/, ...atRecipient);
      fake.spoil(/POST .transfer$/, ...atTransfer);
      fake.spoil(/GET .transfer.verify/, ...atPoll);
      const intent = await createPayout();
      const follow = async (round: number) => {
        if ((await readPayout(intent)).status === "processing") await followPayout(intent, round * MINUTE);
      };
      // Each of up to twelve faults costs a round, and what was perhaps sent and is not found is sent again after a while only.
      for (let round = 1; round <= 30; round += 1) await follow(round);
      const isExecuted = account.executions.includes(intent.dispatchReference);
      if (isExecuted) fake.move(account, intent.dispatchReference, ending);
      if (isHeard) await deliver();
      for (let round = 31; round <= 33; round += 1) await follow(round);
      const executions = account.executions.filter((reference) => reference === intent.dispatchReference).length;
      expect(executions).toBeLessThanOrEqual(1);
      const after = await readPayout(intent);
      const [available, held] = await balanceOf(merchant, "NGN");
      expect(held).toBe(0n);
      const hasLeft = executions === 1 && ending === "success";
      expect(after.status).toBe(executions === 1 && ["success", "reversed"].includes(ending) ? "succeeded" : "failed");
      expect(available).toBe(before - (hasLeft ? SUM : 0n));
      expect(await suspense()).toBe(0n);
    },
  );
  await fc.assert(property, { numRuns: 25, endOnFailure: true });
});
