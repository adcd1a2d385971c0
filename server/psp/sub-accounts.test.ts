// Merchants with an account of their own under the operator's account at Stripe and Xendit: every call about their intents goes
// there, and what is found or not found there is not confused with the operator's account.
import { describe, expect, it } from "vitest";
import type { StripeAccount } from "@/e2e/support/fake-stripe/book";
import { FakeStripe } from "@/e2e/support/fake-stripe/server";
import type { XenditAccount } from "@/e2e/support/fake-xendit/book";
import { FakeXendit } from "@/e2e/support/fake-xendit/server";
import type { Creation, Gateway, PaymentRequest, RefundRequest } from "./gateway";
import { readProviderConfigs } from "./provider-configs";
import { buildProvider } from "./registry";
import { createStripeReceiver } from "./stripe/callbacks";
import { withFake } from "./testing/fake";
import { kindOf, kinds, needs, signal } from "./testing/outcomes";
import { samplePayment, samplePayout } from "./testing/requests";
import { createXenditReceiver } from "./xendit/callbacks";

const ONE = "mer_01h455vb4pex5vsknk084sn02q";
const OTHER = "mer_01h455vb4pex5vsknk084sn02r";
const PAYMENT = "dord_01h455vb4pex5vsknk084sn02q";
const createdAt = new Date();
const expiresAt = new Date(createdAt.getTime() + 30 * 60_000);

const providerAt = (entry: object) => {
  const [config] = readProviderConfigs(JSON.stringify([{ ...entry, environments: ["test"], payment_methods: "all" }]));
  if (!config) throw new Error("no entry");
  return buildProvider(config);
};
const earlier = (providerReference: string | null, account: string) => ({ earlier: { providerReference, account } });

describe("Stripe Connect", () => {
  const KEY = `sk_test_${"0".repeat(24)}`;
  const OTHER_KEY = `sk_test_${"9".repeat(24)}`;
  const PLATFORM = "acct_1Platform";
  const SUB = "acct_1One";
  const entry = { name: "stripe", type: "stripe", account: PLATFORM, webhook_secrets: ["whsec_0123456789abcdef"] };
  let fake: FakeStripe;
  let platform: StripeAccount;
  let sub: StripeAccount;
  let gateway: Gateway;

  const provider = (secret_key = KEY) =>
    providerAt({ ...entry, secret_key, url: fake.url, sub_accounts: { [ONE]: SUB, [OTHER]: "acct_1Other" } });

  withFake(FakeStripe.start, (started) => {
    fake = started;
    platform = fake.open(KEY, { id: PLATFORM, livemode: false });
    sub = fake.openSubAccount(KEY, SUB, { id: SUB, livemode: false });
    fake.open(OTHER_KEY, { id: "acct_1Theirs", livemode: false });
    fake.openSubAccount(OTHER_KEY, SUB, { id: SUB, livemode: false });
    ({ gateway } = provider());
  });

  const wanted = (changes: Partial<PaymentRequest> = {}) =>
    samplePayment(10_500n, "BR_PIX", { createdAt, expiresAt, subAccount: SUB, ...changes });
  const create = (request = wanted()) => gateway.createPayment(request, signal);
  const query = (request = wanted()) => gateway.queryPayment(request, signal, createdAt);
  const accounts = () => fake.calls.map(({ headers }) => headers["stripe-account"]);

  it("collects on the connected account, and tells its merchants' accounts", async () => {
    expect(gateway).toMatchObject({ account: PLATFORM, subAccounts: { [ONE]: SUB } });
    expect(await create()).toMatchObject({ kind: "requires_action" });
    expect([sub.intents.length, platform.intents.length]).toEqual([1, 0]);
    expect(
      fake.calls.filter(({ method }) => method === "POST").map(({ headers }) => headers["stripe-account"]),
    ).toEqual([SUB]);
  });

  it("polls, closes, and refunds there", async () => {
    await create();
    const { id } = fake.pay(sub, PAYMENT);
    expect(kinds(await query())).toEqual(["succeeded"]);
    const known = { ...wanted(), ...earlier(id, PLATFORM) };
    expect(kinds(await query(known as Creation<PaymentRequest>))).toEqual(["succeeded"]);
    const refund: Creation<RefundRequest> = {
      reference: "sref_01h455vb4pex5vsknk084sn02q",
      merchantId: ONE,
      environment: "test",
      createdAt,
      amount: 10_500n,
      currency: "BRL",
      subAccount: SUB,
      announcedAt: new Date(),
      payment: { reference: PAYMENT, providerReference: id, receiptId: id },
    };
    expect(await kindOf(Promise.resolve(gateway.createRefund?.(refund, signal)))).toBe("settled");
    expect(kinds((await gateway.queryRefund?.(refund, signal, createdAt)) ?? [])).toEqual(["settled"]);
    expect([sub.refunds.length, platform.refunds.length]).toEqual([1, 0]);
    fake.calls.length = 0;
    await gateway.cancelPayment?.(known, signal);
    expect(new Set(accounts())).toEqual(new Set([SUB]));
  });

  it("keeps work of the operator's account apart: it has no header", async () => {
    expect(await create(wanted({ subAccount: null }))).toMatchObject({ kind: "requires_action" });
    expect([sub.intents.length, platform.intents.length]).toEqual([0, 1]);
    expect(kinds(await query())).toEqual(["never_accepted"]);
  });

  it("sends nothing to an account that the key may not act for, and proves nothing there", async () => {
    fake.closeSubAccount(KEY, SUB);
    expect(await kindOf(create())).toBe("not_sent");
    expect(fake.calls.filter(({ method }) => method === "POST")).toEqual([]);
    expect(kinds(await query())).toEqual(["unknown"]);
    sub = fake.openSubAccount(KEY, SUB, { id: SUB, livemode: false });
    expect(await kindOf(create())).toBe("requires_action");
  });

  it("does not believe another platform's key about the same connected account", async () => {
    await create();
    sub.intents.length = 0;
    const { gateway: theirs } = provider(OTHER_KEY);
    const outcomes = await theirs.queryPayment(wanted(), signal, createdAt);
    expect([kinds(outcomes), needs(outcomes)]).toEqual([["unknown"], [true]]);
    expect(await kindOf(theirs.createPayment(wanted(), signal))).toBe("not_sent");
  });

  it("an account that Stripe answers for another one sends nothing", async () => {
    fake.openSubAccount(KEY, SUB, { id: PLATFORM, livemode: false });
    expect(await kindOf(create())).toBe("not_sent");
    const outcomes = await query();
    expect([kinds(outcomes), needs(outcomes)]).toEqual([["unknown"], [true]]);
  });

  it("reads balances and checks each account", async () => {
    sub.available = [{ amount: 777, currency: "brl" }];
    const { readBalances, inspectSubAccount } = provider();
    expect(await readBalances?.(signal, SUB)).toEqual([{ amount: 777n, currency: "BRL" }]);
    expect(await readBalances?.(signal, null)).toEqual([{ amount: 12_345n, currency: "EUR" }]);
    expect(await inspectSubAccount?.(SUB, signal)).toMatchObject([{ level: "ok" }]);
    expect(await inspectSubAccount?.("acct_1Other", signal)).toMatchObject([{ level: "fault" }]);
  });

  it("a webhook names the account that it is about", () => {
    const { readCallback } = createStripeReceiver({ webhook_secrets: ["whsec_0123456789abcdef"] });
    const event = { id: "evt_1", object: "event", data: { object: { metadata: { sluice_reference: PAYMENT } } } };
    const read = (members: object) => readCallback(JSON.stringify({ ...event, ...members }));
    const paid = { type: "payment_intent.succeeded" };
    expect(read({ ...paid, account: SUB })).toMatchObject({ kind: "hint", reference: PAYMENT, subAccount: SUB });
    expect(read(paid)).not.toHaveProperty("subAccount");
    const dispute = { type: "charge.dispute.created", account: SUB };
    expect(read(dispute)).toMatchObject({ kind: "unreadable", subAccount: SUB });
    expect(read({ ...paid, account: { id: SUB } })).toMatchObject({ kind: "unreadable", reference: null });
  });
});

describe("xenPlatform", () => {
  const KEY = `xnd_development_${"0".repeat(24)}`;
  const MASTER = "5f27a14a9bf05c73dd040bc8";
  const SUB = "5f27a14a9bf05c73dd040b01";
  const TOKEN = "t0123456789abcdef0123456789";
  const recipient = { accountNumber: "000000000099", bankCode: "PH_BDO", holderName: "Maria Santos" };
  let fake: FakeXendit;
  let master: XenditAccount;
  let sub: XenditAccount;
  let gateway: Gateway;

  const provider = () =>
    providerAt({
      name: "xendit",
      type: "xendit",
      account: MASTER,
      secret_key: KEY,
      webhook_tokens: [TOKEN],
      payout_currencies: "all",
      sub_accounts: { [ONE]: SUB },
      url: fake.url,
    });

  withFake(FakeXendit.start, (started) => {
    fake = started;
    master = fake.open(KEY, { business_id: MASTER });
    sub = fake.openSubAccount(KEY, SUB, { business_id: SUB });
    ({ gateway } = provider());
  });

  const wanted = (changes: Partial<PaymentRequest> = {}) =>
    samplePayment(1_050_000n, "ID_QRIS", { createdAt, expiresAt, subAccount: SUB, ...changes });
  const payout = () => samplePayout(9_000_055n, { currency: "PHP", country: "PH", recipient, subAccount: SUB });

  it("collects and pays out from the sub-account, and finds both there", async () => {
    expect(await gateway.createPayment(wanted(), signal)).toMatchObject({ kind: "requires_action" });
    expect(await gateway.createPayout(payout(), signal)).toMatchObject({ kind: "pending" });
    expect([sub.requests.length, sub.executions.length]).toEqual([1, 1]);
    expect([master.requests.length, master.executions.length]).toEqual([0, 0]);
    expect(kinds(await gateway.queryPayout(payout(), signal, createdAt))).toEqual(["pending"]);
    fake.pay(sub, PAYMENT);
    expect(kinds(await gateway.queryPayment(wanted(), signal, createdAt))).toEqual(["succeeded"]);
  });

  it("pays nothing out of an account that is not proven, or that Xendit answers for another one", async () => {
    sub.transactions = 0;
    expect(await kindOf(gateway.createPayout(payout(), signal))).toBe("not_sent");
    fake.openSubAccount(KEY, SUB, { business_id: MASTER });
    expect(await kindOf(gateway.createPayout(payout(), signal))).toBe("not_sent");
    fake.closeSubAccount(KEY, SUB);
    expect(await kindOf(provider().gateway.createPayout(payout(), signal))).toBe("not_sent");
    expect([sub.executions.length, master.executions.length]).toEqual([0, 0]);
  });

  it("does not show the payer a code of the operator's own account", async () => {
    master.transactions = 0;
    fake.openSubAccount(KEY, SUB, { business_id: MASTER }).transactions = 0;
    expect(await gateway.createPayment(wanted(), signal)).toMatchObject({ kind: "unknown", needsOperator: true });
  });

  it("never concludes from an empty list of an unproven account", async () => {
    sub.transactions = 0;
    expect(kinds(await gateway.queryPayout(payout(), signal, createdAt))).toEqual(["unknown"]);
    sub.transactions = 1;
    expect(kinds(await gateway.queryPayout(payout(), signal, createdAt))).toEqual(["never_accepted"]);
  });

  it("reads balances and checks each account", async () => {
    sub.balance = { IDR: 12 };
    const { readBalances, inspectSubAccount } = provider();
    expect(await readBalances?.(signal, SUB)).toEqual([{ amount: 1_200n, currency: "IDR" }]);
    expect(await inspectSubAccount?.(SUB, signal)).toMatchObject([{ level: "ok" }]);
    sub.transactions = 0;
    expect(await inspectSubAccount?.(SUB, signal)).toMatchObject([{ level: "warning" }]);
    fake.closeSubAccount(KEY, SUB);
    expect(await inspectSubAccount?.(SUB, signal)).toMatchObject([{ level: "fault" }]);
  });

  it("a webhook names the account that it is about", () => {
    const { readCallback } = createXenditReceiver({ account: MASTER, webhook_tokens: [TOKEN] });
    const event = { event: "payment.succeeded", data: { reference_id: PAYMENT } };
    const read = (members: object) => readCallback(JSON.stringify({ ...event, ...members }));
    expect(read({ business_id: SUB })).toMatchObject({ kind: "hint", reference: PAYMENT, subAccount: SUB });
    expect(read({ business_id: MASTER })).not.toHaveProperty("subAccount");
    expect(read({})).not.toHaveProperty("subAccount");
  });
});

describe("a configuration", () => {
  const entry = {
    name: "stripe",
    type: "stripe",
    account: "acct_1Platform",
    secret_key: `sk_live_${"0".repeat(24)}`,
    webhook_secrets: ["whsec_0123456789abcdef"],
    sub_accounts: { [ONE]: "acct_1One" },
  };
  const read = (...changes: object[]) =>
    readProviderConfigs(JSON.stringify(changes.map((one, at) => ({ ...entry, name: `stripe-${at}`, ...one }))));

  it.each([
    [{ sub_accounts: {} }, "must name at least one merchant"],
    [{ sub_accounts: { "mer_?": "acct_1One" } }, "PROVIDERS[0].sub_accounts.mer_?"],
    [{ sub_accounts: { [ONE]: "one" } }, "must be the id of a connected account"],
    [{ sub_accounts: { [ONE]: "acct_1Platform" } }, "must not name account itself"],
    [{ sub_accounts: { [ONE]: "acct_1One", [OTHER]: "acct_1One" } }, "another account for each merchant"],
    [{ merchants: [ONE] }, "PROVIDERS[0].merchants must be omitted: sub_accounts names the merchants"],
    [{ type: "paystack", account: "7" }, "sub_accounts"],
  ])("%j is a fault", (changes, message) => {
    expect(() => read(changes)).toThrow(message);
  });

  it("may name a merchant's account in two entries, but not for two merchants", () => {
    expect(read({}, {})).toHaveLength(2);
    const shared = { sub_accounts: { [OTHER]: "acct_1One" } };
    expect(() => read({}, shared)).toThrow(`PROVIDERS[1].sub_accounts names an account of ${ONE} for ${OTHER}`);
  });

  it("with sub-accounts serves their merchants only", () => {
    expect(providerAt({ ...entry, secret_key: `sk_test_${"0".repeat(24)}` })).toMatchObject({ merchants: [ONE] });
  });
});
