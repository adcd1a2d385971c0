// Whatever exception an entry names, and however operators have booked before: money is booked by a report or by hand, once.
import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { query } from "@/server/db/client";
import { findRefund, type StoredRefund } from "@/server/db/suspense-refunds";
import { now } from "@/server/platform/clock";
import { env, provideRuntime } from "@/server/platform/env";
import { newId } from "@/server/platform/ids";
import { sendCallback } from "@/server/testing/callbacks";
import { makeLiveMerchant, makeMember, payment, payout } from "@/server/testing/merchant";
import { queryAsOwner } from "@/server/testing/owner";
import { applyDueCallbacks } from "../callbacks/receive-callback";
import { deriveReferences } from "../dispatch-references/prepare";
import { listExceptionsAcrossMerchants } from "../exceptions/list";
import { withoutIdempotency } from "../idempotency/completion";
import { forgetMerchantSettings } from "../merchants/settings";
import { createPaymentIntent } from "../payments/create";
import { createPayoutIntent } from "../payouts/create";
import { reconcile } from "../reconciliation/reconcile";
import { previewUpload, storeUpload } from "../reconciliation/upload";
import { confirmRefund } from "../refunds/decide";
import { followUpRefund } from "../refunds/follow-up";
import type { JournalEntryInput } from "./propose";
import {
  balancesOf,
  bookFor,
  forgetIntent,
  importMissing,
  openException,
  proposeLateRefund,
  settleRefund,
  stageEntries,
} from "./testing/entries";

const KEY = randomBytes(32);
const DATABASE_URL = env().databaseUrl ?? "";

const stage = stageEntries();
const book = (change: Partial<JournalEntryInput>, of = stage.merchant) => bookFor(of, change);
const balances = () => balancesOf(stage.merchant);

const failed = async () => {
  stage.provider.answer = { kind: "declined", message: null, providerReference: null };
  return (await createPaymentIntent(stage.merchant.context, payment(), withoutIdempotency())).intent;
};
const reportPaid = async (intent: { merchantId: string; id: string; dispatchReference: string }, amount = "1050") => {
  await sendCallback(intent, { status: "succeeded", amount, currency: "BRL" });
  await applyDueCallbacks(1_000, 30_000);
};

async function makeLost() {
  provideRuntime({ databaseUrl: DATABASE_URL, referenceKey: KEY });
  await deriveReferences();
  forgetMerchantSettings(stage.merchant.merchantId);
  stage.provider.answer = { kind: "pending", providerReference: null };
  const request = payment();
  const { intent: lost } = await createPaymentIntent(stage.merchant.context, request, withoutIdempotency());
  await forgetIntent(lost.id);
  return { lost, request };
}

describe("a payment that a restore has lost", () => {
  it("is not booked by hand by the exception of its callback, and once when the merchant repeats its request", async () => {
    const { lost, request } = await makeLost();
    await sendCallback(lost, { status: "succeeded", amount: "1050", currency: "BRL" });
    await query("UPDATE provider_callback SET attempts = 15 WHERE result IS NULL");
    await applyDueCallbacks(1_000, 30_000);
    const exceptionId = await openException(stage.merchant.merchantId, "unapplied_callback", lost.dispatchReference);
    expect(exceptionId).not.toBe("");
    const state = await book({ exceptionId });
    const { intent } = await createPaymentIntent(stage.merchant.context, request, withoutIdempotency());
    expect(intent.dispatchReference).toBe(lost.dispatchReference);
    await reportPaid(intent);
    expect([state, await balances()]).toMatchObject(["validation_failed", { "provider_clearing:scripted": -1050n }]);
  });

  it("is not booked by hand by the exception of a line that a member uploaded", async () => {
    await reportPaid(await failed()); // the provider has moved money of the merchant
    const before = (await balances())["provider_clearing:scripted"] ?? 0n;
    const { lost, request } = await makeLost();
    const id = await makeMember(stage.merchant.merchantId, `f-${newId("request")}@shop.example`, "finance");
    const finance = { ...stage.merchant.context, actor: { type: "member", id } } as const;
    const text = `line_id,kind,reference,provider_reference,amount,currency,fee,settled_at\n${newId("event")},payment,${lost.dispatchReference},px,1050,BRL,,2026-11-20T00:00:00Z\n`;
    const file = { provider: "scripted", name: "a.csv", text };
    const { digest } = await previewUpload(finance, file);
    await storeUpload(finance, { ...file, digest });
    const exceptionId = await openException(stage.merchant.merchantId, "missing_internal", lost.dispatchReference);
    expect(exceptionId).not.toBe("");
    const state = await book({ exceptionId });
    const { intent } = await createPaymentIntent(stage.merchant.context, request, withoutIdempotency());
    await reportPaid(intent);
    const moved = ((await balances())["provider_clearing:scripted"] ?? 0n) - before;
    expect([state, moved]).toEqual(["validation_failed", -1050n]);
  });
});

describe("a refund", () => {
  const OUT = { from: "available", to: "provider_clearing" } as const;

  it("whose confirmation a restore has lost is not booked by hand, and once when it is confirmed again", async () => {
    const { refund } = await proposeLateRefund(stage);
    // The provider executed it before the restore; the restored database has the proposal only.
    await importMissing("refund", refund.reference, 1050n);
    const exceptionId = await openException("", "missing_internal", refund.reference);
    expect(exceptionId).not.toBe("");
    const state = await book({ ...OUT, exceptionId });
    await confirmRefund(stage.merchant.byMember(), refund.id);
    await settleRefund(stage.merchant, refund.id);
    // In: 1050 late; out: 1050 once. So clearing is zero.
    expect([state, (await balances())["provider_clearing:scripted"] ?? 0n]).toEqual(["validation_failed", 0n]);
  });

  it("is not booked by hand for another merchant", async () => {
    const { refund } = await proposeLateRefund(stage);
    await importMissing("refund", refund.reference, 1050n);
    const exceptionId = await openException("", "missing_internal", refund.reference);
    const other = await makeLiveMerchant();
    expect(await book({ ...OUT, exceptionId }, other)).toBe("validation_failed");
  });

  it("whose return was booked by hand asks a person when the provider reports it", async () => {
    const { intent, refund } = await proposeLateRefund(stage);
    await confirmRefund(stage.merchant.byMember(), refund.id);
    await settleRefund(stage.merchant, refund.id);
    expect((await balances())["provider_clearing:scripted"] ?? 0n).toBe(0n);
    // It came back; the settlement file's line is a duplicate of the payment's: an entry books it, as docs/reconciliation.md says.
    expect(await book({ about: intent.id, isAdditional: true })).toBe("confirmed");
    const script = stage.refunding.reports;
    script.set(refund.reference, [{ kind: "returned", amount: 1050n, currency: "BRL", providerReference: "x" }]);
    await followUpRefund((await findRefund(stage.merchant.scope, refund.id)) as StoredRefund, now);
    const after = await balances();
    expect([after["provider_clearing:scripted"] ?? 0n, after["suspense"] ?? 0n]).toEqual([-1050n, 0n]);
  });

  it("that was contradicted makes the next report of its payment ask, once an entry has resolved that", async () => {
    const { intent, refund } = await proposeLateRefund(stage);
    await confirmRefund(stage.merchant.byMember(), refund.id);
    await settleRefund(stage.merchant, refund.id);
    stage.refunding.reports.set(refund.reference, [{ kind: "declined", message: null, providerReference: null }]);
    await followUpRefund((await findRefund(stage.merchant.scope, refund.id)) as StoredRefund, now);
    const exceptionId = await openException(stage.merchant.merchantId, "contradiction", refund.id);
    expect(await book({ exceptionId, amount: "500", isAdditional: true })).toBe("confirmed");
    const before = await balances();
    await reportPaid(intent, "550");
    expect(await balances()).toEqual(before);
  });
});

describe("several entries about a payment", () => {
  it("ask a person if the provider reports what they come to", async () => {
    const intent = await failed();
    expect(await book({ amount: "1500", about: intent.id })).toBe("confirmed");
    expect(await book({ from: "available", to: "provider_clearing", amount: "450", about: intent.id })).toBe(
      "confirmed",
    );
    const before = await balances();
    await reportPaid(intent);
    expect(await balances()).toEqual(before);
  });
  it("leave no room for what they come to", async () => {
    const intent = await failed();
    expect(await book({ amount: "1500", about: intent.id })).toBe("confirmed");
    expect(await book({ from: "available", to: "provider_clearing", amount: "450", about: intent.id })).toBe(
      "confirmed",
    );
    expect(await book({ amount: "1050", about: intent.id })).toBe("validation_failed");
  });
  it("leave no room for the whole of their parts", async () => {
    const intent = await failed();
    for (const amount of ["500", "550"]) expect(await book({ amount, about: intent.id })).toBe("confirmed");
    expect(await book({ amount: "1050", about: intent.id })).toBe("validation_failed");
  });
  it("and reports leave no room for the whole of their parts", async () => {
    const intent = await failed();
    await reportPaid(intent, "500");
    expect(await book({ amount: "550", about: intent.id })).toBe("confirmed");
    expect(await book({ amount: "1050", about: intent.id })).toBe("validation_failed");
  });
});

it.each(["one of ours", "none of ours"])(
  "an entry about a line of one provider is not booked through another (intent: %s)",
  async (whose) => {
    const reference = whose === "one of ours" ? (await failed()).dispatchReference : newId("event");
    await importMissing("payment", reference, 1050n);
    const owner = whose === "one of ours" ? stage.merchant.merchantId : "";
    const exceptionId = await openException(owner, "missing_internal", owner === "" ? reference : null);
    expect(exceptionId).not.toBe("");
    expect(await book({ exceptionId, provider: "scriptde" })).toBe("validation_failed");
    expect(await book({ exceptionId })).toBe("confirmed");
  },
);
describe("an exception about a refund that is under way", () => {
  const OUT = { from: "available", to: "provider_clearing" } as const;
  const DAY = 86_400_000;

  it("is not booked by hand: the refund books its money when it settles", async () => {
    const { intent, refund } = await proposeLateRefund(stage);
    const { id } = await confirmRefund(stage.merchant.byMember(), refund.id);
    stage.refunding.next = ["pends"];
    const read = async () => (await findRefund(stage.merchant.scope, id)) as StoredRefund;
    await followUpRefund(await read(), now);
    await followUpRefund(await read(), () => new Date(now().getTime() + 15 * DAY));
    const exceptionId = await openException(stage.merchant.merchantId, "stuck", id);
    expect(exceptionId).not.toBe("");
    expect(await book({ ...OUT, about: intent.id }), "by its payment").toBe("validation_failed");
    const state = await book({ ...OUT, exceptionId });
    const { reference } = await read();
    stage.refunding.reports.set(reference, [
      { kind: "settled", amount: 1050n, currency: "BRL", providerReference: "x" },
    ]);
    await followUpRefund(await read(), now);
    expect((await read()).state).toBe("settled");
    expect([state, (await balances())["provider_clearing:scripted"] ?? 0n]).toEqual(["validation_failed", 0n]);
  });
});

it("several entries about a payout ask a person if the provider reports what they come to", async () => {
  stage.provider.answer = { kind: "declined", message: null, providerReference: null } as typeof stage.provider.answer;
  stage.provider.answer = { kind: "pending", providerReference: null };
  const { intent } = await createPayoutIntent(
    stage.merchant.context,
    payout({ amount: "25000" }),
    withoutIdempotency(),
  );
  await sendCallback(intent, { status: "declined" });
  await applyDueCallbacks(1_000, 30_000);
  expect(await book({ from: "available", to: "provider_clearing", amount: "30000", about: intent.id })).toBe(
    "confirmed",
  );
  expect(await book({ amount: "5000", about: intent.id })).toBe("confirmed");
  const before = await balances();
  await sendCallback(intent, { status: "settled", amount: "25000", currency: "BRL" });
  await applyDueCallbacks(1_000, 30_000);
  expect(await balances()).toEqual(before);
});

describe("a line that a member uploaded, about another merchant's intent", () => {
  it.each([true, false])("is not booked for the uploader (reported before: %s)", async (isFirst) => {
    await reportPaid(await failed());
    const owner = await makeLiveMerchant();
    stage.provider.answer = { kind: "pending", providerReference: null };
    const { intent } = await createPaymentIntent(owner.context, payment(), withoutIdempotency());
    if (isFirst) await reportPaid(intent);
    const id = await makeMember(stage.merchant.merchantId, `f-${newId("request")}@shop.example`, "finance");
    const finance = { ...stage.merchant.context, actor: { type: "member", id } } as const;
    const text = `line_id,kind,reference,provider_reference,amount,currency,fee,settled_at\n${newId("event")},payment,${intent.dispatchReference},px,1050,BRL,,2026-11-20T00:00:00Z\n`;
    const file = { provider: "scripted", name: "a.csv", text };
    const { digest } = await previewUpload(finance, file);
    await storeUpload(finance, { ...file, digest });
    const exceptionId = await openException(stage.merchant.merchantId, "missing_internal", intent.dispatchReference);
    expect(exceptionId).not.toBe("");
    expect(await book({ exceptionId })).toBe("validation_failed");
  });
});

it("a line with an exception of nobody and one of its merchant is booked once", async () => {
  const intent = await failed();
  const route = (to: string) =>
    queryAsOwner(
      `BEGIN; SET LOCAL session_replication_role = replica;
       UPDATE payment_intent SET provider = '${to}', routing = jsonb_set(routing, '{order}', '["scripted", "other"]')
       WHERE id = '${intent.id}'; COMMIT`,
    );
  const lineId = newId("event");
  const run = () =>
    reconcile({
      provider: "scripted",
      environment: "live",
      name: `${lineId}.csv`,
      from: null,
      to: null,
      bytes: new TextEncoder().encode(
        `line_id,kind,reference,provider_reference,amount,currency,fee,settled_at\n${lineId},payment,${intent.dispatchReference},px,1050,BRL,12,2026-11-20T00:00:00Z\n`,
      ),
    });
  await route("other");
  await run();
  await route("scripted");
  await run();
  const [nobodys, theirs] = [
    await openException("", "missing_internal", intent.dispatchReference),
    await openException(stage.merchant.merchantId, "missing_internal"),
  ];
  expect([nobodys, theirs]).not.toContain("");
  expect(await book({ exceptionId: theirs })).toBe("confirmed");
  expect(await book({ exceptionId: nobodys, amount: "1038" })).toBe("validation_failed");
});

describe("what an import books of an intent", () => {
  async function succeeded() {
    stage.provider.answer = { kind: "pending", providerReference: null };
    const { intent } = await createPaymentIntent(stage.merchant.context, payment(), withoutIdempotency());
    await reportPaid(intent);
    return intent;
  }
  const run = (reference: string, isBanked: boolean) => {
    const name = newId("event");
    const rows = [
      "line_id,kind,reference,provider_reference,amount,currency,fee,settled_at,batch",
      `${name},payment,${reference},px,1050,BRL,12,2026-11-20T00:00:00Z,${name}`,
    ];
    if (isBanked) rows.push(`${name}-b,bank_credit,,tr,1038,BRL,,2026-11-20T00:00:00Z,${name}`);
    const bytes = new TextEncoder().encode(`${rows.join("\n")}\n`);
    return reconcile({ provider: "scripted", environment: "live", name: `${name}.csv`, from: null, to: null, bytes });
  };
  it("its fee, is not booked by hand before the import", async () => {
    const intent = await succeeded();
    expect(await book({ from: "fees", to: "provider_clearing", amount: "12", about: intent.id })).toBe(
      "validation_failed",
    );
    const { feesBooked, exceptionsOpened } = await run(intent.dispatchReference, false);
    expect([feesBooked, exceptionsOpened]).toEqual([1, 0]);
  });
  it("its fee, is not booked by hand after the import", async () => {
    const intent = await succeeded();
    await run(intent.dispatchReference, false);
    expect(await book({ from: "fees", to: "provider_clearing", amount: "12", about: intent.id })).toBe(
      "validation_failed",
    );
  });
  it("its bank transfer, is not booked by hand before the import", async () => {
    const intent = await succeeded();
    expect(await book({ from: "bank", to: "provider_clearing", amount: "1038", about: intent.id })).toBe(
      "validation_failed",
    );
    const { linesBanked, exceptionsOpened } = await run(intent.dispatchReference, true);
    expect([linesBanked, exceptionsOpened]).toEqual([1, 0]);
  });
});

it.each([
  ["without a provider, from the bank", { from: "bank", provider: null } as const],
  ["through another provider", { provider: "scriptde" }],
])("an entry about a payment %s is refused", async (_, change) => {
  const intent = await failed();
  expect(await book({ about: intent.id, ...change })).toBe("validation_failed");
});

it("a payout that a restore has lost is not booked by hand by the exception of its callback", async () => {
  provideRuntime({ databaseUrl: DATABASE_URL, referenceKey: KEY });
  await deriveReferences();
  forgetMerchantSettings(stage.merchant.merchantId);
  stage.provider.answer = { kind: "pending", providerReference: null };
  const lost = { merchantId: stage.merchant.merchantId, id: "word_x", dispatchReference: "" };
  const request = payout({ amount: "25000" });
  const { intent: first } = await createPayoutIntent(stage.merchant.context, request, withoutIdempotency());
  lost.dispatchReference = first.dispatchReference;
  await queryAsOwner(
    `BEGIN; SET LOCAL session_replication_role = replica;
     DELETE FROM audit_pending p USING audit_entry e WHERE e.merchant_id = p.merchant_id AND e.id = p.entry_id AND e.object_id = '${first.id}';
     UPDATE ledger_account SET balance = balance + 25000 WHERE merchant_id = '${stage.merchant.merchantId}' AND kind = 'available' AND environment = 'live';
     UPDATE ledger_account SET balance = 0 WHERE merchant_id = '${stage.merchant.merchantId}' AND kind = 'held' AND environment = 'live';
     DELETE FROM ledger_entry WHERE merchant_id = '${stage.merchant.merchantId}' AND transaction_id IN (SELECT id FROM ledger_transaction WHERE intent_id = '${first.id}');
     COMMIT`,
  );
  await forgetIntent(first.id);
  await queryAsOwner(
    `BEGIN; SET LOCAL session_replication_role = replica; DELETE FROM payout_intent WHERE id = '${first.id}'; COMMIT`,
  );
  await sendCallback(lost, { status: "settled", amount: "25000", currency: "BRL" });
  await query("UPDATE provider_callback SET attempts = 15 WHERE result IS NULL");
  await applyDueCallbacks(1_000, 30_000);
  const exceptionId = await openException(stage.merchant.merchantId, "unapplied_callback", lost.dispatchReference);
  expect(exceptionId).not.toBe("");
  const state = await book({ from: "available", to: "provider_clearing", amount: "25000", exceptionId });
  const { intent } = await createPayoutIntent(stage.merchant.context, request, withoutIdempotency());
  expect(intent.dispatchReference).toBe(lost.dispatchReference);
  await sendCallback(intent, { status: "settled", amount: "25000", currency: "BRL" });
  await applyDueCallbacks(1_000, 30_000);
  expect([state, (await balances())["provider_clearing:scripted"]]).toEqual(["validation_failed", 25_000n]);
});

it("a movement that was taken back by hand, since no line had it, asks a person when its line comes", async () => {
  stage.provider.answer = { kind: "pending", providerReference: null };
  const { intent } = await createPaymentIntent(stage.merchant.context, payment(), withoutIdempotency());
  await reportPaid(intent);
  const header = "line_id,kind,reference,provider_reference,amount,currency,fee,settled_at";
  const run = (rows: readonly string[]) =>
    reconcile({
      provider: "scripted",
      environment: "live",
      name: `${newId("event")}.csv`,
      bytes: new TextEncoder().encode(`${[header, ...rows].join("\n")}\n`),
      from: new Date(now().getTime() - 60_000),
      to: new Date(now().getTime() + 60_000),
    });
  await run([`${newId("event")},fee,,px,1,BRL,,${new Date().toISOString()}`]);
  const exceptionId = await openException(stage.merchant.merchantId, "missing_external", intent.id);
  expect(exceptionId).not.toBe("");
  expect(await book({ from: "available", to: "provider_clearing", exceptionId })).toBe("confirmed");
  expect((await balances())["provider_clearing:scripted"] ?? 0n).toBe(0n);
  const { lines } = await run([
    `${newId("event")},payment,${intent.dispatchReference},px,1050,BRL,,${new Date().toISOString()}`,
  ]);
  const { exceptions } = await listExceptionsAcrossMerchants({ merchantId: stage.merchant.merchantId, openOnly: true });
  const clearing = (await balances())["provider_clearing:scripted"] ?? 0n;
  expect([lines[0]?.verdict, clearing]).toEqual(["missing_internal", 0n]);
  expect(exceptions).toHaveLength(1);
});
