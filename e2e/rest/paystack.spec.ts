// The built-in adapter for Paystack over HTTP, with a fake of Paystack in this process: from the merchant's call to the
// wallet, with webhooks that are lost, forged or late.
import type { PaymentIntentResource } from "@/server/contract/payment-intents";
import type { PayoutIntentResource } from "@/server/contract/payout-intents";
import type { PaymentMethodList } from "@/server/contract/wallets";
import type { Api } from "../support/api";
import type { Account } from "../support/fake-paystack/book";
import { FakePaystack } from "../support/fake-paystack/server";
import { expect, test } from "../support/fixtures";
import { startService } from "../support/service";
import { paymentBody, payoutBody } from "./bodies";
import { bodyOf, createPayment, createPayout, read, refusalOf, untilStatus, walletOf } from "./calls";
import { bookingsOf, endPayersWindow, referenceOf } from "./database";
import { deliverTo } from "./provider-webhooks";
import { type Approve, openWorld, type World } from "./world";

type Payment = PaymentIntentResource;
type Payout = PayoutIntentResource;

const KEY = `sk_live_${"0123456789".repeat(4)}`;
const NIGERIA = { currency: "NGN", country: "NG" };
const USSD = { ...NIGERIA, payment_method: "NG_USSD", amount: "105000", customer: { email: "ada@example.com" } };
const RECIPIENT = {
  type: "bank_account",
  account_number: "0123456789",
  bank_code: "058",
  holder_name: "Ada Obi",
} as const;

let fake: FakePaystack;
let account: Account;
let world: World;
let live: Api;
let approve: Approve;

test.describe.configure({ mode: "serial" });

test.beforeAll(async () => {
  test.setTimeout(120_000);
  fake = await FakePaystack.start();
  account = fake.open(KEY, { integration: 463_433, domain: "live" });
  account.customers.push("earlier@example.com");
  const entry = {
    name: "paystack",
    type: "paystack",
    account: "463433",
    secret_key: { env: "PAYSTACK_KEY" },
    url: fake.url,
  };
  const providers = [{ ...entry, payment_methods: "all", payout_currencies: "all", deadline_ms: 10_000 }];
  world = await openWorld(await startService({ env: { PROVIDERS: JSON.stringify(providers), PAYSTACK_KEY: KEY } }));
  ({ live, approve } = await world.liveParty("NGN"));
});

test.afterEach(() => {
  fake.clear();
  fake.outbox.length = 0;
});

test.afterAll(async () => {
  await world.close();
  await fake.stop();
});

const deliver = (key = KEY) =>
  deliverTo(
    world,
    "paystack",
    fake.outbox.splice(0).map((event) => FakePaystack.webhook(event, key)),
  );
const nameOf = (id: string) => referenceOf(world.database, id);

test("the methods list the payer data that they require, and a payment without them is rejected", async () => {
  const { data } = bodyOf<PaymentMethodList>(await live.get("/payment_methods"), 200);
  expect(data.map((one) => [one.code, one.required_customer_fields])).toEqual([
    ["NG_BANK_TRANSFER", ["email"]],
    ["NG_USSD", ["email"]],
  ]);
  const { customer: _customer, ...anonymous } = USSD;
  const refusal = refusalOf(await live.post("/payment_intents", paymentBody(anonymous)), 400);
  expect(refusal).toMatchObject({ code: "validation_failed", message: "customer.email is required for NG_USSD" });
});

test("a payment is paid on Paystack's page and credited after its webhook", async () => {
  const before = await walletOf(live, "NGN");
  const intent = await createPayment(live, USSD);
  expect(intent.next_action).toMatchObject({
    type: "redirect_to_url",
    url: expect.stringContaining("https://checkout.paystack.com/"),
  });
  fake.pay(account, (await nameOf(intent.id)).replaceAll("_", "-"));
  const [event] = fake.outbox;
  expect(await deliver("sk_live_forged")).toEqual([401]);
  expect((await read<Payment>(live, intent.id)).status).toBe("requires_action");
  if (event) fake.outbox.push(event, event);
  expect(await deliver()).toEqual([200, 200]);
  await untilStatus<Payment>(live, intent.id, ["succeeded"]);
  expect((await walletOf(live, "NGN")).available).toBe(before.available + 105_000n);
});

test("a payment whose webhook is lost is credited by the worker's poll", async () => {
  const intent = await createPayment(live, USSD);
  fake.pay(account, (await nameOf(intent.id)).replaceAll("_", "-"));
  fake.outbox.length = 0;
  await untilStatus<Payment>(live, intent.id, ["succeeded"]);
});

test("a payment that nobody pays in time expires, and money that arrives later goes to suspense", async () => {
  const before = await walletOf(live, "NGN");
  const intent = await createPayment(live, USSD);
  await endPayersWindow(world.database, intent.id);
  await untilStatus<Payment>(live, intent.id, ["expired"]);
  fake.pay(account, (await nameOf(intent.id)).replaceAll("_", "-"));
  const [event] = fake.outbox;
  if (event) fake.outbox.push(event);
  expect(await deliver()).toEqual([200, 200]);
  await expect
    .poll(() => bookingsOf(world.database, intent.id))
    .toEqual(["late_money provider_clearing:paystack -105000 NGN", "late_money suspense 105000 NGN"]);
  expect((await read<Payment>(live, intent.id)).status).toBe("expired");
  expect((await walletOf(live, "NGN")).available).toBe(before.available);
});

test("a payout that was executed without an answer is not executed again, and comes back when it is reversed", async () => {
  const before = await walletOf(live, "NGN");
  const body = payoutBody({ ...NIGERIA, amount: "250000", recipient: RECIPIENT });
  const { id } = await createPayout(live, body);
  const reference = await nameOf(id);
  fake.spoil(/POST .transfer$/, "lost_answer");
  fake.spoil(/transfer.verify/, "not_found", "error_before");
  await approve(id);
  await expect.poll(() => account.executions).toContain(reference);
  fake.move(account, reference, "success");
  fake.outbox.length = 0;
  await untilStatus<Payout>(live, id, ["succeeded"]);
  expect(account.executions.filter((one) => one === reference)).toHaveLength(1);
  fake.move(account, reference, "reversed");
  expect(await deliver()).toEqual([200]);
  await expect.poll(async () => (await walletOf(live, "NGN")).available).toBe(before.available);
  expect((await read<Payout>(live, id)).status).toBe("succeeded");
});
