// The built-in adapter for Stripe over HTTP, with a fake of Stripe in this process: from the merchant's call to the wallet,
// with webhooks that are lost, forged or late, and money that arrives after the end.
import type { PaymentIntentResource } from "@/server/contract/payment-intents";
import type { Api } from "../support/api";
import type { StripeAccount } from "../support/fake-stripe/book";
import { FakeStripe } from "../support/fake-stripe/server";
import { expect, test } from "../support/fixtures";
import { startService } from "../support/service";
import { createPayment, read, untilStatus, walletOf } from "./calls";
import { endPayersWindow, referenceOf } from "./database";
import { deliverTo } from "./provider-webhooks";
import { openWorld, type World } from "./world";

type Payment = PaymentIntentResource;

const KEY = `sk_live_${"0123456789".repeat(3)}`;
const SECRET = "whsec_0123456789abcdef0123456789abcdef";
const IDEAL = { currency: "EUR", country: "NL", payment_method: "NL_IDEAL", amount: "4200" };
const SPEI = { currency: "MXN", country: "MX", payment_method: "MX_SPEI", amount: "150000" };

let fake: FakeStripe;
let account: StripeAccount;
let world: World;
let live: Api;

test.describe.configure({ mode: "serial" });

test.beforeAll(async () => {
  test.setTimeout(120_000);
  fake = await FakeStripe.start();
  account = fake.open(KEY, { id: "acct_1OurAccount", livemode: true });
  const secrets = { secret_key: { env: "STRIPE_KEY" }, webhook_secrets: [{ env: "STRIPE_WEBHOOK_SECRET" }] };
  const entry = { name: "stripe", type: "stripe", account: "acct_1OurAccount", ...secrets, url: fake.url };
  const providers = [{ ...entry, payment_methods: "all", deadline_ms: 10_000 }];
  const env = { PROVIDERS: JSON.stringify(providers), STRIPE_KEY: KEY, STRIPE_WEBHOOK_SECRET: SECRET };
  world = await openWorld(await startService({ env }));
  ({ live } = await world.liveParty("BRL", "EUR", "MXN"));
});

test.afterEach(() => {
  fake.clear();
  fake.outbox.length = 0;
});

test.afterAll(async () => {
  await world.close();
  await fake.stop();
});

const deliver = (secret = SECRET) =>
  deliverTo(
    world,
    "stripe",
    fake.outbox.splice(0).map((event) => FakeStripe.webhook(event, secret)),
  );
const nameOf = (id: string) => referenceOf(world.database, id);
const pay = async (id: string) => fake.pay(account, await nameOf(id));

async function suspenseOf(id: string): Promise<bigint> {
  const [row] = await world.database.query<{ sum: string }>(
    `SELECT coalesce(sum(e.amount), 0)::text AS sum FROM ledger_transaction t
     JOIN ledger_entry e ON (e.merchant_id, e.transaction_id) = (t.merchant_id, t.id)
     WHERE t.intent_id = $1 AND e.kind = 'suspense'`,
    id,
  );
  return BigInt(row?.sum ?? 0);
}

test("a payment shows Stripe's code, is paid, and is credited after its webhook", async () => {
  const before = await walletOf(live, "BRL");
  const intent = await createPayment(live, { amount: "105000" });
  expect(intent.next_action).toMatchObject({ type: "display_qr_code", data: "code-of-pix" });
  await pay(intent.id);
  const [event] = fake.outbox;
  expect(await deliver("whsec_ffffffffffffffffffffffffffffffff")).toEqual([401]);
  expect((await read<Payment>(live, intent.id)).status).toBe("requires_action");
  if (event) fake.outbox.push(event, event);
  expect(await deliver()).toEqual([200, 200]);
  await untilStatus<Payment>(live, intent.id, ["succeeded"]);
  expect((await walletOf(live, "BRL")).available).toBe(before.available + 105_000n);
});

test("a payment on Stripe's page whose webhook is lost is credited by the worker's poll", async () => {
  const intent = await createPayment(live, IDEAL);
  expect(intent.next_action).toMatchObject({
    type: "redirect_to_url",
    url: expect.stringContaining("https://checkout.stripe.com/"),
  });
  await pay(intent.id);
  fake.outbox.length = 0;
  await untilStatus<Payment>(live, intent.id, ["succeeded"]);
});

test("a bank transfer shows the account of its own customer, and a part of it keeps it open", async () => {
  const intent = await createPayment(live, SPEI);
  const address = { network: "spei", account_number: "002180650612345670" };
  expect(intent.next_action).toMatchObject({
    type: "display_bank_transfer_instructions",
    amount: "150000",
    financial_addresses: [expect.objectContaining(address)],
  });
  const { intent: object } = account.find(await nameOf(intent.id));
  if (object) account.fund(object, 50_000);
  fake.announce(account, "payment_intent.partially_funded", object ?? {});
  expect(await deliver()).toEqual([200]);
  await untilStatus<Payment>(live, intent.id, ["processing"]);
  await pay(intent.id);
  await deliver();
  await untilStatus<Payment>(live, intent.id, ["succeeded"]);
});

test("a creation that Stripe executed without an answer makes one object, whose code is shown later", async () => {
  fake.spoil(/POST .v1.payment_intents$/, "stored_error");
  const intent = await createPayment(live, { amount: "2100" });
  expect(intent.status).toBe("processing");
  const shown = await untilStatus<Payment>(live, intent.id, ["requires_action"]);
  expect(shown.next_action).toMatchObject({ type: "display_qr_code" });
  const reference = await nameOf(intent.id);
  expect(account.intents.filter(({ metadata }) => metadata["sluice_reference"] === reference)).toHaveLength(1);
});

test("an unpaid payment is closed at Stripe before it expires", async () => {
  const intent = await createPayment(live, IDEAL);
  await endPayersWindow(world.database, intent.id);
  await untilStatus<Payment>(live, intent.id, ["expired"]);
  expect(account.find(await nameOf(intent.id)).session?.status).toBe("expired");
});

test("money that arrives after a payment expired without being closed goes to suspense, by a late webhook", async () => {
  const before = await walletOf(live, "BRL");
  const intent = await createPayment(live, { amount: "7700" });
  fake.spoil(/cancel/, "rate_limited", "error_before", "lost_request");
  await endPayersWindow(world.database, intent.id);
  await untilStatus<Payment>(live, intent.id, ["expired"]);
  await pay(intent.id);
  expect(await deliver()).toEqual([200]);
  await expect.poll(() => suspenseOf(intent.id)).toBe(7_700n);
  expect((await read<Payment>(live, intent.id)).status).toBe("expired");
  expect((await walletOf(live, "BRL")).available).toBe(before.available);
  await world.cli("invariants");
});
