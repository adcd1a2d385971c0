// Failover: another provider gets an intent only when the one before surely has nothing, and only one pays.

import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { announceAttempt, answerAttempt } from "@/server/db/attempts";
import { query } from "@/server/db/client";
import type { PayoutOutcome } from "@/server/domain/outcome";
import type { PaymentIntent } from "@/server/domain/payment-intent";
import type { PayoutIntent } from "@/server/domain/payout-intent";
import { now } from "@/server/platform/clock";
import { newId } from "@/server/platform/ids";
import { breakerOf } from "@/server/psp/breakers";
import { ONE_REFERENCE_FOR_ALL, requireInvariantsExcept } from "@/server/testing/invariants";
import { approvedPayout, makeMerchant, payment, type TestMerchant } from "@/server/testing/merchant";
import { installScriptedProviders, type ScriptedProvider } from "@/server/testing/scripted-provider";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { PAYMENTS } from "../payments/kind";
import { PAYOUTS } from "../payouts/kind";
import { fundWallet } from "../wallets";
import { attemptAnswer } from "./attempt-answer";
import { followUp } from "./follow-up";
import { getIntent } from "./read";

// The time these tests set is what the service takes for the database's.
vi.mock("@/server/platform/clock", async (original) => ({ ...(await original<object>()), now: () => new Date() }));

const HOUR = 60 * 60_000;
const NOT_SENT = { kind: "not_sent", detail: "refused" } as const;
const NEVER = { kind: "never_accepted", detail: "not accepted" } as const;
const UNKNOWN = { kind: "unknown", detail: "time-out" } as const;
const SETTLED = { kind: "settled", amount: 25_000n, currency: "BRL", providerReference: "psp-1" } as const;

let merchant: TestMerchant;
let a: ScriptedProvider;
let b: ScriptedProvider;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  ({ a, b } = installScriptedProviders("a", "b"));
  const made = await makeMerchant();
  const scope = { ...made.scope, environment: "live" as const };
  const byMember = () => ({ ...made.byMember(), scope });
  merchant = { ...made, scope, context: { ...made.context, scope }, byMember };
  await fundWallet(merchant.context, { currency: "BRL", amount: 10_000_000n });
});
afterEach(async () => {
  vi.useRealTimers();
  await requireInvariantsExcept(ONE_REFERENCE_FOR_ALL);
});

const pay = async () => (await createPaymentIntent(merchant.context, payment(), withoutIdempotency())).intent;
const stored = ({ id }: PaymentIntent) => getIntent(PAYMENTS, merchant.scope, id);

async function look(intent: PaymentIntent, afterMs = 1_000): Promise<PaymentIntent> {
  vi.setSystemTime(Date.now() + afterMs);
  await followUp(PAYMENTS, await stored(intent), now);
  return stored(intent);
}

async function lookAtPayout(intent: PayoutIntent, afterMs = 1_000): Promise<PayoutIntent> {
  vi.setSystemTime(Date.now() + afterMs);
  await followUp(PAYOUTS, await getIntent(PAYOUTS, merchant.scope, intent.id), now);
  return getIntent(PAYOUTS, merchant.scope, intent.id);
}

const attemptsOf = async ({ id }: { readonly id: string }) =>
  (
    await query<{ line: string }>(
      "SELECT provider || ' ' || coalesce(outcome, state) AS line FROM provider_attempt WHERE intent_id = $1 ORDER BY ordinal",
      id,
    )
  ).map(({ line }) => line);

function openBreaker(provider: string, channel: string): void {
  for (let n = 0; n < 5; n += 1) breakerOf(provider, channel).fail(Date.now());
}

describe("a payment", () => {
  it.each([NOT_SENT, NEVER])("goes to the next provider in the same call after $kind, and says so", async (refusal) => {
    a.answer = refusal;
    const intent = await pay();
    expect(intent).toMatchObject({ provider: "b", status: "processing", routing: { order: ["a", "b"] } });
    expect(intent.routing.left).toMatchObject([{ provider: "a", reason: refusal.kind }]);
    expect(await attemptsOf(intent)).toEqual([`a ${refusal.kind}`, "b pending"]);
    expect(await stored(intent)).toEqual(intent);
    const audited = await query(
      "SELECT reason, before->>'provider' AS before, after->>'provider' AS after FROM audit_entry WHERE object_id = $1 AND action = 'payment_intent.reroute'",
      intent.id,
    );
    expect(audited).toEqual([
      { reason: expect.stringMatching(/^a .* goes to b\.$/) as string, before: "a", after: "b" },
    ]);
  });

  it("is announced to the next provider before that sees a byte", async () => {
    a.answer = NOT_SENT;
    const seen: unknown[] = [];
    b.duringSend = async (reference) => {
      const [row] = await query<{ provider: string }>("SELECT provider FROM payment_intent WHERE id = $1", reference);
      seen.push(row?.provider, ...(await attemptsOf({ id: reference })));
    };
    await pay();
    expect(seen).toEqual(["b", "a not_sent", "b started"]);
  });

  it("whose outcome is unknown stays with its provider for good, whatever that says later", async () => {
    a.answer = UNKNOWN;
    const intent = await pay();
    for (const answer of [UNKNOWN, NEVER, NOT_SENT, NEVER]) {
      a.answer = answer;
      await look(intent, 60_000);
    }
    expect(await stored(intent)).toMatchObject({ provider: "a", routing: { left: [] } });
    expect(b.sent).toEqual([]);
  });

  it("that is declined, or of which the payer was shown something, goes nowhere else", async () => {
    a.answer = { kind: "declined", message: null, providerReference: null };
    expect((await pay()).status).toBe("failed");
    const next = { type: "redirect_to_url", url: "https://a.example", expires_at: "2026-11-21T10:00:00.000Z" } as const;
    a.answer = { kind: "requires_action", nextAction: next, providerReference: "p" };
    const shown = await pay();
    for (const answer of [{ kind: "pending", providerReference: "p" } as const, NEVER, NOT_SENT]) {
      a.answer = answer;
      await look(shown);
    }
    expect(b.sent).toEqual([]);
  });

  it("that nobody can be reached for waits, is sent once somebody answers, and expires in time if nobody does", async () => {
    [a.answer, b.answer] = [NOT_SENT, NOT_SENT];
    const [waiting, lost] = [await pay(), await pay()];
    expect(waiting).toMatchObject({ provider: "b", status: "processing" });
    b.answerToQuestion = UNKNOWN;
    expect((await look(lost, HOUR)).status).toBe("expired");
    vi.setSystemTime(Date.now() - HOUR);
    [b.answer, b.answerToQuestion] = [{ kind: "pending", providerReference: "psp-2" }, NEVER];
    await look(waiting);
    expect(await attemptsOf(waiting)).toEqual(["a not_sent", "b not_sent", "b pending"]);
  });

  it("fails once the last provider has refused it for certain", async () => {
    [a.answer, b.answer] = [NOT_SENT, NEVER];
    expect(await pay()).toMatchObject({ status: "failed", failure: { code: "provider_unavailable" }, provider: "b" });
  });

  it("whose time for the call is used up is left to the worker, which sends it once", async () => {
    a.answer = NOT_SENT;
    a.duringSend = async () => void vi.setSystemTime(Date.now() + 2_400);
    const intent = await pay();
    expect([intent.provider, intent.status, b.sent]).toEqual(["b", "processing", []]);
    await Promise.all([
      followUp(PAYMENTS, intent, now),
      followUp(PAYMENTS, intent, now),
      followUp(PAYMENTS, intent, now),
    ]);
    expect(b.sent).toEqual([intent.id]);
    expect(await attemptsOf(intent)).toEqual(["a not_sent", "b pending"]);
  });

  it("is not given to a provider with an open breaker while another is there; it is asked about all the same", async () => {
    const before = await pay();
    openBreaker("a", "BR_PIX");
    const intent = await pay();
    expect(intent).toMatchObject({ provider: "b", routing: { skipped: [{ provider: "a", reason: "breaker_open" }] } });
    await look(before);
    expect([a.sent, a.queries]).toEqual([[before.id], [before.id]]);
  });

  it("opens its provider's breaker by faults alone, and one answer after the pause closes it", async () => {
    a.answer = { kind: "declined", message: null, providerReference: null };
    for (let n = 0; n < 6; n += 1) await pay();
    a.answer = UNKNOWN;
    for (let n = 0; n < 5; n += 1) await pay();
    expect((await pay()).provider).toBe("b");
    a.answer = { kind: "pending", providerReference: "psp-1" };
    vi.setSystemTime(Date.now() + 15_000);
    expect([(await pay()).provider, (await pay()).provider]).toEqual(["a", "a"]);
  });
});

describe("a payout", () => {
  it.each([NOT_SENT, NEVER])("goes to the next provider after $kind, and is paid there once", async (refusal) => {
    a.answer = refusal;
    b.answer = SETTLED;
    const intent = await approvedPayout(merchant);
    expect(await lookAtPayout(intent)).toMatchObject({ status: "succeeded", provider: "b" });
    expect([a.sent, b.sent]).toEqual([[intent.id], [intent.id]]);
  });

  it("that was unknown and turns out not to be accepted is sent again to the same provider, never to another", async () => {
    const intent = await approvedPayout(merchant);
    a.answer = UNKNOWN;
    await lookAtPayout(intent);
    a.answerToQuestion = NEVER;
    for (const answer of [UNKNOWN, NOT_SENT, NOT_SENT]) {
      a.answer = answer;
      expect(await lookAtPayout(intent)).toMatchObject({ status: "processing", provider: "a" });
    }
    a.answer = NEVER;
    // The first call may still be on its way: the hold goes back only once it must be dead.
    expect(await lookAtPayout(intent)).toMatchObject({ status: "processing", provider: "a" });
    expect(await lookAtPayout(intent, 10 * 60_000)).toMatchObject({ status: "failed", provider: "a" });
    expect([a.sent.length, b.sent]).toEqual([5, []]);
  });

  it("that several workers take at once is sent once to the provider that pays, and to none after it", async () => {
    a.answer = NEVER;
    b.answer = SETTLED;
    const intents = await Promise.all(Array.from({ length: 10 }, () => approvedPayout(merchant)));
    const ids = intents.map(({ id }) => id);
    for (const intent of intents) await Promise.all(Array.from({ length: 6 }, () => followUp(PAYOUTS, intent, now)));
    // A worker that asks while another one's call is under way may have it sent again, and then stays for that look.
    for (const intent of intents) {
      for (let looks = 0; looks < 3; looks += 1) await lookAtPayout(intent);
      expect(await getIntent(PAYOUTS, merchant.scope, intent.id)).toMatchObject({ status: "succeeded", provider: "b" });
    }
    expect([...new Set(a.sent)].sort()).toEqual([...ids].sort());
    expect([...b.sent].sort()).toEqual([...ids].sort());
    const sent = a.sent.length;
    for (const intent of intents) await lookAtPayout(intent);
    expect([a.sent.length, b.sent.length]).toEqual([sent, ids.length]);
  });

  it("that its provider has refused as often as it may be sent there goes to the next one", async () => {
    a.answer = NEVER;
    b.answer = SETTLED;
    const intent = await approvedPayout(merchant);
    // What workers leave behind that sent it together, each kept from moving it by the others' calls.
    for (let ordinal = 1; ordinal <= 5; ordinal += 1) {
      const id = newId("attempt");
      await announceAttempt(intent, "payout_intent", { id, ordinal }, now());
      await answerAttempt(intent.merchantId, attemptAnswer(id, NEVER), now());
    }
    expect(await lookAtPayout(intent)).toMatchObject({ status: "processing", provider: "b" });
    expect(await lookAtPayout(intent)).toMatchObject({ status: "succeeded", provider: "b" });
    expect([a.sent, b.sent]).toEqual([[], [intent.id]]);
  });

  it("leaves a provider whose breaker opened since before anything is sent", async () => {
    const intent = await approvedPayout(merchant);
    openBreaker("a", "payout BRL");
    expect(await lookAtPayout(intent)).toMatchObject({
      provider: "b",
      routing: { left: [{ reason: "breaker_open" }] },
    });
    expect([a.sent, b.sent]).toEqual([[], [intent.id]]);
  });

  it("stays where every breaker is open", async () => {
    const intent = await approvedPayout(merchant);
    openBreaker("a", "payout BRL");
    openBreaker("b", "payout BRL");
    expect(await lookAtPayout(intent)).toMatchObject({ provider: "a" });
    expect([a.sent, b.sent]).toEqual([[intent.id], []]);
  });
});

/** How a call that sends goes: what the provider does, and what we hear of it. */
const COURSES = ["pays", "pays, unheard", "nothing, unheard", "not_sent", "never_accepted"] as const;
const ANSWERS = ["truth", "unheard"] as const;

it("whatever the providers do and whichever workers look, at most one of them pays a payout", async () => {
  const script = fc.record({
    sends: fc.array(fc.constantFrom(...COURSES), { minLength: 12, maxLength: 12 }),
    asks: fc.array(fc.constantFrom(...ANSWERS), { minLength: 12, maxLength: 12 }),
    pauses: fc.array(fc.constantFrom(1_000, 60_000, 11 * 60_000), { minLength: 6, maxLength: 6 }),
    workers: fc.integer({ min: 1, max: 3 }),
  });
  let paidElsewhere = 0;
  const property = fc.asyncProperty(script, async ({ sends, asks, pauses, workers }) => {
    const providers = installScriptedProviders("a", "b", "c");
    const paid = new Set<string>();
    const [courses, answers] = [[...sends], [...asks]];
    for (const [name, provider] of Object.entries(providers)) {
      const settled: PayoutOutcome = { ...SETTLED, providerReference: `${name}-${provider.sent.length}` };
      provider.duringSend = async () => {
        const course = courses.shift() ?? "pays";
        if (course.startsWith("pays")) paid.add(name);
        if (course === "not_sent") provider.answer = NOT_SENT;
        else if (course === "never_accepted" && !paid.has(name)) provider.answer = NEVER;
        else provider.answer = course === "pays" ? settled : UNKNOWN;
        const truth = paid.has(name) ? settled : NEVER;
        provider.answerToQuestion = (answers.shift() ?? "truth") === "truth" ? truth : UNKNOWN;
      };
    }
    const intent = await approvedPayout(merchant);
    for (const pause of pauses) {
      vi.setSystemTime(Date.now() + pause);
      const current = await getIntent(PAYOUTS, merchant.scope, intent.id);
      if (current.dueAt === null) break;
      await Promise.all(Array.from({ length: workers }, () => followUp(PAYOUTS, current, now)));
    }
    const end = await getIntent(PAYOUTS, merchant.scope, intent.id);
    expect(paid.size).toBeLessThanOrEqual(1);
    expect(end.status === "failed" && paid.size > 0).toBe(false);
    expect(end.status !== "succeeded" || paid.has(end.provider)).toBe(true);
    if (paid.has("b") || paid.has("c")) paidElsewhere += 1;
  });
  const rest = { asks: ["truth" as const], pauses: [1_000, 1_000], workers: 2 };
  await fc.assert(property, { numRuns: 60, examples: [[{ ...rest, sends: ["not_sent", "pays, unheard"] }]] });
  expect(paidElsewhere, "failover was exercised").toBeGreaterThan(0);
});
