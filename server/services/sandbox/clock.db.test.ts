// Advancing a test merchant's clock makes that merchant's waiting work due at once, and no one else's.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { query } from "@/server/db/client";
import { paymentIntents } from "@/server/db/intents/stores";
import { now } from "@/server/platform/clock";
import { sandboxGateway } from "@/server/psp/sandbox/gateway";
import { countRows, requireInvariants } from "@/server/testing/invariants";
import {
  approvedPayout,
  balanceOf,
  keyed,
  makeMerchant,
  OPENING,
  once,
  payment,
  payout,
  type TestMerchant,
} from "@/server/testing/merchant";
import { installScriptedProvider } from "@/server/testing/scripted-provider";
import { workOnDueIntents } from "../due-intents";
import { withoutIdempotency } from "../idempotency/completion";
import { type Answer, answerOnce, type IdempotencyLease } from "../idempotency/once";
import { reapIdempotencyKeys } from "../idempotency/reap";
import { getIntent } from "../intents/read";
import { merchantClock } from "../merchants/settings";
import { createPaymentIntent } from "../payments/create";
import { PAYMENTS } from "../payments/kind";
import { cancelPayoutIntent } from "../payouts/cancel";
import { createPayoutIntent } from "../payouts/create";
import { PAYOUTS } from "../payouts/kind";
import { createTopupIntent } from "../topups/create";
import { TOPUPS } from "../topups/kind";
import { fundWallet } from "../wallets";
import { advanceSandboxClock, getSandboxClock, type MerchantTime } from "./clock";
import { simulate } from "./simulate";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const LEASE_MS = 30_000;

let merchant: TestMerchant;
beforeEach(async () => {
  merchant = await makeMerchant();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await requireInvariants();
});

const advance = (seconds: number, of = merchant) => advanceSandboxClock(of.context, seconds, withoutIdempotency());

/** Runs one round of the worker over all due work. */
async function work(): Promise<void> {
  for (const kind of ["payment_intent", "payout_intent", "topup_intent"] as const) {
    await workOnDueIntents(kind, 500, LEASE_MS);
  }
}

async function newPayment(of = merchant) {
  return (await createPaymentIntent(of.context, payment(), withoutIdempotency())).intent;
}

describe("the clock", () => {
  it("starts at the database's time and only moves forward, up to 400 days ahead", async () => {
    const start = await getSandboxClock(merchant.scope);
    expect(start.offsetMs).toBe(0);
    expect(Math.abs(start.now.getTime() - now().getTime())).toBeLessThan(20_000);
    const { intent: moved } = await advance(25 * HOUR);
    expect(moved.offsetMs).toBe(25 * HOUR * 1000);
    expect(moved.now.getTime() - start.now.getTime()).toBeGreaterThanOrEqual(25 * HOUR * 1000);
    await expect(advance(400 * DAY)).rejects.toThrow("advance_seconds would set the clock more than 400 days ahead");
    expect((await getSandboxClock(merchant.scope)).offsetMs).toBe(25 * HOUR * 1000);
  });

  it("exists only in the test environment; the live one uses the database's time", async () => {
    await advance(25 * HOUR);
    const live = { ...merchant.context, scope: { ...merchant.scope, environment: "live" as const } };
    await expect(advanceSandboxClock(live, 1, withoutIdempotency())).rejects.toMatchObject({ code: "not_found" });
    await expect(getSandboxClock(live.scope)).rejects.toMatchObject({ code: "not_found" });
    const clock = await merchantClock(live.scope);
    expect(Math.abs(clock().getTime() - now().getTime())).toBeLessThan(20_000);
  });

  it("stamps what is created after a move, and an update is never older than what it updates", async () => {
    const before = await newPayment();
    await advance(DAY);
    const after = await newPayment();
    expect(after.createdAt.getTime() - before.createdAt.getTime()).toBeGreaterThanOrEqual(DAY * 1000);
    expect(after.expiresAt.getTime() - after.createdAt.getTime()).toBe(30 * MINUTE * 1000);
    const { intent } = await createPayoutIntent(merchant.context, payout(), withoutIdempotency());
    const cancelled = await cancelPayoutIntent(merchant.context, { id: intent.id, reason: null }, withoutIdempotency());
    expect(cancelled.intent.updatedAt.getTime()).toBeGreaterThanOrEqual(intent.createdAt.getTime());
  });

  it("is audited when advanced, with its offset before and after", async () => {
    await advance(HOUR);
    await advance(MINUTE);
    const entries = await query(
      `SELECT environment, actor_type, object_id, before, after FROM audit_entry
       WHERE merchant_id = $1 AND action = 'sandbox_clock.advance' ORDER BY created_at`,
      merchant.merchantId,
    );
    const entry = { environment: "test", actor_type: "api_key", object_id: merchant.merchantId };
    expect(entries).toEqual([
      { ...entry, before: { offset_ms: 0 }, after: { offset_ms: 3_600_000 } },
      { ...entry, before: { offset_ms: 3_600_000 }, after: { offset_ms: 3_660_000 } },
    ]);
  });

  it("advances once per Idempotency-Key, even past that key's lifetime, and despite simultaneous requests", async () => {
    const present = (time: MerchantTime): Answer => ({ status: 200, body: JSON.stringify(time) });
    const execute = async (lease: IdempotencyLease) => {
      const done = await advanceSandboxClock(merchant.context, 30 * HOUR, { lease, present });
      return present(done.intent);
    };
    const move = () => answerOnce(keyed(merchant, "move"), execute, ({ message }) => ({ status: 409, body: message }));
    const answers = await Promise.all(Array.from({ length: 8 }, move));
    answers.push(await move());
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    expect((await getSandboxClock(merchant.scope)).offsetMs).toBe(30 * HOUR * 1000);
  });
});

describe("waiting work", () => {
  it("a payment expires once its clock is past its time, and another merchant's does not", async () => {
    const other = await makeMerchant();
    const [mine, theirs] = [await newPayment(), await newPayment(other)];
    await advance(29 * MINUTE);
    await work();
    expect((await getIntent(PAYMENTS, merchant.scope, mine.id)).status).toBe("requires_action");
    await advance(MINUTE);
    await work();
    expect(await getIntent(PAYMENTS, merchant.scope, mine.id)).toMatchObject({ status: "expired", dueAt: null });
    expect(await getIntent(PAYMENTS, other.scope, theirs.id)).toMatchObject({ status: "requires_action", revision: 1 });
    expect(await countRows("event", merchant.merchantId)).toBe(1);
  });

  it("a payment whose payer has acted does not expire, and opens an exception after 72 hours", async () => {
    const intent = await newPayment();
    await simulate(merchant.context, intent.id, "pending");
    await advance(HOUR);
    await work();
    expect((await getIntent(PAYMENTS, merchant.scope, intent.id)).status).toBe("processing");
    expect(await countRows("exception", merchant.merchantId)).toBe(0);
    await advance(72 * HOUR);
    await work();
    expect((await getIntent(PAYMENTS, merchant.scope, intent.id)).status).toBe("processing");
    expect(await countRows("exception", merchant.merchantId)).toBe(1);
    await simulate(merchant.context, intent.id, "expired");
    expect((await getIntent(PAYMENTS, merchant.scope, intent.id)).status).toBe("expired");
  });

  it("a payout lapses after seven days and releases its funds", async () => {
    const { intent } = await createPayoutIntent(merchant.context, payout(), withoutIdempotency());
    await advance(7 * DAY - MINUTE);
    await work();
    expect((await getIntent(PAYOUTS, merchant.scope, intent.id)).status).toBe("requires_approval");
    await advance(MINUTE);
    await work();
    expect((await getIntent(PAYOUTS, merchant.scope, intent.id)).status).toBe("cancelled");
    expect(await balanceOf(merchant)).toEqual([OPENING, 0n]);
  });

  it("a quote expires after fifteen minutes", async () => {
    const command = {
      destination: { amount: "50000", currency: "BRL" },
      source: { type: "provider_gateway", provider: null, currency: "USDT", network: null } as const,
      country: "BR",
      merchantReference: null,
    };
    const { intent } = await createTopupIntent(merchant.context, command, withoutIdempotency());
    await advance(14 * MINUTE);
    await work();
    expect((await getIntent(TOPUPS, merchant.scope, intent.id)).status).toBe("requires_payment");
    await advance(MINUTE);
    await work();
    expect((await getIntent(TOPUPS, merchant.scope, intent.id)).status).toBe("expired");
  });

  it("is claimed by one of many workers, with the merchant's time, and leased by that time", async () => {
    await advance(HOUR);
    const made = await Promise.all(Array.from({ length: 12 }, () => newPayment()));
    const { intent: clock } = await advance(HOUR);
    const claim = (count: number) => paymentIntents.claimDueAcrossMerchants(count, 60 * 60_000);
    const claims = await Promise.all(Array.from({ length: 6 }, () => claim(5)));
    const claimed = [...claims.flat(), ...(await claim(500))].filter(
      ({ intent }) => intent.merchantId === merchant.merchantId,
    );
    expect(claimed.map(({ intent }) => intent.id).sort()).toEqual(made.map(({ id }) => id).sort());
    for (const { intent, at } of claimed) {
      expect(at.getTime()).toBeGreaterThanOrEqual(clock.now.getTime());
      expect((intent.dueAt?.getTime() ?? 0) - at.getTime()).toBeGreaterThanOrEqual(60 * 60_000 - 1);
    }
  });

  it("live payouts of a merchant whose test clock was advanced are unaffected", async () => {
    installScriptedProvider();
    const scope = { ...merchant.scope, environment: "live" as const };
    const live = { ...merchant, scope, context: { ...merchant.context, scope } };
    await fundWallet(live.context, { currency: "BRL", amount: 1_000_000n });
    const { intent } = await createPayoutIntent(live.context, payout(), withoutIdempotency());
    await advance(300 * DAY);
    await work();
    expect(await getIntent(PAYOUTS, scope, intent.id)).toEqual(intent);
  });

  it("a payout sent 25 hours ago by its clock is only polled: its provider may have forgotten it", async () => {
    const lost = { kind: "unknown", detail: "time-out" } as const;
    const forgotten = { kind: "never_accepted", detail: "unknown reference" } as const;
    const send = vi.spyOn(sandboxGateway, "createPayout").mockResolvedValue(lost);
    const ask = vi.spyOn(sandboxGateway, "queryPayout").mockResolvedValue([lost]);
    const { id, dispatchReference } = await approvedPayout(merchant);
    const sends = () => send.mock.calls.filter(([{ reference }]) => reference === dispatchReference).length;
    const asks = () => ask.mock.calls.filter(([{ reference }]) => reference === dispatchReference).length;
    await work();
    expect(sends()).toBe(1);
    ask.mockResolvedValue([forgotten]);
    const before = asks();
    await advance(25 * HOUR);
    await work();
    expect([sends(), asks() > before]).toEqual([1, true]);
    expect((await getIntent(PAYOUTS, merchant.scope, id)).status).toBe("processing");
    const facts = await query<{ fact: string }>("SELECT fact FROM exception WHERE object_id = $1 ORDER BY fact", id);
    expect(facts.map(({ fact }) => fact)).toEqual([`stuck:${id}:forgotten:1`, `stuck:${id}:standstill:1`]);
  });
});

describe("the lifetime of an Idempotency-Key", () => {
  const create = () =>
    once(keyed(merchant, "key"), (idempotency) => createPaymentIntent(merchant.context, payment(), idempotency));

  it("is 24 hours by the clock: then the same key is a new request", async () => {
    const first = await create();
    await advance(23 * HOUR);
    expect(await create()).toEqual({ ...first, replayed: true });
    await advance(HOUR + MINUTE);
    const second = await create();
    expect(second.replayed).toBe(false);
    expect(second.body).not.toBe(first.body);
  });

  it("of a claim without an effect counts from the clock as well", async () => {
    await advance(48 * HOUR);
    const first = await create();
    expect(await create()).toEqual({ ...first, replayed: true });
  });

  it("ended by an advanced clock leads to deletion of that merchant's key only", async () => {
    const other = await makeMerchant();
    const theirs = keyed(other, "key");
    await once(theirs, (idempotency) => createPaymentIntent(other.context, payment(), idempotency));
    await create();
    await advance(25 * HOUR);
    await reapIdempotencyKeys();
    expect(await countRows("idempotency_key", merchant.merchantId)).toBe(0);
    expect(await countRows("idempotency_key", other.merchantId)).toBe(1);
  });
});

describe("a machine whose clock jumps", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each([25, -25])("by %i hours expires nothing early, nothing late, and stamps nothing wrong", async (hours) => {
    const { intent: old } = await createPayoutIntent(merchant.context, payout(), withoutIdempotency());
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + hours * HOUR * 1000 });
    const made = await newPayment();
    expect(Math.abs(made.createdAt.getTime() - old.createdAt.getTime())).toBeLessThan(20_000);
    await work();
    expect((await getIntent(PAYMENTS, merchant.scope, made.id)).status).toBe("requires_action");
    expect((await getIntent(PAYOUTS, merchant.scope, old.id)).status).toBe("requires_approval");
    const request = keyed(merchant, "jump");
    const first = await once(request, (idempotency) => createPaymentIntent(merchant.context, payment(), idempotency));
    expect(await once(request, (idempotency) => createPaymentIntent(merchant.context, payment(), idempotency))).toEqual(
      {
        ...first,
        replayed: true,
      },
    );
    await advance(7 * DAY);
    await work();
    expect((await getIntent(PAYMENTS, merchant.scope, made.id)).status).toBe("expired");
    expect((await getIntent(PAYOUTS, merchant.scope, old.id)).status).toBe("cancelled");
  });
});
