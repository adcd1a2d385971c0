// Random orders of reports, files, entries by hand and decisions: no money is booked twice, and none is missed without a question.
import { beforeEach, expect, it, vi } from "vitest";
import { randomBelow } from "@/e2e/support/random";
import { sizeOf } from "@/e2e/support/tier";
import { query } from "@/server/db/client";
import { valueOf } from "@/server/domain/topup-funds";
import { newId } from "@/server/platform/ids";
import { sendCallback } from "@/server/testing/callbacks";
import { requireInvariants } from "@/server/testing/invariants";
import { makeLiveMerchant, payment, payout, type TestMerchant } from "@/server/testing/merchant";
import { expireTopup, scriptedTopup } from "@/server/testing/topup";
import { applyDueCallbacks } from "../callbacks/receive-callback";
import { resolveException } from "../exceptions/decide";
import { settleException } from "../exceptions/settle";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { createPayoutIntent } from "../payouts/create";
import {
  clearingOf,
  exceptionOfLine,
  importPart,
  type Named,
  openExceptions,
  operatorFor,
  row,
} from "./testing/beside";
import { balancesOf, bookFor, stageEntries } from "./testing/entries";

const PLAYS = sizeOf({ representative: 12, deep: 500 });
/** Plays that go on at the same time. */
const AT_ONCE = 12;
const SEED = 20_261_128;

vi.setConfig({ testTimeout: 3_600_000 });
const stage = stageEntries();
beforeEach(() => {
  stage.provider.answer = { kind: "pending", providerReference: null };
});

/** What happens to one merchant; what was sent is applied at each `yield`. Throws for books that are wrong. */
type Play = AsyncGenerator<void, void, void>;

class Random {
  readonly below: (below: number) => number;
  constructor(seed: number) {
    this.below = randomBelow(seed);
  }
  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }
  shuffle<Item>(items: readonly Item[]): Item[] {
    const left = [...items];
    return items.flatMap(() => left.splice(this.below(left.length), 1));
  }
}

/** Plays each seed's play, some at once, each in turns of one act. */
async function playAll(make: (random: Random, log: string[]) => Play): Promise<void> {
  const problems: string[] = [];
  for (let first = 0; first < PLAYS; first += AT_ONCE) {
    const turns = Array.from({ length: Math.min(AT_ONCE, PLAYS - first) }, (_, place) => {
      const [seed, log] = [SEED + first + place, [] as string[]];
      const play = make(new Random(seed), log);
      return async () => {
        try {
          return (await play.next()).done === true;
        } catch (error) {
          problems.push(`seed ${seed}: ${String(error)}\n  ${log.join("\n  ")}`);
          return true;
        }
      };
    });
    let going = turns;
    while (going.length > 0) {
      const ends = await Promise.all(going.map((turn) => turn()));
      going = going.filter((_, place) => !ends[place]);
      while ((await applyDueCallbacks(AT_ONCE, 0)) > 0);
    }
  }
  expect(problems).toEqual([]);
  await requireInvariants();
}

interface Act {
  readonly what: string;
  /** Returns what is noted; nothing for a report that is sent. */
  readonly run: () => Promise<string | void>;
}

/** Does the acts; notes each with its answer. */
async function* doAll(acts: readonly Act[], log: string[]): Play {
  for (const { what, run } of acts) {
    log.push(`${what}: ${(await run()) ?? "sent"}`);
    yield;
  }
}

const kindsOf = async ({ merchantId }: TestMerchant) => (await openExceptions(merchantId)).map(({ kind }) => kind);

async function makePayment(merchant: TestMerchant, amount: number) {
  const request = payment({ amount: String(amount) });
  return (await createPaymentIntent(merchant.context, request, withoutIdempotency())).intent;
}

/** A report of the intent under a reference of its own. */
const tell = (intent: Named, status: string, reference: string, amount: number | null = null): Act => ({
  what: `${status} ${amount ?? ""} ${reference}`,
  run: () =>
    sendCallback(intent, {
      status,
      provider_reference: `${intent.id}-${reference}`,
      ...(amount !== null && { amount: String(amount), currency: "BRL" }),
    }),
});

it("a payment: before people book money of it, each further sum is booked, and after that it asks", async () => {
  await playAll(async function* play(random, log) {
    const merchant = await makeLiveMerchant();
    const intent = await makePayment(merchant, 1050);
    yield* doAll([tell(intent, "declined", "px")], log);
    /** References by the sum that was booked under them. */
    const booked = new Map<number, string>();
    const asked = new Set<string>();
    let isByHand = false;
    for (let turn = 0; turn < 6; turn += 1) {
      const amount = random.pick([1050, 1000, 550, 500]);
      const before = await clearingOf(merchant);
      if (random.below(3) === 0) {
        const isAdditional = random.below(2) === 0;
        const change = { amount: String(amount), about: intent.id, isAdditional };
        yield* doAll([{ what: `entry ${amount} ${isAdditional}`, run: () => bookFor(merchant, change) }], log);
        isByHand ||= log.at(-1)?.endsWith(": confirmed") ?? false;
        continue;
      }
      const reference = `px-${random.below(2)}-${amount}`;
      const isBooked = !isByHand && !booked.has(amount);
      if (isBooked) booked.set(amount, reference);
      if (booked.get(amount) !== reference) asked.add(reference);
      yield* doAll([tell(intent, "succeeded", reference, amount)], log);
      expect(before - (await clearingOf(merchant))).toBe(isBooked ? BigInt(amount) : 0n);
      expect((await kindsOf(merchant)).filter((kind) => kind === "ambiguous_receipt")).toHaveLength(asked.size);
    }
  });
});

/** What left through the provider, and what came back. */
async function movedOf({ merchantId }: TestMerchant) {
  const [moved] = await query<{ out: string; back: string }>(
    `SELECT coalesce(sum(amount) FILTER (WHERE amount > 0), 0)::text AS out,
            coalesce(-sum(amount) FILTER (WHERE amount < 0), 0)::text AS back
     FROM ledger_entry WHERE merchant_id = $1 AND kind = 'provider_clearing:scripted'`,
    merchantId,
  );
  return { out: BigInt(moved?.out ?? 0), back: BigInt(moved?.back ?? 0) };
}

it("a payout: no more leaves or comes back than did, and what was reported is booked or asks", async () => {
  await playAll(async function* play(random, log) {
    const merchant = await makeLiveMerchant();
    const request = payout({ amount: "25000" });
    const { intent } = await createPayoutIntent(merchant.context, request, withoutIdempotency());
    const entry = (isOut: boolean, sum: number): Act => {
      const [from, to] = isOut
        ? (["available", "provider_clearing"] as const)
        : (["provider_clearing", "available"] as const);
      const change = { from, to, amount: String(sum), about: intent.id };
      return { what: `entry from ${from} ${sum}`, run: () => bookFor(merchant, change) };
    };
    const times = (most: number) => Array.from({ length: random.below(most + 1) });
    const returns = random.pick([[], [25_000], [10_000, 15_000], [12_500, 12_500], [5_000], [10_000, 10_000, 5_000]]);
    const settled = times(2).map(() => tell(intent, "settled", "out", 25_000));
    const out = times(1).map(() => entry(true, 25_000));
    const told = returns.map((amount, n) => times(2).map(() => tell(intent, "returned", `ret-${n}`, amount)));
    const back = returns.flatMap((amount) => times(1).map(() => entry(false, amount)));
    const declined = times(1).map(() => tell(intent, "declined", "out"));
    yield* doAll(random.shuffle([...settled, ...out, ...told.flat(), ...back, ...declined]), log);
    const moved = await movedOf(merchant);
    const kinds = await kindsOf(merchant);
    expect(moved.out).toBeLessThanOrEqual(25_000n);
    expect(moved.back).toBeLessThanOrEqual(BigInt(returns.reduce((sum, amount) => sum + amount, 0)));
    const isOut = moved.out === 25_000n || settled.length === 0;
    const reported = returns.reduce((sum, amount, n) => sum + ((told[n]?.length ?? 0) > 0 ? amount : 0), 0);
    expect(isOut || kinds.length > 0).toBe(true);
    expect(moved.back >= BigInt(reported) || kinds.includes("ambiguous_receipt")).toBe(true);
  });
});

it("settlement files in any parts, with lines that are booked by hand: each line is charged and banked once", async () => {
  await playAll(async function* play(random, log) {
    const merchant = await makeLiveMerchant();
    const id = newId("event");
    const payments = await Promise.all(
      Array.from({ length: 2 + random.below(3) }, (_, n) => ({
        lineId: `${id}-${n}`,
        amount: random.pick([1000, 1050, 2000]),
        fee: random.pick([0, 12]),
        batch: `${random.pick(["w1", "w2"])}${id}`,
        isLate: random.below(2) === 0,
        reports: 1 + random.below(2),
      })).map(async (one) => ({ ...one, intent: await makePayment(merchant, one.amount) })),
    );
    const lines = payments.map(({ intent, lineId, amount, fee, batch }) =>
      row({ lineId, kind: "payment", amount, batch, reference: intent.dispatchReference, ...(fee > 0 && { fee }) }),
    );
    const banks = [...new Set(payments.map(({ batch }) => batch))].flatMap((batch) => {
      const ofBatch = payments.filter((one) => one.batch === batch);
      const sum = ofBatch.reduce((total, { amount, fee }) => total + amount - fee, 0);
      const first = random.pick([sum, Math.floor(sum / 2)]);
      const parts = [first, sum - first].filter((part) => part > 0);
      return parts.map((amount, n) => row({ lineId: `${batch}-${n}`, kind: "bank_credit", amount, batch }));
    });
    const all = [...lines, ...banks];
    const byHand = ({ lineId, amount, fee, intent }: (typeof payments)[number]): Act => ({
      what: `entries about ${lineId}`,
      run: async () => {
        const exceptionId = await exceptionOfLine(merchant.merchantId, "missing_internal", lineId);
        if (exceptionId === "") return "no exception";
        const state = await bookFor(merchant, { amount: String(amount), exceptionId });
        if (state !== "confirmed") return state;
        const rest = { to: "provider_clearing", about: intent.id, isAdditional: true } as const;
        const charged = fee > 0 ? await bookFor(merchant, { ...rest, from: "fees", amount: String(fee) }) : "no fee";
        const banked = await bookFor(merchant, { ...rest, from: "bank", amount: String(amount - fee) });
        return [state, charged, banked].join(" ");
      },
    });
    const acts = payments.flatMap((one) => {
      const { intent, amount, isLate, reports } = one;
      const told = Array.from({ length: reports }, () => tell(intent, "succeeded", "px", amount));
      return isLate ? [tell(intent, "declined", "px"), byHand(one), byHand(one), byHand(one), ...told] : told;
    });
    const imports = Array.from({ length: 2 + random.below(3) }, (): Act => {
      const some = random.shuffle(all).slice(0, 1 + random.below(all.length));
      const what = `import ${some.map((line) => line.split(",")[0]?.slice(id.length)).join(" ")}`;
      return { what, run: async () => (await importPart(...some)).lines.map(({ verdict }) => verdict).join(" ") };
    });
    yield* doAll(random.shuffle([...acts, ...imports]), log);
    await importPart(...random.shuffle(all));
    const sumOf = (of: (one: (typeof payments)[number]) => number) =>
      BigInt(payments.reduce((total, one) => total + of(one), 0));
    const { bank = 0n, fees = 0n } = await balancesOf(merchant);
    expect([bank, fees, await clearingOf(merchant)]).toEqual([
      -sumOf(({ amount, fee }) => amount - fee),
      -sumOf(({ fee }) => fee),
      0n,
    ]);
  });
});

/** Each step of a total is converted by itself, and rounded. */
const isRounding = (amount: bigint) => amount >= -3n && amount <= 3n;

it("a top-up: a person who knows what its provider has, and answers each question, brings the books to it", async () => {
  await playAll(async function* play(random, log) {
    const merchant = await makeLiveMerchant();
    const by = await operatorFor(merchant);
    const policy = () => random.pick(["credit_actual", "hold"] as const);
    const policies = { overpayment: policy(), underpayment: policy(), latePayment: policy() };
    const isOver = random.below(2) === 0;
    const topup = await scriptedTopup(merchant, { isOver, policies });
    if (isOver) await expireTopup(merchant, topup);
    const quarter = topup.sourceAmount / 4n;
    let has = isOver ? 0n : topup.sourceAmount;
    const money = { currency: topup.sourceCurrency, confirmed: true, provider_reference: null };
    const report = (status: string): Act => ({
      what: `${status} ${has / quarter}`,
      run: () => sendCallback(topup, { ...money, status, amount: has.toString() }),
    });
    const missing = async () => valueOf(has, topup) + (await clearingOf(merchant));
    /** Decides on the oldest question by what the books lack. */
    const answer = async (): Promise<string> => {
      const asked = (await openExceptions(merchant.merchantId)).filter(({ kind }) =>
        ["funds_dropped", "ambiguous_receipt"].includes(kind),
      );
      const one = asked.toSorted((a, b) => a.openedAt.getTime() - b.openedAt.getTime())[0];
      if (!one) return "no question";
      const lacking = await missing();
      if (one.kind === "funds_dropped") {
        const as = lacking >= -BigInt(one.detail["amount"] ?? 0) - 3n ? "restore" : "recover";
        await settleException(by, one.id, as, "The provider says so.");
        return as;
      }
      if (isRounding(lacking)) {
        await resolveException(by, one.id, "Nothing is missing.");
        return "nothing is missing";
      }
      const [from, to] =
        lacking > 0n ? (["provider_clearing", "available"] as const) : (["available", "provider_clearing"] as const);
      const amount = (lacking > 0n ? lacking : -lacking).toString();
      return `${lacking} ${await bookFor(merchant, { from, to, amount, exceptionId: one.id, isAdditional: true })}`;
    };
    if (!isOver) yield* doAll([report("funds_seen")], log);
    let isByHand = false;
    for (let turn = 0; turn < 9; turn += 1) {
      const what = random.pick(["more", "less", "again", "answer", "answer"]);
      if (what === "more") has += quarter * BigInt(1 + random.below(2));
      const lost = quarter * BigInt(1 + random.below(3));
      if (what === "less") has = has > lost ? has - lost : 0n;
      const before = await clearingOf(merchant);
      if (what === "answer") {
        yield* doAll([{ what, run: answer }], log);
        isByHand ||= log.at(-1)?.endsWith(" confirmed") ?? false;
        continue;
      }
      yield* doAll([report(what === "less" ? "funds_dropped" : "funds_seen")], log);
      expect(!isByHand || (await clearingOf(merchant)) === before, "nothing is booked").toBe(true);
      expect(isRounding(await missing()) || (await kindsOf(merchant)).length > 0, "somebody is asked").toBe(true);
    }
    while ((await answer()) !== "no question");
    const lacking = await missing();
    expect(isRounding(lacking), `${lacking} is missing`).toBe(true);
  });
});
