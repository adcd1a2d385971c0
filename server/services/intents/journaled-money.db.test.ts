// Money that operators booked by a journal entry, and that its provider reports afterwards, is booked once.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { query } from "@/server/db/client";
import { openException } from "@/server/db/exceptions";
import { insertJournalEntry } from "@/server/db/journal";
import { NOBODY } from "@/server/domain/exceptions";
import { valueOf } from "@/server/domain/topup-funds";
import { now } from "@/server/platform/clock";
import { newId } from "@/server/platform/ids";
import type { JournalEntryInput } from "@/server/services/journal/propose";
import { acceptCallbacks, sendCallback } from "@/server/testing/callbacks";
import { requireInvariants } from "@/server/testing/invariants";
import { balanceOf, makeLiveMerchant, payment, payout, type TestMerchant } from "@/server/testing/merchant";
import { installScriptedProvider, type ScriptedProvider } from "@/server/testing/scripted-provider";
import { expireTopup, scriptedTopup } from "@/server/testing/topup";
import { applyDueCallbacks } from "../callbacks/receive-callback";
import { listExceptionsAcrossMerchants } from "../exceptions/list";
import { withoutIdempotency } from "../idempotency/completion";
import { confirmJournalEntry, rejectJournalEntry } from "../journal/decide";
import { journalDigest } from "../journal/digest";
import { proposeJournalEntry } from "../journal/propose";
import { namedOperator, operatorAct } from "../merchants/operator";
import { createPaymentIntent } from "../payments/create";
import { createPayoutIntent } from "../payouts/create";
import { reconcile } from "../reconciliation/reconcile";

interface Subject {
  readonly merchantId: string;
  readonly id: string;
  readonly dispatchReference: string;
}

let merchant: TestMerchant;
let provider: ScriptedProvider;
let opening: bigint;
beforeEach(async () => {
  provider = installScriptedProvider();
  acceptCallbacks();
  merchant = await makeLiveMerchant();
  [opening] = await balanceOf(merchant);
});
afterEach(async () => {
  await requireInvariants();
});

async function report(intent: Subject, status: string, amount?: string): Promise<void> {
  await sendCallback(intent, { status, ...(amount && { amount, currency: "BRL" }) });
  await applyDueCallbacks(1_000, 30_000);
}

async function openExceptions() {
  return (await listExceptionsAcrossMerchants({ merchantId: merchant.merchantId, openOnly: true })).exceptions;
}

type Movement = Pick<JournalEntryInput, "from" | "to" | "amount">;

const CREDIT = { from: "provider_clearing", to: "available", amount: "1050" } as const;

/** Imports a line that the books lack; returns a journal entry that names its exception. */
async function entryFor(
  intent: Subject,
  kind: "payment" | "payout" | "topup",
  movement: Movement,
): Promise<JournalEntryInput> {
  const header = "line_id,kind,reference,provider_reference,amount,currency,fee,settled_at";
  const line = `${intent.id},${kind},${intent.dispatchReference},px,${movement.amount},BRL,,2026-11-20T00:00:00Z`;
  const bytes = new TextEncoder().encode(`${header}\n${line}\n`);
  const file = { provider: "scripted", environment: "live", name: `${intent.id}.csv`, bytes } as const;
  const { lines } = await reconcile({ ...file, from: null, to: null });
  expect(lines[0]?.verdict).toBe("missing_internal");
  const [exception] = await openExceptions();
  const evidence = "The provider confirmed the line by mail.";
  return {
    ...movement,
    currency: "BRL",
    provider: "scripted",
    evidence,
    exceptionId: exception?.id ?? "",
    about: null,
    isAdditional: false,
  };
}

async function journalLine(intent: Subject, kind: "payment" | "payout" | "topup", movement: Movement): Promise<void> {
  const { id } = await proposeJournalEntry(merchant.scope, "Maria", await entryFor(intent, kind, movement));
  await confirmJournalEntry(id, "Jan");
}

/** What the provider's clearing account has received, and what suspense holds. */
async function besideWallet(): Promise<readonly bigint[]> {
  const rows = await query<{ kind: string; balance: string }>(
    "SELECT kind, balance::text FROM ledger_account WHERE merchant_id = $1 AND environment = 'live'",
    merchant.merchantId,
  );
  return ["provider_clearing:scripted", "suspense"].map((kind) =>
    BigInt(rows.find((row) => row.kind === kind)?.balance ?? 0),
  );
}

it("a payment: a report of the sum asks a person, and so does another sum", async () => {
  provider.answer = { kind: "declined", message: null, providerReference: null };
  const { intent } = await createPaymentIntent(merchant.context, payment({ amount: "1050" }), withoutIdempotency());
  await journalLine(intent, "payment", CREDIT);
  await report(intent, "succeeded", "1050");
  expect(await besideWallet()).toEqual([-1050n, 0n]);
  expect((await balanceOf(merchant))[0]).toBe(opening + 1050n);
  expect((await openExceptions()).map(({ kind }) => kind)).toEqual(["ambiguous_receipt"]);
  await report(intent, "succeeded", "900");
  expect(await besideWallet()).toEqual([-1050n, 0n]);
  expect((await openExceptions()).map(({ kind }) => kind)).toEqual(["ambiguous_receipt", "ambiguous_receipt"]);
});

it("a payment, by an entry about a line that was nobody's: a report of the sum asks a person", async () => {
  provider.answer = { kind: "declined", message: null, providerReference: null };
  const { intent } = await createPaymentIntent(merchant.context, payment({ amount: "1050" }), withoutIdempotency());
  const fact = { kind: "missing_internal", objectId: intent.id, fact: `line:${intent.id}`, detail: {} } as const;
  await openException({ ...fact, scope: { merchantId: NOBODY, environment: "live" } }, now());
  const { exceptions } = await listExceptionsAcrossMerchants({ merchantId: NOBODY, openOnly: true });
  const exceptionId = exceptions.find(({ objectId }) => objectId === intent.id)?.id ?? "";
  const entry = {
    ...CREDIT,
    currency: "BRL",
    provider: "scripted",
    evidence: "The provider's mail.",
    exceptionId,
    about: null,
    isAdditional: false,
  };
  const { id } = await proposeJournalEntry(merchant.scope, "Maria", entry);
  await confirmJournalEntry(id, "Jan");
  await report(intent, "succeeded", "1050");
  expect(await besideWallet()).toEqual([-1050n, 0n]);
  expect((await balanceOf(merchant))[0]).toBe(opening + 1050n);
});

describe("an entry without an exception, about", () => {
  const entry = {
    ...CREDIT,
    currency: "BRL",
    provider: "scripted",
    evidence: "The provider's mail.",
    exceptionId: null,
    isAdditional: false,
  };

  it("an ended payment: a report of the sum asks a person", async () => {
    provider.answer = { kind: "declined", message: null, providerReference: null };
    const { intent } = await createPaymentIntent(merchant.context, payment({ amount: "1050" }), withoutIdempotency());
    const { id } = await proposeJournalEntry(merchant.scope, "Maria", { ...entry, about: intent.id });
    expect(await confirmJournalEntry(id, "Jan")).toMatchObject({ state: "confirmed", objectId: intent.id });
    await report(intent, "succeeded", "1050");
    expect(await besideWallet()).toEqual([-1050n, 0n]);
    expect((await balanceOf(merchant))[0]).toBe(opening + 1050n);
  });

  it("an ended payment is not confirmed if the same money was booked by another entry since", async () => {
    provider.answer = { kind: "declined", message: null, providerReference: null };
    const { intent } = await createPaymentIntent(merchant.context, payment({ amount: "1050" }), withoutIdempotency());
    const propose = () => proposeJournalEntry(merchant.scope, "Maria", { ...entry, about: intent.id });
    const [first, second] = [await propose(), await propose()];
    await confirmJournalEntry(second.id, "Jan");
    await expect(confirmJournalEntry(first.id, "Jan")).rejects.toMatchObject({ code: "validation_failed" });
    expect(await besideWallet()).toEqual([-1050n, 0n]);
  });

  it("a payment whose sum was booked by a report is refused, unless it is further money", async () => {
    provider.answer = { kind: "declined", message: null, providerReference: null };
    const { intent } = await createPaymentIntent(merchant.context, payment({ amount: "1050" }), withoutIdempotency());
    const named = await entryFor(intent, "payment", CREDIT);
    await report(intent, "succeeded", "1050");
    const refused = {
      code: "validation_failed",
      message: expect.stringContaining("--additional") as string,
    };
    const again = { ...entry, about: intent.id };
    for (const given of [named, again])
      await expect(proposeJournalEntry(merchant.scope, "Maria", given)).rejects.toMatchObject(refused);
    const { id } = await proposeJournalEntry(merchant.scope, "Maria", { ...again, isAdditional: true });
    expect(await confirmJournalEntry(id, "Jan")).toMatchObject({ state: "confirmed", isAdditional: true });
    expect(await besideWallet()).toEqual([-2100n, 1050n]);
  });

  it("an open payment, an unknown one, or another merchant's is refused", async () => {
    provider.answer = { kind: "pending", providerReference: null };
    const { intent } = await createPaymentIntent(merchant.context, payment({ amount: "1050" }), withoutIdempotency());
    const stranger = await makeLiveMerchant();
    const refused = (scope: TestMerchant["scope"], about: string) =>
      expect(proposeJournalEntry(scope, "Maria", { ...entry, about })).rejects.toMatchObject({
        code: "validation_failed",
        message: expect.stringMatching(/^about /) as string,
      });
    await refused(merchant.scope, intent.id);
    await refused(merchant.scope, newId("paymentIntent"));
    await refused(stranger.scope, intent.id);
    await refused({ ...merchant.scope, environment: "test" }, intent.id);
  });

  it("something else than its exception is refused", async () => {
    provider.answer = { kind: "declined", message: null, providerReference: null };
    const { intent } = await createPaymentIntent(merchant.context, payment({ amount: "1050" }), withoutIdempotency());
    const named = { ...(await entryFor(intent, "payment", CREDIT)), about: intent.id };
    await expect(proposeJournalEntry(merchant.scope, "Maria", named)).rejects.toMatchObject({
      code: "validation_failed",
    });
  });
});

it("a payout: a late settlement of the sum asks a person, and owes nothing", async () => {
  provider.answer = { kind: "pending", providerReference: null };
  const { intent } = await createPayoutIntent(merchant.context, payout({ amount: "25000" }), withoutIdempotency());
  await report(intent, "declined");
  await journalLine(intent, "payout", { from: "available", to: "provider_clearing", amount: "25000" });
  await report(intent, "settled", "25000");
  expect(await besideWallet()).toEqual([25_000n, 0n]);
  expect(await balanceOf(merchant)).toEqual([opening - 25_000n, 0n]);
  expect((await openExceptions()).map(({ kind }) => kind)).toEqual(["ambiguous_receipt"]);
});

const ABOUT_OPEN = {
  code: "validation_failed",
  message: expect.stringContaining("resolutions propose") as string,
};

/** Stores a proposal as a release did that did not check whether the intent had ended; returns its id. */
async function proposeUnchecked(entry: JournalEntryInput): Promise<string> {
  const proposal = {
    ...merchant.scope,
    ...entry,
    id: newId("journalEntry"),
    amount: BigInt(entry.amount),
    objectId: null,
    isAdditional: false,
  };
  const act = operatorAct(namedOperator("Maria"));
  const digest = journalDigest({ ...proposal, proposedBy: act.actor.id, proposedAt: act.at });
  return (await insertJournalEntry({ ...proposal, digest }, act)).id;
}

it("an open payment: the line is not booked by hand, and the report of its sum is booked once", async () => {
  provider.answer = { kind: "pending", providerReference: null };
  const { intent } = await createPaymentIntent(merchant.context, payment({ amount: "1050" }), withoutIdempotency());
  const entry = await entryFor(intent, "payment", CREDIT);
  await expect(proposeJournalEntry(merchant.scope, "Maria", entry)).rejects.toMatchObject(ABOUT_OPEN);
  const earlier = await proposeUnchecked(entry);
  await expect(confirmJournalEntry(earlier, "Jan")).rejects.toMatchObject(ABOUT_OPEN);
  await rejectJournalEntry(earlier, "Maria");
  await report(intent, "succeeded", "1050");
  expect(await besideWallet()).toEqual([-1050n, 0n]);
  expect((await balanceOf(merchant))[0]).toBe(opening + 1050n);
});

it("a proposal is not confirmed once the provider's report is booked", async () => {
  provider.answer = { kind: "declined", message: null, providerReference: null };
  const { intent } = await createPaymentIntent(merchant.context, payment({ amount: "1050" }), withoutIdempotency());
  const { id } = await proposeJournalEntry(merchant.scope, "Maria", await entryFor(intent, "payment", CREDIT));
  await report(intent, "succeeded", "1050");
  await expect(confirmJournalEntry(id, "Jan")).rejects.toMatchObject({
    code: "validation_failed",
    message: expect.stringContaining("reject it and check the books") as string,
  });
  expect(await besideWallet()).toEqual([-1050n, 1050n]);
  expect((await balanceOf(merchant))[0]).toBe(opening);
});

it.each(["credit_actual", "hold"] as const)(
  "a top-up, late policy %s: each further total asks a person, once",
  async (latePayment) => {
    const policies = { overpayment: "hold", underpayment: "hold", latePayment } as const;
    const topup = await scriptedTopup(merchant, { policies, isOver: true });
    await expireTopup(merchant, topup);
    const { sourceAmount, sourceCurrency } = topup;
    const owed = valueOf(sourceAmount, topup);
    await journalLine(topup, "topup", { ...CREDIT, amount: owed.toString() });
    const see = async (amount: bigint) => {
      const funds = { amount: amount.toString(), currency: sourceCurrency, confirmed: true, provider_reference: null };
      await sendCallback(topup, { status: "funds_seen", ...funds });
      await applyDueCallbacks(1_000, 30_000);
    };
    for (const [asked, total] of [sourceAmount, 2n * sourceAmount].entries()) {
      for (let time = 0; time < 2; time += 1) await see(total);
      expect((await besideWallet())[0]).toBe(-owed);
      expect((await balanceOf(merchant))[0]).toBe(opening + owed);
      expect((await openExceptions()).map(({ kind }) => kind)).toEqual(Array(asked + 1).fill("ambiguous_receipt"));
    }
  },
);
