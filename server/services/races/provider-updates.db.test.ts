// Races of a provider's callback, the worker's poll and the payer's deadline: each intent has one final status and one
// event, and every reported amount is booked once.
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { sizeOf } from "@/e2e/support/tier";
import { query } from "@/server/db/client";
import { orOnLockConflict } from "@/server/db/failures";
import type { PaymentOutcome, PayoutOutcome } from "@/server/domain/outcome";
import { acceptCallbacks, type CallbackBody, sendCallback } from "@/server/testing/callbacks";
import { requireInvariants } from "@/server/testing/invariants";
import { makeLiveMerchant, payment, payout, type TestMerchant } from "@/server/testing/merchant";
import { installScriptedProvider, type ScriptedProvider } from "@/server/testing/scripted-provider";
import { type Copy, loadTwice } from "@/server/testing/second-copy";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { createPayoutIntent } from "../payouts/create";

const TRIALS = sizeOf({ representative: 200, deep: 10_000 });
/** Concurrent intents of several merchants, so that whole batches race. */
const CONCURRENCY = 20;
const ROUNDS = TRIALS / CONCURRENCY;
const MERCHANTS = 4;

vi.setConfig({ testTimeout: 3_600_000 });

let copies: readonly [Copy, Copy];
let merchants: readonly TestMerchant[];
let script: ScriptedProvider;
beforeAll(async () => {
  copies = await loadTwice();
});
beforeEach(async () => {
  script = installScriptedProvider();
  acceptCallbacks();
  merchants = await Promise.all(Array.from({ length: MERCHANTS }, makeLiveMerchant));
});

type Kind = "payment_intent" | "payout_intent";

const PENDING = { kind: "pending", providerReference: null } as const;
const SHOWN = {
  kind: "requires_action",
  nextAction: { type: "redirect_to_url", url: "https://psp.example/1", expires_at: "2026-12-01T00:00:00.000Z" },
  providerReference: null,
} as const;

/** Creates `CONCURRENCY` intents that their provider has and has not finished. */
async function beginRound(kind: Kind, begins: PaymentOutcome) {
  script.answer = kind === "payment_intent" ? begins : PENDING;
  script.answerToQuestion = null;
  const turns = Array.from({ length: CONCURRENCY }, (_, turn) => merchants[turn % MERCHANTS] as TestMerchant);
  const create = ({ context }: TestMerchant) =>
    kind === "payment_intent"
      ? createPaymentIntent(context, payment(), withoutIdempotency())
      : createPayoutIntent(context, payout({ amount: "1050" }), withoutIdempotency());
  const made = await Promise.all(turns.map(create));
  if (kind === "payout_intent") await copies[0].workOnDueIntents(kind, CONCURRENCY, 30_000);
  return made.map(({ intent }) => intent);
}

const OPEN = "due_at IS NOT NULL AND status IN ('processing', 'requires_action')";

/** Lets both copies apply waiting callbacks and poll every open intent concurrently, until nothing is left. */
async function race(kind: Kind): Promise<void> {
  for (;;) {
    await orOnLockConflict(query(`UPDATE ${kind} SET due_at = now() - interval '1 second' WHERE ${OPEN}`), []);
    // No lease: each copy can claim a callback of the other, so that both apply it.
    const work = copies.flatMap((copy) => [
      () => copy.applyDueCallbacks(2 * CONCURRENCY, 0),
      () => copy.workOnDueIntents(kind, CONCURRENCY / 2, 30_000),
    ]);
    const isFirst = Math.floor(script.queries.length / CONCURRENCY) % 2 === 0;
    await Promise.all((isFirst ? work : work.toReversed()).map((act) => act()));
    // A busy machine can exceed a statement's time limit; the answer is then recorded later.
    await Promise.all(copies.map((copy) => copy.finishDueIntents()));
    const left = await query(
      `SELECT 1 FROM ${kind} WHERE ${OPEN} UNION ALL SELECT 1 FROM provider_callback WHERE due_at IS NOT NULL LIMIT 1`,
    );
    if (left.length === 0) return;
  }
}

type Begun = Pick<End, "id" | "revision">;

interface End {
  readonly id: string;
  readonly status: string;
  readonly revision: number;
  readonly events: number;
  /** The intent's effect on the accounts without its hold, in minor units. */
  readonly wallet: string;
  readonly suspense: string;
}

/** Returns each intent's status and bookings as `status wallet suspense`; each has finished once, with one event. */
async function endsOf(kind: Kind, intents: readonly Begun[]): Promise<{ id: string; end: string }[]> {
  const begun = new Map(intents.map(({ id, revision }) => [id, revision]));
  const sum = (kinds: string) => `(
    SELECT coalesce(sum(e.amount), 0)::text FROM ledger_transaction t
    JOIN ledger_entry e ON e.merchant_id = t.merchant_id AND e.transaction_id = t.id
    WHERE t.merchant_id = i.merchant_id AND t.intent_id = i.id AND e.kind IN (${kinds}))`;
  const rows = await query<End>(
    `SELECT i.id, i.status, i.revision, ${sum("'available', 'held'")} AS wallet, ${sum("'suspense'")} AS suspense,
            (SELECT count(*)::int FROM event v WHERE v.merchant_id = i.merchant_id AND v.intent_id = i.id) AS events
     FROM ${kind} i WHERE i.id = ANY($1)`,
    [...begun.keys()],
  );
  return rows.map(({ id, status, revision, events, wallet, suspense }) => {
    expect([revision, events]).toEqual([(begun.get(id) ?? 0) + 1, 1]);
    return { id, end: `${status} ${wallet} ${suspense}` };
  });
}

interface Contest<Outcome> {
  /** The answer to the creation; by default the payer's instructions. */
  readonly begins?: PaymentOutcome;
  readonly told: CallbackBody;
  readonly answered: Outcome;
  /** The correct ends. */
  readonly ends: readonly string[];
  /** The correct end if the callback finished the intent before any poll. */
  readonly unasked?: string;
}

/** Each bank return has its own reference. */
function toldOf({ id }: Begun, told: CallbackBody): CallbackBody {
  return told.status === "returned" ? { ...told, provider_reference: `return-${id}` } : told;
}

/** Plays each contest for one round; returns the wrong ends. Throws if an invariant is broken. */
async function play(kind: Kind, contests: readonly Contest<PaymentOutcome | PayoutOutcome>[], isOver = false) {
  const wrong: object[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const contest = contests[round % contests.length];
    if (!contest) throw new RangeError("no contest");
    const intents = await beginRound(kind, contest.begins ?? SHOWN);
    const ids = intents.map(({ id }) => id);
    if (isOver) await query("UPDATE payment_intent SET expires_at = created_at WHERE id = ANY($1)", ids);
    await Promise.all(intents.map((intent) => sendCallback(intent, toldOf(intent, contest.told))));
    script.answerToQuestion = contest.answered;
    await race(kind);
    const asked = new Set(script.queries);
    const ends = await endsOf(kind, intents);
    const isRight = ({ id, end }: { id: string; end: string }) =>
      contest.ends.includes(end) || (end === contest.unasked && !asked.has(id));
    wrong.push(...ends.filter((end) => !isRight(end)).map((end) => ({ contest, ...end })));
    expect(ends).toHaveLength(CONCURRENCY);
  }
  await requireInvariants();
  return wrong;
}

const PAID = "succeeded 1050 0";
/** A provider without references for money, so that equal amounts of one intent are the same money. */
const TRACE = { providerReference: null };
const SUM = { amount: 1050n, currency: "BRL" };
const TOLD_SUM = { amount: "1050", currency: "BRL", provider_reference: null };

it(`a payment's callback and the answer to the worker's poll, alike or not, have one winner, ${TRIALS} times`, async () => {
  const paid = { kind: "succeeded", receiptId: null, ...SUM, ...TRACE } as const;
  const declined = { kind: "declined", message: null, ...TRACE } as const;
  const told = { status: "succeeded", ...TOLD_SUM };
  const wrong = await play("payment_intent", [
    { told, answered: paid, ends: [PAID] },
    { told, answered: declined, ends: [PAID, "failed 0 1050"] },
    { told: { status: "declined" }, answered: paid, ends: [PAID, "failed 0 1050"], unasked: "failed 0 0" },
    { told: { status: "cancelled" }, answered: declined, ends: ["failed 0 0"] },
    // The amount once with a reference and once without may be one payment or two, so a person decides.
    { told: { ...told, provider_reference: "psp-2" }, answered: paid, ends: [PAID] },
    { told: { ...told, amount: "1049" }, answered: paid, ends: ["succeeded 1050 1049"] },
  ]);
  expect(wrong).toEqual([]);
});

it(`a payout's callback and the answer to the worker's poll, alike or not, have one winner, ${TRIALS} times`, async () => {
  const settled = { kind: "settled", ...SUM, ...TRACE } as const;
  const declined = { kind: "declined", message: null, ...TRACE } as const;
  const told = { status: "settled", ...TOLD_SUM };
  const wrong = await play("payout_intent", [
    { told, answered: settled, ends: ["succeeded -1050 0"] },
    { told, answered: declined, ends: ["succeeded -1050 0", "failed 0 -1050"] },
    {
      told: { status: "declined" },
      answered: settled,
      ends: ["succeeded -1050 0", "failed 0 -1050"],
      unasked: "failed 0 0",
    },
    { told: { status: "invalid_recipient" }, answered: declined, ends: ["failed 0 0"] },
    // It left and was returned, reported in either order.
    { told: { ...told, status: "returned" }, answered: settled, ends: ["succeeded 0 0"] },
  ]);
  expect(wrong).toEqual([]);
});

it(`the payer's deadline and a callback of success have one winner, ${TRIALS} times, and the money is booked either way`, async () => {
  const told = { status: "succeeded", ...TOLD_SUM };
  const wrong = await play(
    "payment_intent",
    [
      { told, answered: SHOWN, ends: [PAID, "expired 0 1050"] },
      // The payer acted in time, so the deadline has no effect.
      { begins: PENDING, told, answered: PENDING, ends: [PAID] },
    ],
    true,
  );
  expect(wrong).toEqual([]);
});
