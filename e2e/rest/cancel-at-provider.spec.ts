// Instructions whose window has ended are closed at the provider, and a payment in time wins.
import type { PaymentIntentResource } from "@/server/contract/payment-intents";
import type { TopupIntentResource } from "@/server/contract/topup-intents";
import { expect, test } from "../support/fixtures";
import { type Bridge, openBridge } from "./bridge";
import { createPayment, createTopup, read, untilStatus, walletOf } from "./calls";
import { bookingsOf } from "./database";

type Payment = PaymentIntentResource;
type Topup = TopupIntentResource;

let bridge: Bridge;

test.beforeAll(async () => {
  test.setTimeout(300_000);
  bridge = await openBridge();
});

test.afterEach(() => bridge.psp.behave());

test.afterAll(() => bridge.close());

const CASES = [
  { kind: "payments", table: "payment_intent", make: () => createPayment(bridge.live), closed: "cancelled" },
  { kind: "topups", table: "topup_intent", make: () => createTopup(bridge.live), closed: "expired" },
] as const;

async function endWindow(table: string, id: string): Promise<void> {
  await bridge.world.database.query(
    `UPDATE ${table} SET expires_at = now() - interval '1 second', due_at = now() WHERE id = $1 AND due_at IS NOT NULL`,
    id,
  );
}

/** The calls about an intent after its creation, in order. */
async function callsAbout(kind: string, reference: string): Promise<string[]> {
  const calls = await bridge.psp.calls();
  const path = `/v1/${kind}/${reference}`;
  return calls
    .filter((call) => call.path.startsWith(path))
    .map((call) => `${call.method} ${call.path.slice(path.length)}`);
}

const eventsAbout = async (reference: string) => (await bridge.psp.record({ reference })).map(({ event }) => event);

for (const { kind, table, make, closed } of CASES) {
  test(`${kind}: polled, then closed at the provider, then expired; nothing can be paid afterwards`, async () => {
    const before = await walletOf(bridge.live, "BRL");
    const { id } = await make();
    const reference = await bridge.referenceOf(id);
    await endWindow(table, id);
    const ended = await untilStatus<Payment | Topup>(bridge.live, id, ["expired"]);
    expect(ended.failure_code).toBe("expired");
    expect(await callsAbout(kind, reference)).toEqual(["GET ", "POST /cancel"]);
    expect(await eventsAbout(reference)).toEqual(["accepted", closed]);
    expect(await walletOf(bridge.live, "BRL")).toEqual(before);
    expect(await bookingsOf(bridge.world.database, id)).toEqual([]);
  });

  test(`${kind}: paid between the poll and the cancel call, it succeeds`, async () => {
    const before = await walletOf(bridge.live, "BRL");
    const { id } = await make();
    const reference = await bridge.referenceOf(id);
    await bridge.psp.misbehave({ mode: "pay_first", kind, operation: "cancel", reference, times: 1 });
    await endWindow(table, id);
    const ended = await untilStatus<Payment | Topup>(bridge.live, id, ["succeeded"]);
    expect(ended.failure_code).toBeNull();
    expect(await callsAbout(kind, reference)).toEqual(["GET ", "POST /cancel"]);
    expect(await eventsAbout(reference)).toEqual(["accepted", "executed"]);
    const credited = "destination" in ended ? ended.destination.credited_amount : ended.amount;
    expect(await walletOf(bridge.live, "BRL")).toEqual({ ...before, available: before.available + BigInt(credited) });
  });
}

test("a cancel call without a clear answer expires nothing; a payer who pays before the next one wins", async () => {
  const { id } = await createPayment(bridge.live);
  const reference = await bridge.referenceOf(id);
  await bridge.psp.misbehave({ mode: "server_error", kind: "payments", operation: "cancel", reference, times: 1 });
  await endWindow("payment_intent", id);
  await expect.poll(() => callsAbout("payments", reference)).toContain("POST /cancel");
  await bridge.psp.happen({ reference, event: "executed", quiet: true });
  const next = async () => {
    // As if the wait before the next call were over.
    await endWindow("payment_intent", id);
    return (await read<Payment>(bridge.live, id)).status;
  };
  await expect.poll(next, { timeout: 60_000 }).toBe("succeeded");
  expect(await eventsAbout(reference)).toEqual(["accepted", "executed"]);
});
