// The built-in adapter for BTCPay Server over HTTP, with a fake of the server in this process: from the merchant's call to the
// wallet, with payments that are partial, late or reorganized, and webhooks that are lost, forged or repeated.
import type { TopupIntentResource } from "@/server/contract/topup-intents";
import type { Api } from "../support/api";
import type { BtcpayStore } from "../support/fake-btcpay/book";
import type { Invoice } from "../support/fake-btcpay/objects";
import { FakeBtcpay } from "../support/fake-btcpay/server";
import { expect, test } from "../support/fixtures";
import { startService } from "../support/service";
import { createTopup, read, untilStatus, walletOf } from "./calls";
import { bookingsOf, referenceOf } from "./database";
import { deliverTo } from "./provider-webhooks";
import { openWorld, type World } from "./world";

type Topup = TopupIntentResource;

const KEY = "ab".repeat(20);
const STORE = "9CiNzKoANXxmk5ayZngSXrHTiVvvgCrwrpFQd4m2K776";
const SECRET = "s0123456789abcdef0123456789";
/** 1,000.00 EUR and half a per cent of spread, at 50,000 EUR for a bitcoin. */
const ASKED = "2010000";

let fake: FakeBtcpay;
let store: BtcpayStore;
let world: World;
let live: Api;

test.describe.configure({ mode: "serial" });

test.beforeAll(async () => {
  test.setTimeout(120_000);
  fake = await FakeBtcpay.start();
  store = fake.open(KEY, { storeId: STORE, chain: "main" });
  store.rates = { BTC_EUR: "50000" };
  const entry = {
    name: "btcpay",
    type: "btcpay",
    account: STORE,
    secret_key: { env: "BTCPAY_KEY" },
    webhook_secrets: [SECRET],
    topups: [{ source: "BTC", destination: "EUR" }],
    url: fake.url,
    deadline_ms: 10_000,
  };
  world = await openWorld(await startService({ env: { PROVIDERS: JSON.stringify([entry]), BTCPAY_KEY: KEY } }));
  ({ live } = await world.liveParty("EUR"));
});

test.afterEach(() => {
  fake.clear();
  fake.outbox.length = 0;
});

test.afterAll(async () => {
  await world.close();
  await fake.stop();
});

const create = () =>
  createTopup(live, {
    destination: { amount: "100000", currency: "EUR" },
    source: { type: "provider_gateway", currency: "BTC" },
  });
const invoiceOf = async ({ id }: Topup): Promise<Invoice> => store.find(await referenceOf(world.database, id));
const balance = async () => (await walletOf(live, "EUR")).available;
const bookings = ({ id }: Topup) => bookingsOf(world.database, id);
const deliver = (secret = SECRET) =>
  deliverTo(
    world,
    "btcpay",
    fake.outbox.splice(0).map((event) => FakeBtcpay.webhook(event, secret)),
  );
/** The worker polls now, not when the call without an answer is certainly over. */
const hasten = ({ id }: Topup) =>
  world.database.query("UPDATE topup_intent SET due_at = now() WHERE id = $1 AND due_at IS NOT NULL", id);
/** The quote runs out: the worker polls and closes it. */
const letTimeRunOut = ({ id }: Topup) =>
  world.database.query(
    "UPDATE topup_intent SET expires_at = now() - interval '1 second', due_at = now() WHERE id = $1 AND due_at IS NOT NULL",
    id,
  );

test("a top-up is paid to its address and credited after its webhook", async () => {
  const before = await balance();
  const topup = await create();
  expect(topup.fx).toMatchObject({ rate: "50000.000000", source_currency: "BTC", destination_currency: "EUR" });
  const invoice = await invoiceOf(topup);
  expect(invoice).toMatchObject({ amount: "0.02010000", currency: "BTC" });
  expect(topup.next_action).toMatchObject({
    type: "display_crypto_payment_instructions",
    address: invoice.methods[0]?.destination,
    amount: ASKED,
    currency: "BTC",
    network: "bitcoin",
  });
  fake.pay(store, invoice, "0.0201", false);
  const event = fake.outbox[0];
  expect(await deliver("f".repeat(26))).toEqual([401]);
  expect(await balance()).toBe(before);
  if (event) fake.outbox.push(event, event, FakeBtcpay.again(event));
  expect(await deliver()).toEqual([200, 200, 200]);
  await untilStatus<Topup>(live, topup.id, ["processing"]);
  fake.confirm(store, invoice);
  expect(await deliver()).toEqual([200, 200]);
  await untilStatus<Topup>(live, topup.id, ["succeeded"]);
  expect(await balance()).toBe(before + 100_000n);
});

test("a creation without an answer makes no second invoice, and its webhooks can be lost", async () => {
  const before = await balance();
  fake.spoil(/POST .*invoices/, "lost_answer");
  const topup = await create();
  expect(topup.next_action).toBeNull();
  await hasten(topup);
  await expect
    .poll(async () => (await read<Topup>(live, topup.id)).next_action)
    .toMatchObject({ amount: ASKED, network: "bitcoin" });
  const invoice = await invoiceOf(topup);
  expect(store.invoices.filter(({ metadata }) => metadata["orderId"] === invoice.metadata["orderId"])).toHaveLength(1);
  fake.pay(store, invoice);
  fake.outbox.length = 0;
  // The round that brought the address can still be about to note when the next poll is due.
  const statusNow = async () => {
    await hasten(topup);
    return (await read<Topup>(live, topup.id)).status;
  };
  await expect.poll(statusNow, { intervals: [200, 2_000] }).toBe("succeeded");
  expect(await balance()).toBe(before + 100_000n);
});

test("a creation that never arrived is sent again", async () => {
  fake.spoil(/POST .*invoices/, "lost_request");
  const topup = await create();
  await hasten(topup);
  await expect
    .poll(async () => (await read<Topup>(live, topup.id)).next_action)
    .toMatchObject({ amount: ASKED, network: "bitcoin" });
  expect((await invoiceOf(topup)).amount).toBe("0.02010000");
});

test("two payments of one top-up are one credit, and what is over is credited with it", async () => {
  const before = await balance();
  const topup = await create();
  const invoice = await invoiceOf(topup);
  fake.pay(store, invoice, "0.01005");
  expect(await deliver()).toEqual([200, 200]);
  await expect.poll(async () => (await read<Topup>(live, topup.id)).next_action?.amount).toBe("1005000");
  expect((await read<Topup>(live, topup.id)).status).toBe("requires_payment");
  expect(await balance()).toBe(before);
  fake.pay(store, invoice, "0.0201");
  expect(await deliver()).toEqual([200, 200, 200]);
  const paid = await untilStatus<Topup>(live, topup.id, ["succeeded"]);
  expect(paid.destination.credited_amount).toBe("150000");
  expect(await balance()).toBe(before + 150_000n);
});

test("a part that is paid in time is credited at the end of the quote", async () => {
  const before = await balance();
  const topup = await create();
  fake.pay(store, await invoiceOf(topup), "0.01005");
  expect(await deliver()).toEqual([200, 200]);
  await expect.poll(async () => (await read<Topup>(live, topup.id)).next_action?.amount).toBe("1005000");
  await letTimeRunOut(topup);
  const ended = await untilStatus<Topup>(live, topup.id, ["succeeded"]);
  expect(ended.destination.credited_amount).toBe("50000");
  expect(await balance()).toBe(before + 50_000n);
});

test("an unpaid top-up expires, and money that arrives later waits in suspense", async () => {
  const before = await balance();
  const topup = await create();
  const invoice = await invoiceOf(topup);
  await letTimeRunOut(topup);
  await untilStatus<Topup>(live, topup.id, ["expired"]);
  fake.expire(store, invoice);
  expect(await deliver()).toEqual([200]);
  fake.pay(store, invoice);
  expect(invoice).toMatchObject({ status: "Expired", additionalStatus: "PaidLate" });
  expect(await deliver()).toEqual([200, 200]);
  await expect
    .poll(() => bookings(topup))
    .toEqual(["late_money provider_clearing:btcpay -100500 EUR", "late_money suspense 100500 EUR"]);
  expect((await read<Topup>(live, topup.id)).status).toBe("expired");
  expect(await balance()).toBe(before);
});

test("a credited payment that the chain takes back leaves the wallet as it is and opens an exception", async () => {
  const before = await balance();
  const topup = await create();
  const invoice = await invoiceOf(topup);
  const payment = fake.pay(store, invoice);
  expect(await deliver()).toEqual([200, 200, 200]);
  await untilStatus<Topup>(live, topup.id, ["succeeded"]);
  store.drop(invoice, payment);
  fake.announce(invoice, "InvoiceReceivedPayment");
  expect(await deliver()).toEqual([200]);
  await expect
    .poll(async () => (await bookings(topup)).filter((line) => line.startsWith("funds_dropped")))
    .toEqual(["funds_dropped suspense -100500 EUR", "funds_dropped provider_clearing:btcpay 100500 EUR"]);
  fake.announce(invoice, "InvoiceSettled");
  expect(await deliver()).toEqual([200]);
  const [row] = await world.database.query<{ n: number }>(
    "SELECT count(*)::int AS n FROM exception WHERE object_id = $1 AND kind = 'funds_dropped'",
    topup.id,
  );
  expect(row?.n).toBe(1);
  expect((await read<Topup>(live, topup.id)).status).toBe("succeeded");
  expect(await balance()).toBe(before + 100_000n);
});

test("an open top-up whose payment is taken back asks for the rest at the same address", async () => {
  const topup = await create();
  const invoice = await invoiceOf(topup);
  const payment = fake.pay(store, invoice, "0.0201", false);
  expect(await deliver()).toEqual([200]);
  await untilStatus<Topup>(live, topup.id, ["processing"]);
  store.drop(invoice, payment);
  fake.announce(invoice, "InvoiceReceivedPayment");
  expect(await deliver()).toEqual([200]);
  const open = await untilStatus<Topup>(live, topup.id, ["requires_payment"]);
  expect(open.next_action).toMatchObject({ amount: ASKED, address: invoice.methods[0]?.destination });
});

test("an invoice that a person marked books nothing and opens an exception", async () => {
  const before = await balance();
  const topup = await create();
  const invoice = await invoiceOf(topup);
  Object.assign(invoice, { status: "Settled", additionalStatus: "Marked" });
  fake.announce(invoice, "InvoiceSettled");
  expect(await deliver()).toEqual([200]);
  await expect
    .poll(() =>
      world.database.query("SELECT kind FROM exception WHERE object_id = $1 AND resolved_at IS NULL", topup.id),
    )
    .not.toEqual([]);
  expect((await read<Topup>(live, topup.id)).status).toBe("requires_payment");
  expect(await balance()).toBe(before);
});

test("without a rate no top-up is created, and nothing is sent", async () => {
  store.rates = { BTC_EUR: null };
  const invoices = store.invoices.length;
  const answer = await live.post(
    "/topup_intents",
    {
      destination: { amount: "100000", currency: "EUR" },
      source: { type: "provider_gateway", currency: "BTC" },
      country: "DE",
    },
    { headers: { "idempotency-key": `no-rate-${invoices}` } },
  );
  expect(answer.status).toBe(503);
  expect(store.invoices).toHaveLength(invoices);
});
