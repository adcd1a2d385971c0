// What a commit writes of a decision: every fact under its stored name, sums as text, and an audit entry that covers it all.
import { randomBytes } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { bookedException } from "@/server/domain/exceptions";
import { payoutHold, toSuspense, walletFunding } from "@/server/domain/ledger";
import { fundsDropped } from "@/server/domain/ledger-topups";
import { decideOnPayoutOutcome } from "@/server/domain/payout-intent";
import type { CallContext } from "@/server/domain/scope";
import { after, SCOPE, START, samplePayment, samplePayout, sampleTopup } from "@/server/domain/testing/samples";
import type { Plan } from "@/server/domain/transition";
import { createKeyRing, type KeyRing } from "@/server/platform/key-ring";
import { paymentMapping } from "../intents/payment-row";
import { payoutMapping } from "../intents/payout-row";
import { topupMapping } from "../intents/topup-row";
import { bookingUnit, creationUnit, type Effects, totalUnit, transitionUnit } from "./unit";

const shared = globalThis as typeof globalThis & { sluiceKeyRing?: KeyRing };
const [older, newer] = [randomBytes(32), randomBytes(32)];
const useSecrets = (...secrets: Buffer[]) => {
  shared.sluiceKeyRing = createKeyRing(secrets);
};
beforeEach(() => useSecrets(older));

const context: CallContext = {
  scope: SCOPE,
  actor: { type: "member", id: "mem_1" },
  requestId: "req_1",
  address: "192.0.2.1",
};
const did = (changes: Partial<Effects> = {}): Effects => ({ context, action: "payout.created", ...changes });

/** The parts of a unit that tests read one by one. */
interface Read {
  readonly audit: {
    readonly id: string;
    readonly after: {
      readonly ledger: readonly string[];
      readonly facts: Record<string, unknown>;
      readonly next_action?: string | null;
    };
  };
  readonly transactions: readonly { readonly id: string }[];
  readonly entries: readonly unknown[];
  readonly exceptions?: readonly { readonly id: string; readonly fact: string }[];
}
const read = (unit: Readonly<Record<string, unknown>>) => unit as unknown as Read;

const payout = samplePayout();
const HOLD = payoutHold({ id: payout.id, currency: "BRL", amount: 25_000n });
const LATE = toSuspense("late_money", { intentId: payout.id, reference: "psp-1", currency: "BRL", amount: 7n });
const createPayout = (changes: Partial<Effects> = {}, made = payout) =>
  creationUnit(made, payoutMapping, [HOLD], did(changes));

describe("a new intent", () => {
  it("is written with its hold, whose sums are texts and whose account is named", () => {
    const unit = createPayout();
    const [transaction] = read(unit).transactions;
    expect(unit).toMatchObject({
      id: payout.id,
      merchant_id: SCOPE.merchantId,
      environment: "test",
      at: START,
      row: payoutMapping.toRow(payout),
      transactions: [{ reason: "payout_hold", unique_key: `payout_hold:${payout.id}`, intent_id: payout.id }],
    });
    expect(read(unit).entries).toEqual([
      { transaction_id: transaction?.id, kind: "available", currency: "BRL", amount: "-25000" },
      { transaction_id: transaction?.id, kind: "held", currency: "BRL", amount: "25000" },
    ]);
  });

  it("has nothing of what its effects do not bring", () => {
    const unit = createPayout();
    expect(unit).toMatchObject({ attempt: null });
    for (const absent of [unit.claim, unit.seal, unit.answer, unit.approval]) expect(absent ?? null).toBeNull();
    expect(unit).not.toHaveProperty("exceptions");
    expect(read(unit).audit).toMatchObject({ before: null, reason: null });
    expect(read(unit).audit.after).not.toHaveProperty("approval");
    expect(read(unit).audit.after).not.toHaveProperty("answer");
  });

  it("comes with its claim, its answer for replays and the call that it announces", () => {
    const unit = createPayout({
      claim: { apiKeyId: "key_1", key: "k", fingerprint: "f", holder: "h", leaseSeconds: 60 },
      seal: { apiKeyId: "key_1", key: "k", status: 201, body: "{}" },
      attempt: { id: "att_1", provider: "sandbox", ordinal: 2 },
    });
    expect(unit.claim).toEqual({ api_key_id: "key_1", key: "k", fingerprint: "f", holder: "h", lease_seconds: 60 });
    expect(unit.seal).toEqual({ api_key_id: "key_1", key: "k", status: 201, body: "{}" });
    expect(unit.attempt).toEqual({ id: "att_1", provider: "sandbox", ordinal: 2, reference: payout.dispatchReference });
  });
});

describe("the audit entry", () => {
  it("names who did what, from where and why", () => {
    expect(read(createPayout({ reason: "asked for" })).audit).toMatchObject({
      actor_type: "member",
      actor_id: "mem_1",
      action: "payout.created",
      reason: "asked for",
      request_id: "req_1",
      address: "192.0.2.1",
    });
  });

  it("of a creation covers each fixed column: shown, or digested where it is personal", () => {
    const { facts, ...state } = read(createPayout()).audit.after;
    expect(state).toMatchObject({ status: "requires_approval", revision: 0, failure: null, approvals_given: 0 });
    expect(facts).toMatchObject({
      amount: "25000",
      currency: "BRL",
      merchant_reference: "payout-1",
      daily_total_below: null,
    });
    expect(facts.personal).toMatch(/^\w+\.[0-9a-f]{64}$/);
    const shown = payoutMapping.fixedColumns.filter(
      (column) => !payoutMapping.personalColumns.includes(column) && !payoutMapping.rotatingColumns.includes(column),
    );
    expect(Object.keys(facts).sort()).toEqual([...shown, "personal"].sort());
    expect(JSON.stringify(facts)).not.toMatch(/Souza|6789|sealed/);
  });

  it("has another digest for another recipient, another payout or another merchant", () => {
    const personalOf = (changes: Partial<typeof payout>) =>
      read(createPayout({}, samplePayout("requires_approval", changes))).audit.after.facts.personal;
    const other = { ...payout.recipient, holderName: "Eva Souza" };
    const digests = [{}, { recipient: other }, { id: "word_2" }, { merchantId: "mer_2" }].map(personalOf);
    expect(new Set(digests).size).toBe(4);
    expect(personalOf({})).toBe(digests[0]);
  });

  it("has no digest of personal columns that are all empty, and one as soon as one is filled", () => {
    const factsOf = (customer: { name: string } | null) => {
      const payment = samplePayment("processing", { customer: customer as never });
      return read(creationUnit(payment, paymentMapping, [], did())).audit.after.facts;
    };
    expect(factsOf(null)).not.toHaveProperty("personal");
    expect(factsOf({ name: "Ana" }).personal).not.toBe(factsOf({ name: "Eva" }).personal);
  });

  it("digests equal data equally, in whatever order and with whatever members that are undefined it was given", () => {
    const personalOf = (customer: object) => {
      const payment = samplePayment("processing", { customer: customer as never });
      return read(creationUnit(payment, paymentMapping, [], did())).audit.after.facts.personal;
    };
    const one = personalOf({ name: "Ana", email: "ana@shop.example" });
    expect(personalOf({ email: "ana@shop.example", reference: undefined, name: "Ana" })).toBe(one);
  });

  it("digests the payer's instructions where there are some, and says so where there are none", () => {
    const instructionsOf = (status: "processing" | "requires_action", id = "dord_1") =>
      read(creationUnit(samplePayment(status, { id }), paymentMapping, [], did())).audit.after.next_action;
    expect(instructionsOf("processing")).toBeNull();
    expect(instructionsOf("requires_action")).toMatch(/^\w+\.[0-9a-f]{64}$/);
    expect(instructionsOf("requires_action", "dord_2")).not.toBe(instructionsOf("requires_action"));
    expect(read(createPayout()).audit.after).not.toHaveProperty("next_action");
  });

  it("takes its digests under the newest secret", () => {
    const personal = () => read(createPayout()).audit.after.facts.personal;
    const under = personal();
    useSecrets(newer, older);
    expect(personal()).not.toBe(under);
  });

  it("has one digest for each ledger transaction, and the id of each follows from its own", () => {
    const unit = read(creationUnit(payout, payoutMapping, [HOLD, LATE], did()));
    const { audit, transactions } = unit;
    expect(audit.id).toMatch(/^aud_\w+$/);
    const tail = audit.id.slice("aud_".length);
    expect(transactions.map(({ id }) => id)).toEqual([`ltx_${tail}`, `ltx_${tail}_1`]);
    expect(audit.after.ledger).toHaveLength(2);
    for (const digest of audit.after.ledger) expect(digest).toMatch(/^[0-9a-f]{64}$/);
    expect(read(creationUnit(samplePayment(), paymentMapping, [], did())).audit.after.ledger).toEqual([]);
  });
});

describe("an entry of a provider's clearing account", () => {
  const kindsOf = (unit: Readonly<Record<string, unknown>>) =>
    read(unit).entries.map((entry) => (entry as { kind: string }).kind);

  it("is booked to the account of the intent's provider", () => {
    const unit = creationUnit(samplePayout("processing", { provider: "acme" }), payoutMapping, [LATE], did());
    expect(kindsOf(unit)).toEqual(["provider_clearing:acme", "suspense"]);
  });

  it("is booked to the account of its own provider where it names one", () => {
    const unit = creationUnit(payout, payoutMapping, [{ ...LATE, provider: "former" }], did());
    expect(kindsOf(unit)).toEqual(["provider_clearing:former", "suspense"]);
  });

  it("is refused outside an intent's change unless it names a provider", () => {
    expect(() => bookingUnit(LATE, payout.id, START, did())).toThrow(RangeError);
    const unit = bookingUnit({ ...LATE, provider: "acme" }, payout.id, START, did());
    expect(kindsOf(unit)).toEqual(["provider_clearing:acme", "suspense"]);
  });
});

describe("a transition", () => {
  const sent = samplePayout("processing", { revision: 3 });
  const failed = decideOnPayoutOutcome(
    sent,
    { kind: "declined", message: "closed account", providerReference: "psp-1" },
    after(1_000),
  );
  if (failed.kind !== "planned") throw new Error("a declined payout fails");
  const plan: Plan<typeof sent> = failed.plan;
  const move = (changes: Partial<Effects> = {}, changed = plan) => transitionUnit(changed, payoutMapping, did(changes));

  it("is guarded by the status and revision that it was decided on", () => {
    expect(move()).toMatchObject({
      id: sent.id,
      from_status: "processing",
      from_revision: 3,
      at: plan.after.updatedAt,
      row: payoutMapping.toRow(plan.after),
      transactions: [{ reason: "payout_release" }],
    });
  });

  it("is audited with the state before and after", () => {
    expect(read(move()).audit).toMatchObject({
      before: { status: "processing", revision: 3, failure: null, provider: "sandbox" },
      after: { status: "failed", revision: 4, failure: { code: "provider_declined" }, provider: "sandbox" },
    });
  });

  it("into a terminal state writes its event, with the body that will be sent", () => {
    const { event } = move() as { event: { id: string; body: string } };
    const failure = { failure_code: "provider_declined", failure_message: "closed account" };
    expect(event).toMatchObject({ type: "payout_intent.failed", status: "failed", ...failure });
    expect(JSON.parse(event.body)).toMatchObject({
      id: event.id,
      type: "payout_intent.failed",
      timestamp: plan.after.updatedAt.toISOString(),
      environment: "test",
      data: { payout_intent_id: sent.id, status: "failed", ...failure },
    });
    expect(event.id).toMatch(/^evt_/);
  });

  it("without a failure says so in the event", () => {
    const succeeded = { ...plan, eventType: "payout_intent.succeeded" as const, after: samplePayout("succeeded") };
    expect(move({}, succeeded).event).toMatchObject({ failure_code: null, failure_message: null });
  });

  it("that ends nothing has no event", () => {
    expect(move({}, { ...plan, eventType: null }).event).toBeNull();
  });

  it("covers the provider's answer and the approval that it came with", () => {
    const answer = { id: "att_1", state: "answered", outcome: "declined", providerReference: "psp-1" } as const;
    const approval = { memberId: "mem_1", digest: "d", revision: 3, policyVersion: 2 };
    const unit = move({ answer: { ...answer, providerCode: "51" }, approval });
    const stored = { member_id: "mem_1", digest: "d", revision: 3, policy_version: 2 };
    const { id, state, outcome } = answer;
    expect(unit.answer).toEqual({ id, state, outcome, provider_reference: "psp-1", provider_code: "51" });
    expect(unit.approval).toEqual(stored);
    expect(read(unit).audit.after).toMatchObject({
      approval: stored,
      answer: { id, outcome, provider_reference: "psp-1" },
    });
  });

  it("opens the exception of its effects and those of its plan, each with an id of its own", () => {
    const [one, other] = ["late_money", "amount_mismatch"].map((kind) => bookedException(kind as "late_money", LATE));
    if (!one || !other) throw new Error("two exceptions");
    const exceptions = [{ ...other, fact: "other" }];
    const opened = read(move({ exception: one }, { ...plan, exceptions })).exceptions ?? [];
    expect(opened).toMatchObject([
      { kind: "late_money", object_id: one.objectId, fact: one.fact, detail: one.detail },
      { kind: "amount_mismatch", fact: "other" },
    ]);
    expect(new Set(opened.map(({ id }) => id)).size).toBe(2);
    for (const { id } of opened) expect(id).toMatch(/^exc_/);
    expect(read(move({}, { ...plan, exceptions })).exceptions).toHaveLength(1);
  });

  it("of a top-up digests its payment address", () => {
    const before = sampleTopup("requires_payment");
    const plan: Plan<typeof before> = {
      before,
      after: sampleTopup("processing"),
      trigger: "funds_seen",
      eventType: null,
      transactions: [],
    };
    expect(read(transitionUnit(plan, topupMapping, did())).audit.after).toHaveProperty("next_action");
  });
});

describe("a booking", () => {
  it("is audited with its entries, sums as text, and numbered among those of its intent", () => {
    const funding = { ...walletFunding("opening", "BRL", 500n), movementOrdinal: 3, journaledIntentId: "tuin_1" };
    const unit = bookingUnit(funding, "mer_1", START, did());
    expect(unit).toMatchObject({ id: "mer_1", at: START });
    expect(unit.transactions).toMatchObject([
      { reason: "funding", intent_id: null, movement_ordinal: 3, journaled_intent_id: "tuin_1" },
    ]);
    expect(read(unit).audit).toMatchObject({
      before: null,
      after: {
        entries: [
          { account: "funding", currency: "BRL", amount: "-500" },
          { account: "available", currency: "BRL", amount: "500" },
        ],
      },
    });
  });
});

describe("a step of a top-up's totals", () => {
  const transaction = fundsDropped({ intentId: "tuin_1", reference: "2", currency: "BRL", amount: 40n });
  const exception = bookedException("funds_dropped", transaction);
  const place = { ...SCOPE, intentId: "tuin_1", ordinal: 2, nextMovementOrdinal: 5, token: "USDT", provider: "acme" };
  const totals = { action: "suspense.funds_dropped", base: 10n, reported: 20n, seen: 30n };

  it("is written under its number, with its booking under the next and its exception", () => {
    const unit = totalUnit({ ...totals, booking: { transaction, exception } }, place, START, context);
    const total = { ordinal: 2, currency: "USDT", base_amount: "10", reported_amount: "20", seen_amount: "30" };
    expect(unit).toMatchObject({
      id: "tuin_1",
      at: START,
      row: { ...total, merchant_id: SCOPE.merchantId, intent_id: "tuin_1", environment: "test" },
      transactions: [{ reason: "funds_dropped", movement_ordinal: 5 }],
      exceptions: [{ kind: "funds_dropped" }],
    });
    expect(read(unit).entries).toMatchObject([{ kind: "suspense" }, { kind: "provider_clearing:acme", amount: "40" }]);
    expect(read(unit).audit).toMatchObject({ action: "suspense.funds_dropped", before: null, after: { total } });
    expect(read(unit).audit.after).toHaveProperty("entries");
  });

  it("without a booking is audited with what was seen, and books nothing", () => {
    const unit = totalUnit({ ...totals, action: "topup_total.seen", booking: null }, place, START, context);
    expect(unit).toMatchObject({ transactions: [], entries: [] });
    expect(unit).not.toHaveProperty("exceptions");
    expect(read(unit).audit.after).toMatchObject({ seen_amount: "30", total: { seen_amount: "30" } });
    expect(read(unit).audit.after).not.toHaveProperty("entries");
  });

  it("whose booking needs no decision opens no exception", () => {
    const unit = totalUnit({ ...totals, booking: { transaction, exception: null } }, place, START, context);
    expect(unit).not.toHaveProperty("exceptions");
  });
});
