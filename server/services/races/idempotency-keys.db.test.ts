// Requests at once under one key, in two processes: one effect, and every other answer is its replay.
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { sizeOf } from "@/e2e/support/tier";
import { query } from "@/server/db/client";
import { countRows, requireInvariants } from "@/server/testing/invariants";
import { keyed, makeMerchant, OPENING, payment, payout, type TestMerchant, topup } from "@/server/testing/merchant";
import { type Copy, loadTwice } from "@/server/testing/second-copy";
import { reapIdempotencyKeys } from "../idempotency/reap";

const TRIALS = sizeOf({ representative: 30, deep: 10_000 });
const AT_ONCE = 64;
const RETRIES_AT_THE_EDGE = 8;

/** The tests wait for no timer, but many trials take long on a busy machine. */
vi.setConfig({ testTimeout: 3_600_000 });

let copies: readonly [Copy, Copy];
beforeAll(async () => {
  copies = await loadTwice();
});

let merchant: TestMerchant;
beforeEach(async () => {
  merchant = await makeMerchant();
});

type Answered = Awaited<ReturnType<Copy["once"]>>;

/** Sends the request at once many times, in turn to each process. Returns the answers; a conflict in flight is none. */
async function race(send: (copy: Copy) => Promise<Answered>, times: number): Promise<Answered[]> {
  const results = await Promise.allSettled(Array.from({ length: times }, (_, n) => send(copies[n % 2 ? 1 : 0])));
  return results.flatMap((result) => {
    if (result.status === "fulfilled") return [result.value];
    const { code, retryAfterSeconds } = result.reason as { code?: string; retryAfterSeconds?: number };
    if (code === "idempotency_conflict" && retryAfterSeconds === 1) return [];
    throw result.reason;
  });
}

/** Checks that one of the answers is the first and all others repeat it, as a late retry does. */
async function requireOneEffect(send: (copy: Copy) => Promise<Answered>): Promise<string> {
  const answers = await race(send, AT_ONCE);
  const late = await send(copies[1]);
  expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
  expect(late.replayed).toBe(true);
  expect([...new Set([...answers, late].map(({ status, body }) => `${status} ${body}`))]).toHaveLength(1);
  return (JSON.parse(late.body) as { id: string }).id;
}

it(`${AT_ONCE} requests at once under one key have one effect, each of ${TRIALS} times`, async () => {
  const { context } = merchant;
  let payouts = 0;
  for (let trial = 0; trial < TRIALS; trial += 1) {
    const request = keyed(merchant, `race-${trial}`);
    if (trial % 2 === 0) {
      const command = payment();
      await requireOneEffect((copy) =>
        copy.once(request, (idempotency) => copy.createPaymentIntent(context, command, idempotency)),
      );
    } else {
      const command = payout();
      const id = await requireOneEffect((copy) =>
        copy.once(request, (idempotency) => copy.createPayoutIntent(context, command, idempotency)),
      );
      const cancelling = keyed(merchant, `cancel-${trial}`);
      await requireOneEffect((copy) =>
        copy.once(cancelling, (idempotency) => copy.cancelPayoutIntent(context, { id, reason: null }, idempotency)),
      );
      payouts += 1;
    }
  }
  expect(await countRows("payment_intent", merchant.merchantId)).toBe(TRIALS - payouts);
  expect(await countRows("payout_intent", merchant.merchantId)).toBe(payouts);
  expect(await countRows("event", merchant.merchantId)).toBe(payouts);
  const [wallet] = await query<{ balance: { toString(): string } }>(
    "SELECT balance FROM ledger_account WHERE merchant_id = $1 AND environment = 'test' AND kind = 'available'",
    merchant.merchantId,
  );
  expect(String(wallet?.balance)).toBe(String(OPENING));
  await requireInvariants();
});

it(`retries that race the end of a key's 24 hours and its deletion create at most one object more, none under a used reference, each of ${TRIALS} times`, async () => {
  const { context, merchantId } = merchant;
  let renewed = 0;
  let repeated = 0;
  let topups = 0;
  let raceLastedMs = 10;
  for (let trial = 0; trial < TRIALS; trial += 1) {
    const request = keyed(merchant, `edge-${trial}`);
    const hasReference = trial % 2 === 0;
    const order = payment();
    // Only a top-up may have no reference.
    const unnamed = topup({ merchantReference: null });
    const send = (copy: Copy): Promise<Answered> =>
      hasReference
        ? copy.once(request, (idempotency) => copy.createPaymentIntent(context, order, idempotency))
        : copy.once(request, (idempotency) => copy.createTopupIntent(context, unnamed, idempotency));
    const first = await send(copies[0]);
    // The key's lifetime ends at the start of the race, at its end, or at one of six moments between them.
    const endsInMs = (raceLastedMs * (trial % 8)) / 7;
    await query(
      `UPDATE idempotency_key SET created_at = now() - interval '24 hours' + $2::float8 * interval '1 ms'
       WHERE merchant_id = $1 AND key = $3`,
      merchantId,
      endsInMs,
      request.key,
    );
    const startedAt = performance.now();
    const [answers] = await Promise.all([
      race(send, RETRIES_AT_THE_EDGE),
      reapIdempotencyKeys(),
      reapIdempotencyKeys(),
    ]);
    raceLastedMs = performance.now() - startedAt;
    const executed = answers.filter(({ replayed }) => !replayed);
    expect(executed.length).toBeLessThanOrEqual(1);
    renewed += executed.length;
    repeated += answers.some(({ status, body, replayed }) => replayed && status === first.status && body === first.body)
      ? 1
      : 0;
    for (const { status, body } of executed) {
      expect(status).toBe(hasReference ? 200 : 201);
      expect(body === first.body).toBe(hasReference);
    }
    const bodies = new Set(answers.map(({ body }) => body));
    for (const { body } of [first, ...executed]) bodies.delete(body);
    expect([...bodies]).toEqual([]);
    topups += hasReference ? 0 : 1 + executed.length;
  }
  expect(await countRows("payment_intent", merchantId)).toBe(TRIALS / 2);
  expect(await countRows("topup_intent", merchantId)).toBe(topups);
  // Some races met the key before its end, others after it.
  expect(renewed).toBeGreaterThan(0);
  expect(repeated).toBeGreaterThan(0);
  await requireInvariants();
});
