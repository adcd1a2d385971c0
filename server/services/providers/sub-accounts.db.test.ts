// Two merchants with an account each under the operator's account at Stripe, and at Xendit for payouts: the sub-account of an
// intent is that of its first call for good, and no webhook of another one touches it.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { StripeAccount } from "@/e2e/support/fake-stripe/book";
import { CANCELLED } from "@/e2e/support/fake-stripe/objects";
import { FakeStripe } from "@/e2e/support/fake-stripe/server";
import type { XenditAccount } from "@/e2e/support/fake-xendit/book";
import { FakeXendit } from "@/e2e/support/fake-xendit/server";
import { listAttempts } from "@/server/db/attempts";
import { query } from "@/server/db/client";
import { listExceptionsOf } from "@/server/db/exceptions";
import type { PaymentIntent } from "@/server/domain/payment-intent";
import { now } from "@/server/platform/clock";
import { forgetBreakers, isOpen } from "@/server/psp/breakers";
import { breakerChannel, configureGateways } from "@/server/psp/registry";
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
import { confirmRefund } from "../refunds/decide";
import { workOnDueRefunds } from "../refunds/due-refunds";
import { proposeRefund } from "../refunds/propose";
import { requireProviderAccounts } from "./accounts";
import { checkProviders } from "./check";
import { readProviderStatus } from "./status";

const KEY = `sk_live_${"0".repeat(24)}`;
const XENDIT_KEY = `xnd_production_${"0".repeat(24)}`;
const SECRET = "whsec_0123456789abcdef0123456789abcdef";
const PLATFORM = "acct_1Platform";
const MASTER = "5f27a14a9bf05c73dd040bc8";
const SUB_BUSINESS = "5f27a14a9bf05c73dd040b01";
const [ONE, OTHER] = ["acct_1One", "acct_1Other"];
const SUM = 105_000n;
const MINUTE = 60_000;

/** Of the entry; each test has its own, since open payments of others would keep it from starting. */
let name: string;
let entries = 0;
let stripe: FakeStripe;
let xendit: FakeXendit;
let platform: StripeAccount;
let ofMine: StripeAccount;
let ofTheirs: StripeAccount;
let mine: TestMerchant;
let theirs: TestMerchant;

const offers = { payment_methods: "all", deadline_ms: 20_000 };

function configure(sub_accounts: object | undefined = { [mine.merchantId]: ONE, [theirs.merchantId]: OTHER }): void {
  const account = { name, type: "stripe", account: PLATFORM, secret_key: KEY, webhook_secrets: [SECRET] };
  configureGateways(JSON.stringify([{ ...account, ...offers, url: stripe.url, sub_accounts }]));
}

beforeAll(async () => {
  stripe = await FakeStripe.start();
  xendit = await FakeXendit.start();
});
afterAll(async () => {
  await Promise.all([stripe.stop(), xendit.stop()]);
  configureGateways(null);
});
beforeEach(async () => {
  entries += 1;
  name = `stripe-${entries}`;
  forgetBreakers();
  stripe.clear();
  stripe.calls.length = 0;
  stripe.outbox.length = 0;
  platform = stripe.open(KEY, { id: PLATFORM, livemode: true });
  ofMine = stripe.openSubAccount(KEY, ONE, { id: ONE, livemode: true });
  ofTheirs = stripe.openSubAccount(KEY, OTHER, { id: OTHER, livemode: true });
  [mine, theirs] = [await makeLiveMerchant(), await makeLiveMerchant()];
  configure();
});
afterEach(requireInvariants);

const pay = async ({ context }: TestMerchant) =>
  (await createPaymentIntent(context, payment({ amount: SUM.toString() }), withoutIdempotency())).intent;
const read = (intent: PaymentIntent) => getIntent(PAYMENTS, intent, intent.id);

async function follow(intent: PaymentIntent, aheadMs = 0): Promise<PaymentIntent> {
  await followUp(PAYMENTS, await read(intent), () => new Date(now().getTime() + aheadMs));
  return read(intent);
}

async function deliver(event: object): Promise<void> {
  const { headers, body } = FakeStripe.webhook(event, SECRET);
  await receiveCallback(name, headers, body);
  await applyDueCallbacks(100, 60_000);
}

/** The webhook of a payment, as Stripe would send it about another account. */
function webhookOf(intent: PaymentIntent, account: string | undefined, type = "payment_intent.succeeded"): object {
  const metadata = { sluice_reference: intent.dispatchReference };
  const event = {
    id: `evt_${intent.id}_${account}_${type.length}`,
    object: "event",
    type,
    data: { object: { metadata } },
  };
  return account === undefined ? event : { ...event, account };
}

const suspense = async ({ merchantId }: TestMerchant) => {
  const [row] = await query<{ balance: string }>(
    `SELECT coalesce(sum(balance), 0)::text AS balance FROM ledger_account
     WHERE merchant_id = $1 AND environment = 'live' AND kind = 'suspense'`,
    merchantId,
  );
  return BigInt(row?.balance ?? 0);
};
const accountsOf = async ({ merchantId, id }: PaymentIntent) =>
  (await listAttempts(merchantId, id)).map(({ account, subAccount }) => [account, subAccount]);

describe("a payment", () => {
  it("goes to its merchant's account, which is recorded with the call", async () => {
    const [first, second] = [await pay(mine), await pay(theirs)];
    expect([first.status, second.status]).toEqual(["requires_action", "requires_action"]);
    expect([ofMine.intents.length, ofTheirs.intents.length, platform.intents.length]).toEqual([1, 1, 0]);
    expect([await accountsOf(first), await accountsOf(second)]).toEqual([[[PLATFORM, ONE]], [[PLATFORM, OTHER]]]);
  });

  it("is credited by the webhook of its account, once", async () => {
    const intent = await pay(mine);
    const [opening] = await balanceOf(mine);
    stripe.pay(ofMine, intent.dispatchReference);
    const events = stripe.outbox.splice(0);
    for (const event of [...events, ...events]) await deliver(event);
    expect((await read(intent)).status).toBe("succeeded");
    expect(await balanceOf(mine)).toEqual([opening + SUM, 0n]);
  });

  it.each([
    ["another merchant's account", OTHER],
    ["an account that is not configured", "acct_1Unknown"],
    ["the platform's own account", undefined],
  ])("is not even polled because of a webhook of %s", async (_, account) => {
    const intent = await pay(mine);
    stripe.pay(ofMine, intent.dispatchReference);
    stripe.calls.length = 0;
    await deliver(webhookOf(intent, account));
    expect(stripe.calls).toEqual([]);
    expect((await read(intent)).status).toBe("requires_action");
  });

  it("gets no exception from a dispute in another merchant's account", async () => {
    const intent = await pay(mine);
    await deliver(webhookOf(intent, OTHER, "charge.dispute.created"));
    expect(await listExceptionsOf(mine.scope, {}, null, 10)).toEqual([]);
    await deliver(webhookOf(intent, ONE, "charge.dispute.created"));
    expect(await listExceptionsOf(mine.scope, {}, null, 10)).toHaveLength(1);
  });

  it("is closed at its end, and its late money goes to suspense and back, all in the account of its first call", async () => {
    const intent = await pay(mine);
    const [object] = ofMine.intents;
    expect((await follow(intent, 31 * MINUTE)).status).toBe("expired");
    expect(object?.status).toBe(CANCELLED);
    // The mapping changes after the end: what follows concerns the old account.
    const moved = "acct_1Moved";
    stripe.openSubAccount(KEY, moved, { id: moved, livemode: true });
    configure({ [mine.merchantId]: moved, [theirs.merchantId]: OTHER });
    await requireProviderAccounts();
    stripe.pay(ofMine, intent.dispatchReference);
    await deliver(stripe.outbox.pop() ?? {});
    expect(await suspense(mine)).toBe(SUM);
    const [exception] = await listExceptionsOf(mine.scope, { objectId: intent.id }, null, 1);
    const { id } = await proposeRefund(mine.byMember(), exception?.id ?? "", "Paid after the order had expired.");
    await confirmRefund(mine.byMember(), id);
    await workOnDueRefunds(10);
    expect([await suspense(mine), ofMine.refunds.length]).toEqual([0n, 1]);
    const [sent] = await listAttempts(mine.merchantId, id);
    expect(sent).toMatchObject({ account: PLATFORM, subAccount: ONE });
    expect((await pay(mine)).status).toBe("requires_action");
    expect(await accountsOf(await pay(mine))).toEqual([[PLATFORM, moved]]);
  });

  it("whose answer was lost is found in its account, and not created again", async () => {
    stripe.spoil(/POST .v1.payment_intents$/, "lost_answer");
    const intent = await pay(mine);
    expect(intent.status).toBe("processing");
    expect((await follow(intent)).status).toBe("requires_action");
    expect([ofMine.intents.length, platform.intents.length]).toEqual([1, 0]);
  });

  it("is polled in the account of its first call, also by a process with another configuration", async () => {
    stripe.spoil(/POST .v1.payment_intents$/, "lost_answer");
    const intent = await pay(mine);
    configure({ [mine.merchantId]: "acct_1Moved" });
    expect((await follow(intent)).status).toBe("requires_action");
    configure(undefined);
    stripe.pay(ofMine, intent.dispatchReference);
    expect((await follow(intent)).status).toBe("succeeded");
    expect([ofMine.intents.length, platform.intents.length]).toEqual([1, 0]);
  });

  it("of a merchant without an account is refused before anything is written", async () => {
    configure({ [theirs.merchantId]: OTHER });
    await expect(pay(mine)).rejects.toThrow("payment_method is not offered");
    expect(platform.intents).toEqual([]);
  });
});

describe("a start", () => {
  it.each([
    ["changed", () => ({ [mine.merchantId]: "acct_1Moved", [theirs.merchantId]: OTHER }), "sub-account acct_1Moved"],
    ["removed", () => ({ [theirs.merchantId]: OTHER }), "no sub-account"],
    ["exchanged", () => ({ [mine.merchantId]: OTHER, [theirs.merchantId]: ONE }), `sub-account ${OTHER}`],
  ])("is refused while payments of an account that was %s are open", async (_, mapping, present) => {
    await pay(mine);
    await requireProviderAccounts();
    configure(mapping());
    await expect(requireProviderAccounts()).rejects.toThrow(
      `${name} is configured with ${present} for ${mine.merchantId}, but 1 open intents of ${mine.merchantId} were sent to sub-account ${ONE}`,
    );
    configure();
    await requireProviderAccounts();
  });

  it("is refused if sub-accounts are introduced while payments of the operator's account are open", async () => {
    configureGateways(null);
    const account = { name, type: "stripe", account: PLATFORM, secret_key: KEY, webhook_secrets: [SECRET] };
    configureGateways(JSON.stringify([{ ...account, ...offers, url: stripe.url }]));
    const intent = await pay(mine);
    expect(platform.intents).toHaveLength(1);
    configure();
    await expect(requireProviderAccounts()).rejects.toThrow("were sent to no sub-account");
    // A process that runs already looks where the payment is.
    stripe.pay(platform, intent.dispatchReference);
    expect((await follow(intent)).status).toBe("succeeded");
  });
});

it("calls of one intent that went to two accounts need a person, and no further call is made", async () => {
  stripe.spoil(/POST .v1.payment_intents$/, "lost_answer");
  const intent = await pay(mine);
  await query(
    `INSERT INTO provider_attempt (merchant_id, id, environment, intent_id, ordinal, provider, provider_account,
                                   provider_sub_account, reference, state, started_at)
     SELECT merchant_id, 'patt_second', environment, intent_id, 2, provider, provider_account, $2, reference, 'started', now()
     FROM provider_attempt WHERE intent_id = $1`,
    intent.id,
    OTHER,
  );
  stripe.calls.length = 0;
  await expect(follow(intent)).rejects.toThrow(`calls to ${name} went to several sub-accounts`);
  expect(stripe.calls).toEqual([]);
});

it("an account that was closed does not hold back the payments of the others", async () => {
  stripe.closeSubAccount(KEY, ONE);
  for (let n = 0; n < 20; n += 1) expect((await pay(mine)).status).not.toBe("requires_action");
  expect((await pay(theirs)).status).toBe("requires_action");
  const { merchantId } = mine;
  const isHeldBack = (id: string) => isOpen(name, breakerChannel(name, "BR_PIX", id));
  expect([isHeldBack(merchantId), isHeldBack(theirs.merchantId)]).toEqual([true, false]);
});

it("the operator sees each merchant's account, its state and its balance", async () => {
  ofMine.available = [{ amount: 4_200, currency: "brl" }];
  stripe.closeSubAccount(KEY, OTHER);
  const [checked] = await checkProviders();
  expect(checked?.subAccounts).toMatchObject([
    { merchantId: mine.merchantId, subAccount: ONE, findings: [{ level: "ok" }] },
    { merchantId: theirs.merchantId, subAccount: OTHER, findings: [{ level: "fault" }] },
  ]);
  // One merchant's account does not keep the service from starting.
  await requireProviderAccounts();
  const status = (await readProviderStatus()).find((one) => one.name === name);
  expect(status?.subAccounts).toEqual([
    { merchantId: mine.merchantId, subAccount: ONE, balances: [{ amount: 4_200n, currency: "BRL" }] },
    { merchantId: theirs.merchantId, subAccount: OTHER, balances: null },
  ]);
});

describe("a payout", () => {
  let master: XenditAccount;
  let ofMerchant: XenditAccount;
  let merchant: TestMerchant;
  const recipient = {
    type: "bank_account",
    accountNumber: "000000000099",
    bankCode: "PH_BDO",
    holderName: "Maria Santos",
  } as const;

  beforeEach(async () => {
    xendit.clear();
    master = xendit.open(XENDIT_KEY, { business_id: MASTER });
    ofMerchant = xendit.openSubAccount(XENDIT_KEY, SUB_BUSINESS, { business_id: SUB_BUSINESS });
    merchant = await makeLiveMerchant("PHP");
    const account = { name: "xendit", type: "xendit", account: MASTER, secret_key: XENDIT_KEY, url: xendit.url };
    const more = { payout_currencies: "all", webhook_tokens: ["t0123456789abcdef0123456789"] };
    const sub_accounts = { [merchant.merchantId]: SUB_BUSINESS };
    configureGateways(JSON.stringify([{ ...account, ...offers, ...more, sub_accounts }]));
  });

  const send = async () => {
    const wanted = payout({ country: "PH", currency: "PHP", amount: SUM.toString(), recipient });
    const { intent } = await createPayoutIntent(merchant.context, wanted, withoutIdempotency());
    await followUp(PAYOUTS, await getIntent(PAYOUTS, intent, intent.id), now);
    return getIntent(PAYOUTS, intent, intent.id);
  };

  it("leaves the merchant's own balance, and is found there after a lost answer", async () => {
    xendit.spoil(/POST .v2.payouts$/, "lost_answer");
    const { id, scope } = { ...(await send()), scope: merchant.scope };
    await followUp(PAYOUTS, await getIntent(PAYOUTS, scope, id), now);
    xendit.move(ofMerchant, ofMerchant.executions[0] ?? "", "SUCCEEDED");
    await followUp(PAYOUTS, await getIntent(PAYOUTS, scope, id), now);
    expect((await getIntent(PAYOUTS, scope, id)).status).toBe("succeeded");
    expect([ofMerchant.executions.length, master.executions.length]).toEqual([1, 0]);
  });
});
