import { describe, expect, it } from "vitest";
import type { IntentTransaction, LedgerTransaction } from "./ledger";
import type { TopupOutcome } from "./outcome";
import { ADDRESS, after, START, sampleTopup } from "./testing/samples";
import { valueOf } from "./topup-funds";
import {
  decideOnTopupOutcome,
  decideTopupExpiry,
  newTopupIntent,
  nextTopupPoll,
  QUOTE_LIFETIME_MS,
  type TopupIntent,
} from "./topup-intent";
import { differingTopupField } from "./topup-repeat";
import { TOPUP_POLICIES } from "./topup-terms";
import type { TopupStatus } from "./topup-transitions";
import type { Decision } from "./transition";

const now = after(60_000);
const trace = { providerReference: "psp-1" };
const asked = sampleTopup().sourceAmount;

function funds(amount: bigint, confirmed = true, currency = "USDT"): TopupOutcome {
  return { kind: "funds_seen", amount, confirmed, currency, ...trace };
}

/** What a transaction moves, account by account. */
function moved(transaction: LedgerTransaction | undefined): Record<string, bigint> {
  return Object.fromEntries((transaction?.entries ?? []).map(({ account, amount }) => [account, amount]));
}

const NOTHING_KNOWN = { ordinal: 0, seen: null, reported: 0n, taken: 0n, dropped: 0n, restoredAt: null };

/** What a decision books first where nothing is known beside the top-up; null for a report that needs no booking. */
function firstBooking(decision: Decision<TopupIntent>): IntentTransaction | null {
  if (decision.kind !== "total") throw new Error("no total");
  return decision.next(NOTHING_KNOWN)?.booking?.transaction ?? null;
}

/** The late funds that a decision keeps in suspense. */
function late(decision: Decision<TopupIntent>): bigint {
  const transaction = firstBooking(decision);
  expect(transaction?.reason).toBe("late_money");
  return moved(transaction ?? undefined).suspense ?? 0n;
}

describe("a new top-up", () => {
  const { dispatchReference: _, ...sample } = sampleTopup();

  it("awaits payment, has received nothing, and waits for its provider's answer", () => {
    expect(newTopupIntent(sample, START, after(4_000))).toMatchObject({
      status: "requires_payment",
      revision: 0,
      seenAmount: 0n,
      receivedAmount: 0n,
      reportedAmount: 0n,
      creditedAmount: 0n,
      nextAction: null,
      failure: null,
      dueAt: after(4_000),
    });
  });

  it("is sent under its own id, unless a reference of the merchant stands for it", () => {
    expect(newTopupIntent(sample, START, START).dispatchReference).toBe(sample.id);
    const named = { ...sample, dispatchReference: "tuin_tag_hash" };
    expect(newTopupIntent(named, START, START).dispatchReference).toBe("tuin_tag_hash");
  });
});

describe("funds", () => {
  it("paid exactly and confirmed credit exactly what was asked for", () => {
    const decision = decideOnTopupOutcome(sampleTopup(), funds(asked), now);
    expect(decision).toMatchObject({
      plan: { after: { status: "succeeded", creditedAmount: 100_000n, receivedAmount: asked }, eventType: null },
    });
    if (decision.kind !== "planned") throw new Error("no plan");
    expect(moved(decision.plan.transactions[0])).toMatchObject({ available: 100_000n });
  });

  it("seen but not confirmed credit nothing yet", () => {
    const decision = decideOnTopupOutcome(sampleTopup(), funds(asked, false), now);
    expect(decision).toMatchObject({ plan: { after: { status: "processing", creditedAmount: 0n }, transactions: [] } });
  });

  it("paid in part leave the rest to pay, counted once however often they are reported", () => {
    const waiting = sampleTopup("requires_payment", { nextAction: ADDRESS });
    const first = decideOnTopupOutcome(waiting, funds(asked - 5n), now);
    if (first.kind !== "planned") throw new Error("no plan");
    expect(first.plan.after).toMatchObject({ status: "requires_payment", nextAction: { ...ADDRESS, amount: "5" } });
    expect(decideOnTopupOutcome(first.plan.after, funds(asked - 5n), now).kind).toBe("ignored");
    expect(decideOnTopupOutcome(first.plan.after, funds(asked - 6n), now).kind).toBe("ignored");
    expect(decideOnTopupOutcome(first.plan.after, funds(asked), now)).toMatchObject({
      plan: { after: { status: "succeeded", creditedAmount: 100_000n } },
    });
  });

  it("paid beyond the sum are credited in proportion", () => {
    const decision = decideOnTopupOutcome(sampleTopup(), funds(asked * 2n), now);
    expect(decision).toMatchObject({ plan: { after: { status: "succeeded", creditedAmount: 200_000n } } });
  });

  it("reported after the quote, before it is closed here, are in time: nobody has polled since it ended", () => {
    const decision = decideOnTopupOutcome(sampleTopup(), funds(asked), after(QUOTE_LIFETIME_MS + 1));
    expect(decision).toMatchObject({ plan: { after: { status: "succeeded", creditedAmount: 100_000n } } });
  });

  it("reported again after the credit are booked no second time", () => {
    const done = sampleTopup("succeeded", { seenAmount: asked, receivedAmount: asked, creditedAmount: 100_000n });
    expect(firstBooking(decideOnTopupOutcome(done, funds(asked), now))).toBeNull();
  });

  it.each(["0", "-1"])("of %s are no funds, whatever the status", (text) => {
    for (const status of ["requires_payment", "processing", "succeeded", "failed", "expired"] as const) {
      expect(decideOnTopupOutcome(sampleTopup(status), funds(BigInt(text)), now).kind).toBe("ignored");
    }
  });
});

/** The top-up after a decision that must be a transition. */
function moveOn(decision: Decision<TopupIntent>): TopupIntent {
  if (decision.kind !== "planned") throw new Error("no plan");
  return decision.plan.after;
}

describe("a part", () => {
  const [soon, over] = [after(60_000), after(QUOTE_LIFETIME_MS + 1)];
  const tell = (intent: TopupIntent, news: TopupOutcome, at = soon) => moveOn(decideOnTopupOutcome(intent, news, at));
  const POLICIES = TOPUP_POLICIES.map((underpayment) => ({ ...sampleTopup().policies, underpayment }));

  it.each(POLICIES)(
    "that is confirmed while more was seen ends nothing before the quote does: $underpayment",
    (policies) => {
      const waiting = sampleTopup("requires_payment", { nextAction: ADDRESS, policies });
      const seen = tell(waiting, funds(asked, false));
      expect(seen).toMatchObject({ status: "processing", nextAction: { amount: "0" } });
      const partly = tell(seen, funds((asked * 60n) / 100n));
      expect(partly).toMatchObject({ status: "processing", seenAmount: asked, creditedAmount: 0n });
      expect(tell(partly, funds(asked))).toMatchObject({ status: "succeeded", creditedAmount: 100_000n });
      const late = tell(partly, funds((asked * 70n) / 100n), over);
      expect(late.status).toBe("processing");
      expect(tell(late, funds(asked), over)).toMatchObject({ status: "succeeded", creditedAmount: 100_000n });
    },
  );

  it("names in the history what it changed: seen or confirmed, while payment is awaited or confirmation is", () => {
    const [waiting, closing] = [sampleTopup(), sampleTopup("processing", { seenAmount: asked })];
    const drop: TopupOutcome = { kind: "funds_dropped", amount: asked - 2n, currency: "USDT", ...trace };
    const ended = sampleTopup("processing", { seenAmount: asked - 1n, expiresAt: START });
    const told: [TopupIntent, TopupOutcome, string][] = [
      [waiting, funds(1n, false), "part_seen"],
      [waiting, funds(1n), "part_payment"],
      [waiting, funds(asked, false), "funds_seen"],
      [closing, funds(asked + 1n, false), "funds_seen"],
      [closing, funds(1n), "part_confirmed"],
      [closing, drop, "funds_dropped"],
      [ended, drop, "part_dropped"],
    ];
    const triggers = told.map(([intent, news]) => {
      const decision = decideOnTopupOutcome(intent, news, soon);
      return decision.kind === "planned" ? decision.plan.trigger : decision.kind;
    });
    expect(triggers).toEqual(told.map(([, , trigger]) => trigger));
  });

  it("that was only seen when the quote ends is waited for, and then falls under the underpayment policy", () => {
    const seen = tell(sampleTopup("requires_payment", { nextAction: ADDRESS }), funds(asked / 2n, false));
    expect(seen).toMatchObject({ status: "requires_payment", nextAction: { amount: (asked - asked / 2n).toString() } });
    const waiting = moveOn(decideTopupExpiry(seen, over));
    expect(waiting).toMatchObject({ status: "processing", nextAction: { amount: "0" } });
    expect(tell(waiting, funds(asked / 2n), over)).toMatchObject({ status: "succeeded", creditedAmount: 49_999n });
    const gone = tell(waiting, { kind: "funds_dropped", amount: 0n, currency: "USDT", ...trace }, over);
    expect(gone.status).toBe("expired");
  });

  it("ends as well where the provider reports the end of the quote before it comes here, whatever comes first", () => {
    const policies = { ...sampleTopup().policies, underpayment: "credit_actual" } as const;
    const waiting = sampleTopup("requires_payment", { nextAction: ADDRESS, policies });
    const seen = tell(waiting, funds(asked / 2n, false));
    const expired: TopupOutcome = { kind: "expired", ...trace };
    const last = tell(tell(seen, funds(asked / 2n)), expired);
    const first = tell(tell(seen, expired), funds(asked / 2n));
    const ended = { status: "succeeded", creditedAmount: 49_999n, receivedAmount: asked / 2n };
    expect([last, first]).toMatchObject([ended, ended]);
    const more = tell(tell(tell(seen, expired), funds(asked - 1n, false)), funds(asked - 1n));
    expect(more).toMatchObject({ status: "succeeded", receivedAmount: asked - 1n });
  });

  it("of a report that also brings late funds is settled apart from them, in one commit", () => {
    const seen = tell(sampleTopup(), funds(asked, false));
    const decision = decideOnTopupOutcome(seen, funds(asked * 2n), over);
    if (decision.kind !== "planned") throw new Error("no plan");
    const { after: end, transactions, exceptions } = decision.plan;
    expect(end).toMatchObject({ status: "succeeded", receivedAmount: asked, creditedAmount: 100_000n });
    expect(transactions.map(({ reason }) => reason)).toEqual(["topup_credit", "late_money"]);
    expect(exceptions).toMatchObject([{ kind: "late_money", fact: transactions[1]?.uniqueKey }]);
  });
});

describe("funds beyond a success", () => {
  const done = sampleTopup("succeeded", { seenAmount: asked, receivedAmount: asked, reportedAmount: asked });

  it("fall under the overpayment policy within the quote, and under the late-payment policy after it", () => {
    const over = after(QUOTE_LIFETIME_MS);
    const inTime = firstBooking(decideOnTopupOutcome(done, funds(asked * 2n), now));
    expect([inTime?.reason, moved(inTime ?? undefined)]).toMatchObject(["topup_credit", { available: 100_000n }]);
    expect(late(decideOnTopupOutcome(done, funds(asked * 2n), over))).toBeGreaterThanOrEqual(100_000n);
    const reportedInTime = decideOnTopupOutcome(done, funds(asked * 2n), over, now);
    expect(firstBooking(reportedInTime)?.reason).toBe("topup_credit");
  });

  it("that are seen again, of a total that was seen before the success, are no news", () => {
    const seenMore = { ...done, seenAmount: asked * 2n };
    expect(decideOnTopupOutcome(seenMore, funds(asked * 2n, false), now).kind).toBe("ignored");
  });

  it("seen within the quote and confirmed after it came in time", () => {
    const seen = decideOnTopupOutcome(done, funds(asked * 2n, false), now);
    if (seen.kind !== "total") throw new Error("no total");
    const step = seen.next(NOTHING_KNOWN);
    expect(step).toMatchObject({ seen: asked * 2n, booking: null });
    const confirmed = decideOnTopupOutcome(done, funds(asked * 2n), after(QUOTE_LIFETIME_MS));
    if (!step || confirmed.kind !== "total") throw new Error("no step");
    const next = confirmed.next({ ...NOTHING_KNOWN, ordinal: 1, seen: step.seen, reported: step.reported });
    expect(next?.booking?.transaction.reason).toBe("topup_credit");
  });
});

describe("late funds", () => {
  it("of a failed top-up go to suspense in full, although they had been seen before it failed", () => {
    const seen = sampleTopup("processing", { seenAmount: asked });
    const decline = decideOnTopupOutcome(seen, { kind: "declined", message: null, providerReference: null }, now);
    if (decline.kind !== "planned") throw new Error("not declined");
    expect(decline.plan.transactions).toEqual([]);
    expect(late(decideOnTopupOutcome(decline.plan.after, funds(asked), now))).toBeGreaterThanOrEqual(100_000n);
  });

  it("of a top-up that failed after a part payment: the part is kept at once, later only the rest", () => {
    const part = sampleTopup("requires_payment", { seenAmount: asked / 2n, receivedAmount: asked / 2n });
    const decline = decideOnTopupOutcome(part, { kind: "declined", message: null, providerReference: null }, now);
    if (decline.kind !== "planned" || !decline.plan.transactions[0]) throw new Error("nothing was kept");
    const kept = moved(decline.plan.transactions[0]).suspense ?? 0n;
    const all = kept + late(decideOnTopupOutcome(decline.plan.after, funds(asked), now));
    expect(all).toBe(valueOf(asked, sampleTopup()));
  });

  it("in another token are kept as they are, once confirmed", () => {
    const decision = decideOnTopupOutcome(sampleTopup(), funds(500n, true, "USDC"), now);
    expect(moved(firstBooking(decision) ?? undefined)).toEqual({ provider_clearing: -500n, suspense: 500n });
    if (decision.kind !== "total") throw new Error("no total");
    expect(decision.next({ ...NOTHING_KNOWN, taken: 500n })).toBeNull();
    const growth = decision.next({ ...NOTHING_KNOWN, ordinal: 1, reported: 200n, taken: 200n });
    expect(moved(growth?.booking?.transaction)).toEqual({ provider_clearing: -300n, suspense: 300n });
    expect(decideOnTopupOutcome(sampleTopup(), funds(500n, false, "USDC"), now).kind).toBe("ignored");
  });

  it("that are worth less than one minor unit are nothing to book", () => {
    expect(firstBooking(decideOnTopupOutcome(sampleTopup("expired"), funds(1n), now))).toBeNull();
  });

  it("wait until they are confirmed", () => {
    expect(decideOnTopupOutcome(sampleTopup("expired"), funds(asked, false), now).kind).toBe("ignored");
  });
});

describe("the end of the quote", () => {
  const paid = (amount: bigint) => ({ seenAmount: amount, receivedAmount: amount, reportedAmount: amount });

  it("is fifteen minutes after the creation", () => {
    expect(sampleTopup().expiresAt).toEqual(after(QUOTE_LIFETIME_MS));
    expect(QUOTE_LIFETIME_MS).toBe(900_000);
  });

  it("without any payment means expired", () => {
    expect(decideTopupExpiry(sampleTopup(), now)).toMatchObject({
      plan: {
        after: {
          status: "expired",
          failure: { code: "expired", message: "The top-up was not paid in time." },
          dueAt: null,
        },
        transactions: [],
      },
    });
  });

  it("after a part payment that the policy does not credit means failed, and keeps the part apart", () => {
    const policies = { ...sampleTopup().policies, underpayment: "hold" } as const;
    const decision = decideTopupExpiry(sampleTopup("requires_payment", { ...paid(asked / 2n), policies }), now);
    expect(decision).toMatchObject({
      plan: {
        trigger: "underpaid",
        after: { status: "failed", failure: { code: "underpaid", message: "The top-up was paid in part only." } },
        transactions: [{ uniqueKey: `topup_rest:${sampleTopup().id}` }],
      },
    });
  });

  it("after a part payment credits the part", () => {
    const decision = decideTopupExpiry(sampleTopup("requires_payment", paid(asked / 2n)), now);
    expect(decision).toMatchObject({ plan: { after: { status: "succeeded", creditedAmount: 49_999n } } });
  });

  it("after dust that buys not one minor unit means expired, with no empty booking", () => {
    const decision = decideTopupExpiry(sampleTopup("requires_payment", paid(1n)), now);
    expect(decision).toMatchObject({ plan: { after: { status: "expired", creditedAmount: 0n }, transactions: [] } });
  });

  it.each<TopupStatus>(["processing", "succeeded", "failed", "expired"])("changes nothing once it is %s", (status) => {
    expect(decideTopupExpiry(sampleTopup(status, paid(asked)), now).kind).toBe("ignored");
  });
});

describe("the next poll", () => {
  const seconds = (intent: TopupIntent, ...how: [] | ["polls" | "callbacks"]) =>
    (nextTopupPoll(intent, START, ...how).getTime() - START.getTime()) / 1000;

  it("comes at once while there is no address to pay to, and at the pace of the payer then", () => {
    const awaiting = sampleTopup("requires_payment", { nextAction: ADDRESS });
    expect([seconds(sampleTopup()), seconds(sampleTopup(), "callbacks")]).toEqual([0.5, 0.5]);
    expect([seconds(awaiting), seconds(awaiting, "polls"), seconds(awaiting, "callbacks")]).toEqual([15, 15, 300]);
  });

  it("comes soon while funds are being confirmed, later from a provider that sends callbacks, also after the quote", () => {
    const confirming = sampleTopup("processing", { nextAction: ADDRESS, expiresAt: after(-1) });
    expect([seconds(confirming), seconds(confirming, "callbacks")]).toEqual([0.5, 15]);
  });

  it("comes at the end of the quote at the latest", () => {
    for (const nextAction of [null, ADDRESS]) {
      const closing = sampleTopup("requires_payment", { nextAction, expiresAt: after(100) });
      expect(seconds(closing)).toBe(0.1);
    }
  });
});

it("a creation that no provider accepted fails the top-up", () => {
  expect(decideOnTopupOutcome(sampleTopup(), { kind: "never_accepted", detail: "" }, now)).toMatchObject({
    plan: {
      trigger: "provider_unavailable",
      after: {
        status: "failed",
        failure: { code: "provider_unavailable", message: "No provider accepted the top-up." },
      },
    },
  });
});

it.each<[TopupOutcome, unknown]>([
  [{ kind: "pending", ...trace }, "no funds seen yet"],
  [{ kind: "not_sent", detail: "refused" }, "refused"],
  [{ kind: "unknown", detail: "time-out" }, "time-out"],
])("%o changes nothing", (outcome, reason) => {
  expect(decideOnTopupOutcome(sampleTopup(), outcome, now)).toEqual({ kind: "ignored", reason });
});

it("payment instructions are taken once", () => {
  const instructions: TopupOutcome = { kind: "instructions", nextAction: ADDRESS, ...trace };
  const decision = decideOnTopupOutcome(sampleTopup(), instructions, now);
  expect(decision).toMatchObject({ plan: { after: { status: "requires_payment", nextAction: ADDRESS } } });
  const known = sampleTopup("requires_payment", { nextAction: { ...ADDRESS, amount: "5" } });
  expect(decideOnTopupOutcome(known, instructions, now).kind).toBe("ignored");
});

it("a repeat of a merchant reference names the first economic field that differs", () => {
  const original = sampleTopup();
  const changes = [
    {},
    { destinationAmount: 1n },
    { destinationCurrency: "MXN" },
    { sourceType: "manual" },
    { provider: "other" },
    { sourceCurrency: "USDC" },
    { rate: "5.440000", country: "MX" },
  ];
  const repeats = changes.map((change) => ({ ...original, ...change }) as typeof original);
  expect(repeats.map((repeat) => differingTopupField(original, repeat, repeat.provider))).toEqual([
    null,
    "destination.amount",
    "destination.currency",
    "source.type",
    "source.provider",
    "source.currency",
    null,
  ]);
});

it("a repeat that names no provider is the same with whichever gave the first quote", () => {
  expect(differingTopupField(sampleTopup(), sampleTopup(), null)).toBeNull();
});
