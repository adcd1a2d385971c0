// The built-in adapter for Xendit over HTTP, with a fake of Xendit in this process: from the merchant's call to the wallet,
// with webhooks that are lost, forged or late.
import type { PaymentIntentResource } from "@/server/contract/payment-intents";
import type { PayoutIntentResource } from "@/server/contract/payout-intents";
import type { PaymentMethodList } from "@/server/contract/wallets";
import type { Api } from "../support/api";
import type { XenditAccount } from "../support/fake-xendit/book";
import { FakeXendit } from "../support/fake-xendit/server";
import { expect, test } from "../support/fixtures";
import { startService } from "../support/service";
import { paymentBody, payoutBody } from "./bodies";
import { bodyOf, createPayment, createPayout, read, refusalOf, untilStatus, walletOf } from "./calls";
import { bookingsOf, referenceOf } from "./database";
import { deliverTo } from "./provider-webhooks";
import { type Approve, openWorld, type World } from "./world";

type Payment = PaymentIntentResource;
type Payout = PayoutIntentResource;

const KEY = `xnd_production_${"0123456789".repeat(4)}`;
const TOKEN = "t0123456789abcdef0123456789";
const BUSINESS = "5f27a14a9bf05c73dd040bc8";
const INDONESIA = { currency: "IDR", country: "ID" };
const QRIS = { ...INDONESIA, payment_method: "ID_QRIS", amount: "1050000" };
const RECIPIENT = {
  type: "bank_account",
  account_number: "000000000099",
  bank_code: "ID_BCA",
  holder_name: "Michael Chen",
} as const;

let fake: FakeXendit;
let account: XenditAccount;
let world: World;
let live: Api;
let approve: Approve;

test.describe.configure({ mode: "serial" });

test.beforeAll(async () => {
  test.setTimeout(120_000);
  fake = await FakeXendit.start();
  account = fake.open(KEY, { business_id: BUSINESS });
  const entry = {
    name: "xendit",
    type: "xendit",
    account: BUSINESS,
    secret_key: { env: "XENDIT_KEY" },
    webhook_tokens: [TOKEN],
    url: fake.url,
  };
  const providers = [{ ...entry, payment_methods: "all", payout_currencies: "all", deadline_ms: 10_000 }];
  world = await openWorld(await startService({ env: { PROVIDERS: JSON.stringify(providers), XENDIT_KEY: KEY } }));
  ({ live, approve } = await world.liveParty("IDR"));
});

test.afterEach(() => {
  fake.clear();
  fake.outbox.length = 0;
});

test.afterAll(async () => {
  await world.close();
  await fake.stop();
});

const deliver = (token = TOKEN) =>
  deliverTo(
    world,
    "xendit",
    fake.outbox.splice(0).map((event) => FakeXendit.webhook(event, token)),
  );
const nameOf = (id: string) => referenceOf(world.database, id);

test("the methods list the payer data that they require, and a payment without them is rejected", async () => {
  const { data } = bodyOf<PaymentMethodList>(await live.get("/payment_methods"), 200);
  expect(data.map((one) => [one.code, one.required_customer_fields])).toEqual([
    ["ID_QRIS", []],
    ["ID_BCA_VA", ["name"]],
    ["ID_DANA", []],
  ]);
  const anonymous = { ...QRIS, payment_method: "ID_BCA_VA" };
  const refusal = refusalOf(await live.post("/payment_intents", paymentBody(anonymous)), 400);
  expect(refusal).toMatchObject({ code: "validation_failed", message: "customer.name is required for ID_BCA_VA" });
});

test("a payment is paid by its code and credited after its webhook, also if an earlier creation had no answer", async () => {
  const before = await walletOf(live, "IDR");
  fake.spoil(/POST .payment_requests/, "lost_answer");
  const created = await createPayment(live, QRIS);
  const intent = await untilStatus<Payment>(live, created.id, ["requires_action"]);
  await expect
    .poll(async () => (await read<Payment>(live, intent.id)).next_action)
    .toMatchObject({ type: "display_qr_code", data: expect.stringMatching(/^000201/) });
  const reference = await nameOf(intent.id);
  expect(account.requests.filter((one) => one.reference_id === reference)).toHaveLength(1);
  fake.pay(account, reference);
  const [event] = fake.outbox;
  expect(await deliver("t0123456789abcdef012345678x")).toEqual([401, 401]);
  if (event) fake.outbox.push(event, event);
  expect(await deliver()).toEqual([200, 200]);
  await untilStatus<Payment>(live, intent.id, ["succeeded"]);
  expect((await walletOf(live, "IDR")).available).toBe(before.available + 1_050_000n);
});

test("a payment whose webhook is lost is credited by the worker's poll", async () => {
  const intent = await createPayment(live, { ...QRIS, payment_method: "ID_DANA" });
  expect(intent.next_action).toMatchObject({
    type: "redirect_to_url",
    url: expect.stringContaining("https://checkout.example/"),
  });
  fake.pay(account, await nameOf(intent.id));
  fake.outbox.length = 0;
  await untilStatus<Payment>(live, intent.id, ["succeeded"]);
});

test("a payment that Xendit closes is expired, and money that arrives later goes to suspense", async () => {
  const intent = await createPayment(live, QRIS);
  const before = await walletOf(live, "IDR");
  fake.pay(account, await nameOf(intent.id), "EXPIRED");
  expect(await deliver()).toEqual([200, 200]);
  await untilStatus<Payment>(live, intent.id, ["expired"]);
  fake.pay(account, await nameOf(intent.id));
  expect(await deliver()).toEqual([200, 200]);
  await expect
    .poll(() => bookingsOf(world.database, intent.id))
    .toEqual(["late_money provider_clearing:xendit -1050000 IDR", "late_money suspense 1050000 IDR"]);
  expect((await read<Payment>(live, intent.id)).status).toBe("expired");
  expect((await walletOf(live, "IDR")).available).toBe(before.available);
});

test("a payout that was executed without an answer is not executed again, and comes back when it is reversed", async () => {
  const before = await walletOf(live, "IDR");
  const { id } = await createPayout(live, payoutBody({ ...INDONESIA, amount: "250000", recipient: RECIPIENT }));
  const reference = await nameOf(id);
  fake.spoil(/POST .v2.payouts/, "lost_answer");
  fake.spoil(/GET .v2.payouts/, "empty_list", "error_before");
  await approve(id);
  await expect.poll(() => account.executions).toContain(reference);
  fake.move(account, reference, "SUCCEEDED");
  fake.outbox.length = 0;
  await untilStatus<Payout>(live, id, ["succeeded"]);
  expect(account.executions.filter((one) => one === reference)).toHaveLength(1);
  fake.move(account, reference, "REVERSED");
  expect(await deliver()).toEqual([200]);
  await expect.poll(async () => (await walletOf(live, "IDR")).available).toBe(before.available);
  expect((await read<Payout>(live, id)).status).toBe("succeeded");
});

test("a payout to an account that does not exist fails, and its money is free again", async () => {
  const before = await walletOf(live, "IDR");
  const { id } = await createPayout(live, payoutBody({ ...INDONESIA, amount: "250000", recipient: RECIPIENT }));
  await approve(id);
  const reference = await nameOf(id);
  await expect.poll(() => account.executions).toContain(reference);
  fake.move(account, reference, "FAILED", "INVALID_DESTINATION");
  expect(await deliver()).toEqual([200]);
  const failed = await untilStatus<Payout>(live, id, ["failed"]);
  expect(failed.failure_code).toBe("invalid_recipient");
  expect((await walletOf(live, "IDR")).available).toBe(before.available);
});
