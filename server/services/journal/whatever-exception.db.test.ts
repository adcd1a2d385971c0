// Whatever exception an entry names, and however operators have booked before: money is booked by a report or by hand, once.
import { randomBytes } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { query } from "@/server/db/client";
import { findRefund, type StoredRefund } from "@/server/db/suspense-refunds";
import type { PaymentOutcome } from "@/server/domain/outcome";
import { now } from "@/server/platform/clock";
import { env, provideRuntime } from "@/server/platform/env";
import { newId } from "@/server/platform/ids";
import { acceptCallbacks, sendCallback } from "@/server/testing/callbacks";
import { makeLiveMerchant, makeMember, payment, payout, type TestMerchant } from "@/server/testing/merchant";
import { queryAsOwner } from "@/server/testing/owner";
import { letProviderRefund } from "@/server/testing/refunding-provider";
import { installScriptedProvider, type ScriptedProvider } from "@/server/testing/scripted-provider";
import { applyUpdate } from "../callbacks/apply-update";
import { applyDueCallbacks } from "../callbacks/receive-callback";
import { deriveReferences } from "../dispatch-references/prepare";
import { listExceptionsAcrossMerchants } from "../exceptions/list";
import { withoutIdempotency } from "../idempotency/completion";
import { type AnyIntent, findAnyIntent } from "../intent-kinds";
import { forgetMerchantSettings } from "../merchants/settings";
import { createPaymentIntent } from "../payments/create";
import { createPayoutIntent } from "../payouts/create";
import { reconcile } from "../reconciliation/reconcile";
import { previewUpload, storeUpload } from "../reconciliation/upload";
import { confirmRefund } from "../refunds/decide";
import { followUpRefund } from "../refunds/follow-up";
import { proposeRefund } from "../refunds/propose";
import { confirmJournalEntry } from "./decide";
import { type JournalEntryInput, proposeJournalEntry } from "./propose";

const KEY = randomBytes(32);
const DATABASE_URL = env().databaseUrl ?? "";

let merchant: TestMerchant;
let provider: ScriptedProvider;
let REFUNDING: ReturnType<typeof letProviderRefund>;
beforeEach(async () => {
  provider = installScriptedProvider();
  REFUNDING = letProviderRefund();
  acceptCallbacks();
  merchant = await makeLiveMerchant();
});

const ENTRY: JournalEntryInput = {
  from: "provider_clearing",
  to: "available",
  amount: "1050",
  currency: "BRL",
  provider: "scripted",
  evidence: "The provider's mail.",
  exceptionId: null,
  about: null,
  isAdditional: false,
};

/** Proposes and confirms an entry; returns its state, or the code of its refusal. */
async function book(change: Partial<JournalEntryInput>, scope = merchant.scope): Promise<string> {
  try {
    const { id } = await proposeJournalEntry(scope, "Maria", { ...ENTRY, ...change });
    return (await confirmJournalEntry(id, "Jan")).state;
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

/** Balances in BRL by account, those of 0 left out. */
async function balances(): Promise<Readonly<Record<string, bigint>>> {
  const rows = await query<{ kind: string; balance: string }>(
    `SELECT kind, balance::text FROM ledger_account
     WHERE merchant_id = $1 AND environment = 'live' AND balance <> 0 AND currency = 'BRL' ORDER BY kind`,
    merchant.merchantId,
  );
  return Object.fromEntries(rows.map(({ kind, balance }) => [kind, BigInt(balance)]));
}

async function openException(merchantId: string, kind: string, objectId: string | null = null): Promise<string> {
  const { exceptions } = await listExceptionsAcrossMerchants({ merchantId, openOnly: true });
  return exceptions.find((one) => one.kind === kind && (objectId === null || one.objectId === objectId))?.id ?? "";
}

/** Imports a line that the books lack. */
async function importMissing(kind: string, reference: string, amount: bigint): Promise<void> {
  const header = "line_id,kind,reference,provider_reference,amount,currency,fee,settled_at";
  const line = `${newId("event")},${kind},${reference},px,${amount},BRL,,2026-11-20T00:00:00Z`;
  const file = {
    provider: "scripted",
    environment: "live",
    name: `${newId("event")}.csv`,
    from: null,
    to: null,
  } as const;
  const { lines } = await reconcile({ ...file, bytes: new TextEncoder().encode(`${header}\n${line}\n`) });
  expect(lines[0]?.verdict).toBe("missing_internal");
}

const failed = async () => {
  provider.answer = { kind: "declined", message: null, providerReference: null };
  return (await createPaymentIntent(merchant.context, payment(), withoutIdempotency())).intent;
};
const reportPaid = async (intent: { merchantId: string; id: string; dispatchReference: string }, amount = "1050") => {
  await sendCallback(intent, { status: "succeeded", amount, currency: "BRL" });
  await applyDueCallbacks(1_000, 30_000);
};

async function makeLost() {
  provideRuntime({ databaseUrl: DATABASE_URL, referenceKey: KEY });
  await deriveReferences();
  forgetMerchantSettings(merchant.merchantId);
  provider.answer = { kind: "pending", providerReference: null };
  const request = payment();
  const { intent: lost } = await createPaymentIntent(merchant.context, request, withoutIdempotency());
  await forget(lost.id);
  return { lost, request };
}

describe("a payment that a restore has lost", () => {
  it("is not booked by hand by the exception of its callback, and once when the merchant repeats its request", async () => {
    const { lost, request } = await makeLost();
    await sendCallback(lost, { status: "succeeded", amount: "1050", currency: "BRL" });
    await query("UPDATE provider_callback SET attempts = 15 WHERE result IS NULL");
    await applyDueCallbacks(1_000, 30_000);
    const exceptionId = await openException(merchant.merchantId, "unapplied_callback", lost.dispatchReference);
    expect(exceptionId).not.toBe("");
    const state = await book({ exceptionId });
    const { intent } = await createPaymentIntent(merchant.context, request, withoutIdempotency());
    expect(intent.dispatchReference).toBe(lost.dispatchReference);
    await reportPaid(intent);
    expect([state, await balances()]).toMatchObject(["validation_failed", { "provider_clearing:scripted": -1050n }]);
  });

  it("is not booked by hand by the exception of a line that a member uploaded", async () => {
    await reportPaid(await failed()); // the provider has moved money of the merchant
    const before = (await balances())["provider_clearing:scripted"] ?? 0n;
    const { lost, request } = await makeLost();
    const id = await makeMember(merchant.merchantId, `f-${newId("request")}@shop.example`, "finance");
    const finance = { ...merchant.context, actor: { type: "member", id } } as const;
    const text = `line_id,kind,reference,provider_reference,amount,currency,fee,settled_at\n${newId("event")},payment,${lost.dispatchReference},px,1050,BRL,,2026-11-20T00:00:00Z\n`;
    const file = { provider: "scripted", name: "a.csv", text };
    const { digest } = await previewUpload(finance, file);
    await storeUpload(finance, { ...file, digest });
    const exceptionId = await openException(merchant.merchantId, "missing_internal", lost.dispatchReference);
    expect(exceptionId).not.toBe("");
    const state = await book({ exceptionId });
    const { intent } = await createPaymentIntent(merchant.context, request, withoutIdempotency());
    await reportPaid(intent);
    const moved = ((await balances())["provider_clearing:scripted"] ?? 0n) - before;
    expect([state, moved]).toEqual(["validation_failed", -1050n]);
  });
});

describe("a refund", () => {
  const OUT = { from: "available", to: "provider_clearing" } as const;
  async function proposed() {
    provider.answer = { kind: "pending", providerReference: newId("event") };
    const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
    const money = { amount: 1050n, currency: "BRL", receiptId: null, providerReference: "px-1" };
    const late: readonly PaymentOutcome[] = [
      { kind: "expired", providerReference: "px-1" },
      { kind: "succeeded", ...money },
    ];
    for (const report of late)
      await applyUpdate(merchant.context, (await findAnyIntent(merchant.merchantId, intent.id)) as AnyIntent, [report]);
    const exceptionId = await openException(merchant.merchantId, "late_money");
    return { intent, refund: await proposeRefund(merchant.byMember(), exceptionId, "Paid late.") };
  }
  const settle = async (id: string) => {
    for (let round = 0; round < 3; round += 1)
      await followUpRefund((await findRefund(merchant.scope, id)) as StoredRefund, now);
    expect((await findRefund(merchant.scope, id))?.state).toBe("settled");
  };

  it("whose confirmation a restore has lost is not booked by hand, and once when it is confirmed again", async () => {
    const { refund } = await proposed();
    // The provider executed it before the restore; the restored database has the proposal only.
    await importMissing("refund", refund.reference, 1050n);
    const exceptionId = await openException("", "missing_internal", refund.reference);
    expect(exceptionId).not.toBe("");
    const state = await book({ ...OUT, exceptionId });
    await confirmRefund(merchant.byMember(), refund.id);
    await settle(refund.id);
    // In: 1050 late; out: 1050 once. So clearing is zero.
    expect([state, (await balances())["provider_clearing:scripted"] ?? 0n]).toEqual(["validation_failed", 0n]);
  });

  it("is not booked by hand for another merchant", async () => {
    const { refund } = await proposed();
    await importMissing("refund", refund.reference, 1050n);
    const exceptionId = await openException("", "missing_internal", refund.reference);
    const other = await makeLiveMerchant();
    expect(await book({ ...OUT, exceptionId }, other.scope)).toBe("validation_failed");
  });

  it("whose return was booked by hand asks a person when the provider reports it", async () => {
    const { intent, refund } = await proposed();
    await confirmRefund(merchant.byMember(), refund.id);
    await settle(refund.id);
    expect((await balances())["provider_clearing:scripted"] ?? 0n).toBe(0n);
    // It came back; the settlement file's line is a duplicate of the payment's: an entry books it, as docs/reconciliation.md says.
    expect(await book({ about: intent.id, isAdditional: true })).toBe("confirmed");
    const script = REFUNDING.reports;
    script.set(refund.reference, [{ kind: "returned", amount: 1050n, currency: "BRL", providerReference: "x" }]);
    await followUpRefund((await findRefund(merchant.scope, refund.id)) as StoredRefund, now);
    const after = await balances();
    expect([after["provider_clearing:scripted"] ?? 0n, after["suspense"] ?? 0n]).toEqual([-1050n, 0n]);
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
    const owner = whose === "one of ours" ? merchant.merchantId : "";
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
    provider.answer = { kind: "pending", providerReference: newId("event") };
    const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
    const money = { amount: 1050n, currency: "BRL", receiptId: null, providerReference: "px-1" };
    const late: readonly PaymentOutcome[] = [
      { kind: "expired", providerReference: "px-1" },
      { kind: "succeeded", ...money },
    ];
    for (const report of late)
      await applyUpdate(merchant.context, (await findAnyIntent(merchant.merchantId, intent.id)) as AnyIntent, [report]);
    const proposed = await proposeRefund(
      merchant.byMember(),
      await openException(merchant.merchantId, "late_money"),
      "Paid late.",
    );
    const { id } = await confirmRefund(merchant.byMember(), proposed.id);
    REFUNDING.next = ["pends"];
    const read = async () => (await findRefund(merchant.scope, id)) as StoredRefund;
    await followUpRefund(await read(), now);
    await followUpRefund(await read(), () => new Date(now().getTime() + 15 * DAY));
    const exceptionId = await openException(merchant.merchantId, "stuck", id);
    expect(exceptionId).not.toBe("");
    expect(await book({ ...OUT, about: intent.id }), "by its payment").toBe("validation_failed");
    const state = await book({ ...OUT, exceptionId });
    const { reference } = await read();
    REFUNDING.reports.set(reference, [{ kind: "settled", amount: 1050n, currency: "BRL", providerReference: "x" }]);
    await followUpRefund(await read(), now);
    expect((await read()).state).toBe("settled");
    expect([state, (await balances())["provider_clearing:scripted"] ?? 0n]).toEqual(["validation_failed", 0n]);
  });
});

it("several entries about a payout ask a person if the provider reports what they come to", async () => {
  provider.answer = { kind: "declined", message: null, providerReference: null } as typeof provider.answer;
  provider.answer = { kind: "pending", providerReference: null };
  const { intent } = await createPayoutIntent(merchant.context, payout({ amount: "25000" }), withoutIdempotency());
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
    provider.answer = { kind: "pending", providerReference: null };
    const { intent } = await createPaymentIntent(owner.context, payment(), withoutIdempotency());
    if (isFirst) await reportPaid(intent);
    const id = await makeMember(merchant.merchantId, `f-${newId("request")}@shop.example`, "finance");
    const finance = { ...merchant.context, actor: { type: "member", id } } as const;
    const text = `line_id,kind,reference,provider_reference,amount,currency,fee,settled_at\n${newId("event")},payment,${intent.dispatchReference},px,1050,BRL,,2026-11-20T00:00:00Z\n`;
    const file = { provider: "scripted", name: "a.csv", text };
    const { digest } = await previewUpload(finance, file);
    await storeUpload(finance, { ...file, digest });
    const exceptionId = await openException(merchant.merchantId, "missing_internal", intent.dispatchReference);
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
    await openException(merchant.merchantId, "missing_internal"),
  ];
  expect([nobodys, theirs]).not.toContain("");
  expect(await book({ exceptionId: theirs })).toBe("confirmed");
  expect(await book({ exceptionId: nobodys, amount: "1038" })).toBe("validation_failed");
});

describe("what an import books of an intent", () => {
  async function succeeded() {
    provider.answer = { kind: "pending", providerReference: null };
    const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
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
  forgetMerchantSettings(merchant.merchantId);
  provider.answer = { kind: "pending", providerReference: null };
  const lost = { merchantId: merchant.merchantId, id: "word_x", dispatchReference: "" };
  const request = payout({ amount: "25000" });
  const { intent: first } = await createPayoutIntent(merchant.context, request, withoutIdempotency());
  lost.dispatchReference = first.dispatchReference;
  await queryAsOwner(
    `BEGIN; SET LOCAL session_replication_role = replica;
     DELETE FROM audit_pending p USING audit_entry e WHERE e.merchant_id = p.merchant_id AND e.id = p.entry_id AND e.object_id = '${first.id}';
     UPDATE ledger_account SET balance = balance + 25000 WHERE merchant_id = '${merchant.merchantId}' AND kind = 'available' AND environment = 'live';
     UPDATE ledger_account SET balance = 0 WHERE merchant_id = '${merchant.merchantId}' AND kind = 'held' AND environment = 'live';
     DELETE FROM ledger_entry WHERE merchant_id = '${merchant.merchantId}' AND transaction_id IN (SELECT id FROM ledger_transaction WHERE intent_id = '${first.id}');
     COMMIT`,
  );
  await forget(first.id);
  await queryAsOwner(
    `BEGIN; SET LOCAL session_replication_role = replica; DELETE FROM payout_intent WHERE id = '${first.id}'; COMMIT`,
  );
  await sendCallback(lost, { status: "settled", amount: "25000", currency: "BRL" });
  await query("UPDATE provider_callback SET attempts = 15 WHERE result IS NULL");
  await applyDueCallbacks(1_000, 30_000);
  const exceptionId = await openException(merchant.merchantId, "unapplied_callback", lost.dispatchReference);
  expect(exceptionId).not.toBe("");
  const state = await book({ from: "available", to: "provider_clearing", amount: "25000", exceptionId });
  const { intent } = await createPayoutIntent(merchant.context, request, withoutIdempotency());
  expect(intent.dispatchReference).toBe(lost.dispatchReference);
  await sendCallback(intent, { status: "settled", amount: "25000", currency: "BRL" });
  await applyDueCallbacks(1_000, 30_000);
  expect([state, (await balances())["provider_clearing:scripted"]]).toEqual(["validation_failed", 25_000n]);
});

it("a movement that was taken back by hand, since no line had it, asks a person when its line comes", async () => {
  provider.answer = { kind: "pending", providerReference: null };
  const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
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
  const exceptionId = await openException(merchant.merchantId, "missing_external", intent.id);
  expect(exceptionId).not.toBe("");
  expect(await book({ from: "available", to: "provider_clearing", exceptionId })).toBe("confirmed");
  expect((await balances())["provider_clearing:scripted"] ?? 0n).toBe(0n);
  const { lines } = await run([
    `${newId("event")},payment,${intent.dispatchReference},px,1050,BRL,,${new Date().toISOString()}`,
  ]);
  const { exceptions } = await listExceptionsAcrossMerchants({ merchantId: merchant.merchantId, openOnly: true });
  const clearing = (await balances())["provider_clearing:scripted"] ?? 0n;
  expect([lines[0]?.verdict, clearing]).toEqual(["missing_internal", 0n]);
  expect(exceptions).toHaveLength(1);
});

/** Removes the payment's rows, as a restore to a time before it does. */
async function forget(id: string): Promise<void> {
  const tables = await queryAsOwner<{ name: string; column: string }>(
    `SELECT c.table_name AS name, c.column_name AS "column" FROM information_schema.columns c
     JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.column_name IN ('intent_id', 'object_id')`,
  );
  const deletes = tables.map(({ name, column }) => `DELETE FROM "${name}" WHERE "${column}" = '${id}';`).join("\n");
  await queryAsOwner(
    `BEGIN; SET LOCAL session_replication_role = replica;
     DELETE FROM audit_pending p USING audit_entry e
     WHERE e.merchant_id = p.merchant_id AND e.id = p.entry_id AND e.object_id = '${id}';
     ${deletes} DELETE FROM payment_intent WHERE id = '${id}'; COMMIT`,
  );
}
