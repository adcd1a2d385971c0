// The built-in adapter for dLocal over HTTP, with a fake of dLocal in this process: from the merchant's call to the wallet, with
// notifications that are lost, forged or late.
import type { PaymentIntentResource } from "@/server/contract/payment-intents";
import type { PaymentMethodList } from "@/server/contract/wallets";
import type { Api } from "../support/api";
import type { DlocalAccount } from "../support/fake-dlocal/book";
import { FakeDlocal } from "../support/fake-dlocal/server";
import { expect, test } from "../support/fixtures";
import { startService } from "../support/service";
import { paymentBody } from "./bodies";
import { bodyOf, createPayment, read, refusalOf, untilStatus, walletOf } from "./calls";
import { bookingsOf, referenceOf } from "./database";
import { deliverTo } from "./provider-webhooks";
import { openWorld, type World } from "./world";

type Payment = PaymentIntentResource;

const OWNER = { login: "sak223k2wdksdl2", transKey: "fm12O7G9", secretKey: "S3cr3t0123456789abcdefABCDEF" };
const FORGER = { ...OWNER, secretKey: "another-secret-0123456789abc" };
const CUSTOMER = { name: "Ana Souza", email: "ana@example.com", document: "1.020.304.050" };
const PSE = { currency: "COP", country: "CO", payment_method: "CO_PSE", amount: "5000000", customer: CUSTOMER };

let fake: FakeDlocal;
let account: DlocalAccount;
let world: World;
let live: Api;

test.describe.configure({ mode: "serial" });

test.beforeAll(async () => {
  test.setTimeout(120_000);
  fake = await FakeDlocal.start();
  account = fake.open(OWNER.login, OWNER);
  const keys = { account: OWNER.login, trans_key: OWNER.transKey, secret_key: { env: "DLOCAL_KEY" } };
  const entry = { name: "dlocal", type: "dlocal", ...keys, url: fake.url };
  const providers = [{ ...entry, payment_methods: "all", deadline_ms: 10_000 }];
  const env = { PROVIDERS: JSON.stringify(providers), DLOCAL_KEY: OWNER.secretKey };
  world = await openWorld(await startService({ env }));
  ({ live } = await world.liveParty("COP"));
});

test.afterEach(() => {
  fake.clear();
  fake.outbox.length = 0;
});

test.afterAll(async () => {
  await world.close();
  await fake.stop();
});

const deliver = (owner = OWNER) =>
  deliverTo(
    world,
    "dlocal",
    fake.outbox.splice(0).map((notification) => FakeDlocal.webhook(notification, owner)),
  );
const nameOf = (id: string) => referenceOf(world.database, id);

test("the methods list the payer data that they require, and a payment without them is rejected", async () => {
  const { data } = bodyOf<PaymentMethodList>(await live.get("/payment_methods"), 200);
  expect(data.find(({ code }) => code === "CO_PSE")?.required_customer_fields).toEqual(["name", "email", "document"]);
  const { document: _none, ...customer } = CUSTOMER;
  const refusal = refusalOf(await live.post("/payment_intents", paymentBody({ ...PSE, customer })), 400);
  expect(refusal).toMatchObject({ code: "validation_failed", message: "customer.document is required for CO_PSE" });
  expect(account.payments).toEqual([]);
});

test("a payment is paid on dLocal's page and credited after its notification, and not after a forged one", async () => {
  const before = await walletOf(live, "COP");
  const intent = await createPayment(live, PSE);
  const reference = await nameOf(intent.id);
  const { redirect_url: url, amount } = account.byOrder(reference);
  expect(amount).toBe(50_000);
  expect(intent).toMatchObject({ status: "requires_action", next_action: { type: "redirect_to_url", url } });
  fake.pay(account, reference);
  const [notification] = fake.outbox;
  expect(await deliver(FORGER)).toEqual([401]);
  if (notification) fake.outbox.push(notification, notification);
  expect(await deliver()).toEqual([200, 200]);
  await untilStatus<Payment>(live, intent.id, ["succeeded"]);
  expect((await walletOf(live, "COP")).available).toBe(before.available + 5_000_000n);
});

test("a payment whose notification is lost is credited by the worker's poll", async () => {
  const intent = await createPayment(live, PSE);
  fake.pay(account, await nameOf(intent.id));
  fake.outbox.length = 0;
  await untilStatus<Payment>(live, intent.id, ["succeeded"]);
});

test("a payment whose creation had no answer is created once, and can still be paid", async () => {
  fake.spoil(/POST .payments/, "lost_answer");
  const intent = await createPayment(live, PSE);
  const reference = await nameOf(intent.id);
  await expect.poll(() => fake.calls.filter(({ path }) => path === `/orders/${reference}`).length).toBeGreaterThan(0);
  expect(account.payments.filter((one) => one.order_id === reference)).toHaveLength(1);
  expect((await read<Payment>(live, intent.id)).next_action).toBeNull();
  fake.pay(account, reference);
  expect(await deliver()).toEqual([200]);
  await untilStatus<Payment>(live, intent.id, ["succeeded"]);
});

test("a payment that dLocal closes is expired, and money that arrives later goes to suspense", async () => {
  const before = await walletOf(live, "COP");
  const intent = await createPayment(live, PSE);
  const reference = await nameOf(intent.id);
  fake.pay(account, reference, "EXPIRED");
  expect(await deliver()).toEqual([200]);
  await untilStatus<Payment>(live, intent.id, ["expired"]);
  fake.pay(account, reference);
  expect(await deliver()).toEqual([200]);
  await expect
    .poll(() => bookingsOf(world.database, intent.id))
    .toEqual(["late_money provider_clearing:dlocal -5000000 COP", "late_money suspense 5000000 COP"]);
  expect((await read<Payment>(live, intent.id)).status).toBe("expired");
  expect((await walletOf(live, "COP")).available).toBe(before.available);
});

test("a payment that dLocal rejects, or whose payer it refuses, fails", async () => {
  const rejected = await createPayment(live, PSE);
  fake.pay(account, await nameOf(rejected.id), "REJECTED");
  expect(await deliver()).toEqual([200]);
  expect((await untilStatus<Payment>(live, rejected.id, ["failed"])).failure_code).toBe("provider_declined");
  fake.spoil(/POST .payments/, "payer_refused");
  const refused = await createPayment(live, PSE);
  expect((await untilStatus<Payment>(live, refused.id, ["failed"])).failure_code).toBe("provider_declined");
});
