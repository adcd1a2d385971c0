// Top-ups (interface §2.3): arithmetic that can be recomputed; partial, excess and late payment.
import type { TopupIntentResource } from "@/server/contract/topup-intents";
import { createTopup, read, simulate, untilStatus, walletOf } from "./calls";
import { bookingsOf, type Database } from "./database";
import { expect, test } from "./parties";

type Topup = TopupIntentResource;

const DIGITS: Readonly<Record<string, number>> = { BRL: 2, MXN: 2, USDT: 6, USDC: 6, BTC: 8 };
const divideUp = (dividend: bigint, divisor: bigint) => (dividend + divisor - 1n) / divisor;

/** Source minor units that a destination amount is worth at the quoted rate, rounded up. */
function worthInSource({ fx }: Topup, destination: bigint): bigint {
  const from = 10n ** BigInt(6 + (DIGITS[fx.source_currency] ?? 0));
  const to = BigInt(fx.rate.replace(".", "")) * 10n ** BigInt(DIGITS[fx.destination_currency] ?? 0);
  return divideUp(destination * from, to);
}

async function letTimeRunOut(database: Database, id: string): Promise<void> {
  await database.query(
    "UPDATE topup_intent SET expires_at = now() - interval '1 second', due_at = now() WHERE id = $1 AND due_at IS NOT NULL",
    id,
  );
}

for (const [amount, currency, token] of [
  ["10000", "BRL", "USDT"],
  ["10", "BRL", "USDT"],
  ["999999999999", "MXN", "USDT"],
  ["777777", "BRL", "BTC"],
  ["34", "MXN", "USDC"],
] as const) {
  test(`${amount} ${currency} for ${token}: the quote follows from the resource's own fields`, async ({ api }) => {
    const topup = await createTopup(api, {
      destination: { amount, currency },
      source: { type: "provider_gateway", currency: token },
    });
    const { destination, fx, source } = topup;
    expect(fx.rate).toMatch(/^\d+\.\d{6}$/);
    const spread = BigInt(fx.spread_amount);
    expect(spread, "half a per cent, rounded up").toBe(divideUp(BigInt(destination.amount) * 50n, 10_000n));
    const net = worthInSource(topup, BigInt(destination.amount) + spread);
    expect(source.fee_mode).toBe("absorbed");
    expect(BigInt(source.amount), "what is asked for covers amount and spread, to the next minor unit").toBe(net);
    expect(topup.next_action?.amount).toBe(source.amount);
  });
}

test("paid exactly, the wallet gets exactly the requested amount, and the ledger balances", async ({
  api,
  database,
}) => {
  const before = await walletOf(api, "BRL");
  const topup = await createTopup(api);
  const paid = await simulate<Topup>(api, topup.id, "succeeded");
  expect(paid).toMatchObject({ status: "succeeded", failure_code: null });
  expect(paid.next_action, "the instructions stay, with nothing left to pay").toEqual({
    ...topup.next_action,
    amount: "0",
  });
  expect(paid.destination.credited_amount).toBe(topup.destination.amount);
  expect((await walletOf(api, "BRL")).available).toBe(before.available + BigInt(topup.destination.amount));
  expect((await bookingsOf(database, topup.id)).filter((line) => line.includes(" available "))).toEqual([
    "topup_credit available 10000 BRL",
  ]);
  const fields = ["fx", "source"] as const;
  for (const field of fields) expect(paid[field]).toEqual(topup[field]);
});

test("funds that are seen but not confirmed credit nothing yet", async ({ api }) => {
  const before = await walletOf(api, "BRL");
  const { id } = await createTopup(api);
  const seen = await simulate<Topup>(api, id, "funds_seen");
  expect(seen).toMatchObject({ status: "processing", destination: { credited_amount: "0" } });
  expect(await walletOf(api, "BRL")).toEqual(before);
  const paid = await simulate<Topup>(api, id, "succeeded");
  expect(paid).toMatchObject({ status: "succeeded", destination: { credited_amount: "10000" } });
});

test("08: partly paid, it requests the rest; the rest completes it", async ({ api }) => {
  const topup = await createTopup(api, { destination: { amount: "10008", currency: "BRL" } });
  const part = await simulate<Topup>(api, topup.id, "succeeded");
  const received = BigInt(topup.source.amount) / 2n;
  expect(part.status).toBe("requires_payment");
  expect(part.next_action?.amount).toBe((BigInt(topup.source.amount) - received).toString());
  expect(part.next_action?.address).toBe(topup.next_action?.address);
  expect(part.destination.credited_amount).toBe("0");
  const whole = await simulate<Topup>(api, topup.id, "overpaid");
  expect(whole.status).toBe("succeeded");
});

test("08: partly paid until the quote expires, the received part is credited, rounded down", async ({
  api,
  database,
}) => {
  const before = await walletOf(api, "BRL");
  const topup = await createTopup(api, { destination: { amount: "10008", currency: "BRL" } });
  await simulate(api, topup.id, "underpaid");
  await letTimeRunOut(database, topup.id);
  const ended = await untilStatus<Topup>(api, topup.id, ["succeeded"]);
  const received = BigInt(topup.source.amount) / 2n;
  const credit = (BigInt(topup.destination.amount) * received) / BigInt(topup.source.amount);
  expect(ended.destination.credited_amount).toBe(credit.toString());
  expect((await walletOf(api, "BRL")).available).toBe(before.available + credit);
});

test("09: overpaid, every unit received is credited in proportion", async ({ api }) => {
  const before = await walletOf(api, "BRL");
  const topup = await createTopup(api, { destination: { amount: "10009", currency: "BRL" } });
  const paid = await simulate<Topup>(api, topup.id, "succeeded");
  const received = (BigInt(topup.source.amount) * 110n) / 100n;
  const credit = (BigInt(topup.destination.amount) * received) / BigInt(topup.source.amount);
  expect(paid.status).toBe("succeeded");
  expect(paid.destination.credited_amount).toBe(credit.toString());
  expect((await walletOf(api, "BRL")).available).toBe(before.available + credit);
});

test("01, 02, 05: declined, paid and expired immediately", async ({ api, database }) => {
  const make = (amount: string) => createTopup(api, { destination: { amount, currency: "BRL" } });
  expect(await make("10001")).toMatchObject({ status: "failed", failure_code: "provider_declined", next_action: null });
  expect(await make("10002")).toMatchObject({ status: "succeeded", destination: { credited_amount: "10002" } });
  const expired = await make("10005");
  expect(expired).toMatchObject({ status: "expired", failure_code: "expired", next_action: null });
  expect(await bookingsOf(database, expired.id)).toEqual([]);
});

test("03: payment instructions that come late are there on a later read", async ({ api }) => {
  const topup = await createTopup(api, { destination: { amount: "10003", currency: "BRL" } });
  expect(topup).toMatchObject({ status: "requires_payment", next_action: null });
  await expect
    .poll(async () => (await read<Topup>(api, topup.id)).next_action?.amount, { timeout: 60_000 })
    .toBe(topup.source.amount);
});

test("unpaid at the end of the quote, it expires; late money goes to suspense", async ({ api, database }) => {
  const before = await walletOf(api, "BRL");
  const { id } = await createTopup(api, { destination: { amount: "10007", currency: "BRL" } });
  await letTimeRunOut(database, id);
  const expired = await untilStatus<Topup>(api, id, ["expired"]);
  expect(expired).toMatchObject({ failure_code: "expired", destination: { credited_amount: "0" } });
  await expect
    .poll(async () => (await bookingsOf(database, id)).map((line) => line.split(" ").slice(0, 2).join(" ")))
    .toEqual(["late_money provider_clearing:sandbox", "late_money suspense"]);
  expect(await walletOf(api, "BRL")).toEqual(before);
  expect(await read(api, id)).toEqual(expired);
});
