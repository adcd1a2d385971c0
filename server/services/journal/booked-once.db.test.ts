// Money that a report has booked, or will book, is not booked by hand as well; what only the operator knows of is not taken for it.
import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { query } from "@/server/db/client";
import { findRefund, type StoredRefund } from "@/server/db/suspense-refunds";
import type { PaymentOutcome } from "@/server/domain/outcome";
import { valueOf } from "@/server/domain/topup-funds";
import { now } from "@/server/platform/clock";
import { env, provideRuntime } from "@/server/platform/env";
import { newId } from "@/server/platform/ids";
import { acceptCallbacks, sendCallback } from "@/server/testing/callbacks";
import { requireInvariants } from "@/server/testing/invariants";
import { makeLiveMerchant, payment, type TestMerchant } from "@/server/testing/merchant";
import { queryAsOwner } from "@/server/testing/owner";
import { letProviderRefund } from "@/server/testing/refunding-provider";
import { installScriptedProvider, type ScriptedProvider } from "@/server/testing/scripted-provider";
import { expireTopup, scriptedTopup } from "@/server/testing/topup";
import { applyUpdate } from "../callbacks/apply-update";
import { applyDueCallbacks } from "../callbacks/receive-callback";
import { deriveReferences } from "../dispatch-references/prepare";
import { listExceptionsAcrossMerchants } from "../exceptions/list";
import { withoutIdempotency } from "../idempotency/completion";
import { type AnyIntent, findAnyIntent } from "../intent-kinds";
import { forgetMerchantSettings } from "../merchants/settings";
import { createPaymentIntent } from "../payments/create";
import { reconcile } from "../reconciliation/reconcile";
import { confirmRefund } from "../refunds/decide";
import { followUpRefund } from "../refunds/follow-up";
import { proposeRefund } from "../refunds/propose";
import { confirmJournalEntry } from "./decide";
import { type JournalEntryInput, proposeJournalEntry } from "./propose";

const KEY = randomBytes(32);
const DATABASE_URL = env().databaseUrl ?? "";

let merchant: TestMerchant;
let provider: ScriptedProvider;
beforeEach(async () => {
  provider = installScriptedProvider();
  letProviderRefund();
  acceptCallbacks();
  merchant = await makeLiveMerchant();
});
afterEach(() => requireInvariants());

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

async function makeTopup(latePayment: "credit_actual" | "hold", isOver = true) {
  const policies = { overpayment: "hold", underpayment: "hold", latePayment } as const;
  const topup = await scriptedTopup(merchant, { policies, isOver });
  if (isOver) await expireTopup(merchant, topup);
  const tell = async (status: "funds_seen" | "funds_dropped", amount: bigint) => {
    const money = {
      amount: amount.toString(),
      currency: topup.sourceCurrency,
      confirmed: true,
      provider_reference: null,
    };
    await sendCallback(topup, { status, ...money });
    await applyDueCallbacks(1_000, 30_000);
  };
  return { topup, tell, owed: valueOf(topup.sourceAmount, topup) };
}

describe("a top-up", () => {
  it.each(["credit_actual", "hold"] as const)("whose funds came late (%s) is not booked by hand", async (policy) => {
    const { topup, tell, owed } = await makeTopup(policy);
    await importMissing("topup", topup.id, owed);
    const exceptionId = await openException(merchant.merchantId, "missing_internal");
    await tell("funds_seen", topup.sourceAmount);
    const before = await balances();
    expect(before["provider_clearing:scripted"]).toBe(-owed);
    const amount = owed.toString();
    expect(await book({ amount, exceptionId })).toBe("validation_failed");
    expect(await book({ amount, about: topup.id })).toBe("validation_failed");
    expect(await balances()).toEqual(before);
  });

  it("whose funds came in parts is not booked by hand as a whole", async () => {
    const { topup, tell, owed } = await makeTopup("hold");
    await tell("funds_seen", topup.sourceAmount / 2n);
    await tell("funds_seen", topup.sourceAmount);
    const before = await balances();
    expect(await book({ amount: owed.toString(), about: topup.id })).toBe("validation_failed");
    expect(await balances()).toEqual(before);
  });

  it("that succeeded is not booked by hand", async () => {
    const { topup, tell, owed } = await makeTopup("hold", false);
    await tell("funds_seen", topup.sourceAmount);
    const before = await balances();
    expect(await book({ amount: owed.toString(), about: topup.id })).toBe("validation_failed");
    expect(await balances()).toEqual(before);
  });

  it.each(["fees", "bank"] as const)(
    "does not count what was booked by hand from %s as dropped funds",
    async (from) => {
      const { topup, tell, owed } = await makeTopup("credit_actual");
      await tell("funds_seen", topup.sourceAmount);
      const amount = from === "fees" ? "30" : owed.toString();
      expect(await book({ from, to: "provider_clearing", amount, about: topup.id, isAdditional: true })).toBe(
        "confirmed",
      );
      const before = await balances();
      await tell("funds_seen", topup.sourceAmount);
      expect(await balances()).toEqual(before);
      await tell("funds_dropped", 0n);
      expect((await balances())["suspense"]).toBe(-owed);
    },
  );
});

describe("a refund", () => {
  async function makeRefund() {
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
    const proposed = await proposeRefund(merchant.byMember(), exceptionId, "Paid late.");
    const refund = await confirmRefund(merchant.byMember(), proposed.id);
    await importMissing("refund", refund.reference, 1050n);
    const missing = await openException(merchant.merchantId, "missing_internal");
    const settle = async () => {
      for (let round = 0; round < 3; round += 1)
        await followUpRefund((await findRefund(merchant.scope, refund.id)) as StoredRefund, now);
      expect((await findRefund(merchant.scope, refund.id))?.state).toBe("settled");
    };
    return { paymentId: intent.id, missing, settle };
  }

  const OUT = { from: "available", to: "provider_clearing" } as const;

  it("that has settled is not booked by hand", async () => {
    const { paymentId, missing, settle } = await makeRefund();
    await settle();
    const before = await balances();
    expect(await book({ ...OUT, exceptionId: missing })).toBe("validation_failed");
    expect(await book({ ...OUT, about: paymentId })).toBe("validation_failed");
    expect(await balances()).toEqual(before);
  });

  it("that is under way is not booked by hand, since its report books it", async () => {
    const { paymentId, missing, settle } = await makeRefund();
    expect(await book({ ...OUT, exceptionId: missing })).toBe("validation_failed");
    expect(await book({ ...OUT, about: paymentId })).toBe("validation_failed");
    await settle();
    expect((await balances())["provider_clearing:scripted"] ?? 0n).toBe(0n);
  });
});

it("money that is nobody's is not booked for another merchant than that of its intent", async () => {
  provider.answer = { kind: "declined", message: null, providerReference: null };
  const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
  // It failed over before the first provider, whose file has the line, reported its money.
  await queryAsOwner(
    `BEGIN; SET LOCAL session_replication_role = replica;
     UPDATE payment_intent SET provider = 'other', routing = jsonb_set(routing, '{order}', '["scripted", "other"]')
     WHERE id = '${intent.id}'; COMMIT`,
  );
  await importMissing("payment", intent.dispatchReference, 1050n);
  const exceptionId = await openException("", "missing_internal", intent.id);
  const other = await makeLiveMerchant();
  expect(await book({ exceptionId }, other.scope)).toBe("validation_failed");
  expect(await book({ exceptionId })).toBe("confirmed");
});

describe("a payment that two entries have booked by parts", () => {
  async function makeFailed() {
    provider.answer = { kind: "declined", message: null, providerReference: null };
    return (await createPaymentIntent(merchant.context, payment(), withoutIdempotency())).intent;
  }

  it("asks a person if its provider reports the whole", async () => {
    const intent = await makeFailed();
    for (const amount of ["500", "550"]) expect(await book({ amount, about: intent.id })).toBe("confirmed");
    const before = await balances();
    await sendCallback(intent, { status: "succeeded", amount: "1050", currency: "BRL" });
    await applyDueCallbacks(1_000, 30_000);
    expect(await balances()).toEqual(before);
    expect(await openException(merchant.merchantId, "ambiguous_receipt")).not.toBe("");
  });

  it("is booked as usual if its provider reports another sum", async () => {
    const intent = await makeFailed();
    for (const amount of ["500", "550"]) expect(await book({ amount, about: intent.id })).toBe("confirmed");
    await sendCallback(intent, { status: "succeeded", amount: "900", currency: "BRL" });
    await applyDueCallbacks(1_000, 30_000);
    expect(await balances()).toMatchObject({ "provider_clearing:scripted": -1950n, suspense: 900n });
  });
});

it("of equal entries that are confirmed at once, one is booked and the others are refused", async () => {
  for (let round = 0; round < 5; round += 1) {
    provider.answer = { kind: "declined", message: null, providerReference: null };
    const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
    const propose = () => proposeJournalEntry(merchant.scope, "Maria", { ...ENTRY, about: intent.id });
    const entries = [await propose(), await propose(), await propose()];
    const ends = await Promise.allSettled(entries.map(({ id }) => confirmJournalEntry(id, "Jan")));
    const codes = ends.map((one) => (one.status === "fulfilled" ? "confirmed" : (one.reason as { code: string }).code));
    expect(codes.sort()).toEqual(["confirmed", "validation_failed", "validation_failed"]);
  }
});

describe("a line about a payment that a restore has lost", () => {
  it("is not booked by hand: the merchant repeats its request, and the report books it once", async () => {
    provideRuntime({ databaseUrl: DATABASE_URL, referenceKey: KEY });
    await deriveReferences();
    forgetMerchantSettings(merchant.merchantId);
    provider.answer = { kind: "pending", providerReference: null };
    const request = payment();
    const { intent: lost } = await createPaymentIntent(merchant.context, request, withoutIdempotency());
    await forget(lost.id);
    await importMissing("payment", lost.dispatchReference, 1050n);
    const exceptionId = await openException("", "missing_internal", lost.dispatchReference);
    expect(await book({ exceptionId })).toBe("validation_failed");
    const { intent } = await createPaymentIntent(merchant.context, request, withoutIdempotency());
    expect(intent.dispatchReference).toBe(lost.dispatchReference);
    expect(await book({ exceptionId, isAdditional: true }), "once it is known, and open").toBe("validation_failed");
    await sendCallback(intent, { status: "succeeded", amount: "1050", currency: "BRL" });
    await applyDueCallbacks(1_000, 30_000);
    expect(await book({ exceptionId }), "once it is booked").toBe("validation_failed");
    expect((await balances())["provider_clearing:scripted"]).toBe(-1050n);
  });

  it("is booked by hand if the operator says that the merchant will not repeat it", async () => {
    const reference = newId("paymentIntent");
    await importMissing("payment", reference, 1050n);
    const exceptionId = await openException("", "missing_internal", reference);
    expect(await book({ exceptionId })).toBe("validation_failed");
    expect(await book({ exceptionId, isAdditional: true })).toBe("confirmed");
  });
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
