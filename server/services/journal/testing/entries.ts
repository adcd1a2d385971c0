// A live merchant of a scripted provider, and entries that operators book for it by hand.
import { beforeEach, expect } from "vitest";
import { query } from "@/server/db/client";
import { findRefund, type StoredRefund } from "@/server/db/suspense-refunds";
import type { PaymentOutcome } from "@/server/domain/outcome";
import { now } from "@/server/platform/clock";
import { newId } from "@/server/platform/ids";
import { acceptCallbacks } from "@/server/testing/callbacks";
import { makeLiveMerchant, payment, type TestMerchant } from "@/server/testing/merchant";
import { queryAsOwner } from "@/server/testing/owner";
import { letProviderRefund } from "@/server/testing/refunding-provider";
import { installScriptedProvider, type ScriptedProvider } from "@/server/testing/scripted-provider";
import { applyUpdate } from "../../callbacks/apply-update";
import { listExceptionsAcrossMerchants } from "../../exceptions/list";
import { withoutIdempotency } from "../../idempotency/completion";
import { type AnyIntent, findAnyIntent } from "../../intent-kinds";
import { createPaymentIntent } from "../../payments/create";
import { reconcile } from "../../reconciliation/reconcile";
import { followUpRefund } from "../../refunds/follow-up";
import { proposeRefund } from "../../refunds/propose";
import { confirmJournalEntry } from "../decide";
import { type JournalEntryInput, proposeJournalEntry } from "../propose";

/** A payment of 10.50 BRL that a provider has. */
export const ENTRY: JournalEntryInput = {
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

export interface Stage {
  merchant: TestMerchant;
  provider: ScriptedProvider;
  refunding: ReturnType<typeof letProviderRefund>;
}

/** Each test has a new merchant and a new provider. */
export function stageEntries(): Stage {
  const stage = {} as Stage;
  beforeEach(async () => {
    stage.provider = installScriptedProvider();
    stage.refunding = letProviderRefund();
    acceptCallbacks();
    stage.merchant = await makeLiveMerchant();
  });
  return stage;
}

/** Proposes and confirms an entry; returns its state, or the code of its refusal. */
export async function bookFor({ scope }: TestMerchant, change: Partial<JournalEntryInput>): Promise<string> {
  try {
    const { id } = await proposeJournalEntry(scope, "Maria", { ...ENTRY, ...change });
    return (await confirmJournalEntry(id, "Jan")).state;
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

/** Balances in BRL by account, those of 0 left out. */
export async function balancesOf({ merchantId }: TestMerchant): Promise<Readonly<Record<string, bigint>>> {
  const rows = await query<{ kind: string; balance: string }>(
    `SELECT kind, balance::text FROM ledger_account
     WHERE merchant_id = $1 AND environment = 'live' AND balance <> 0 AND currency = 'BRL' ORDER BY kind`,
    merchantId,
  );
  return Object.fromEntries(rows.map(({ kind, balance }) => [kind, BigInt(balance)]));
}

/** The id of an open exception of the merchant, or of nobody for an empty id; empty if there is none. */
export async function openException(merchantId: string, kind: string, objectId: string | null = null): Promise<string> {
  const { exceptions } = await listExceptionsAcrossMerchants({ merchantId, openOnly: true });
  return exceptions.find((one) => one.kind === kind && (objectId === null || one.objectId === objectId))?.id ?? "";
}

/** Imports a line that the books lack. */
export async function importMissing(kind: string, reference: string, amount: bigint): Promise<void> {
  const header = "line_id,kind,reference,provider_reference,amount,currency,fee,settled_at";
  const line = `${newId("event")},${kind},${reference},px,${amount},BRL,,2026-11-20T00:00:00Z`;
  const bytes = new TextEncoder().encode(`${header}\n${line}\n`);
  const file = {
    provider: "scripted",
    environment: "live",
    name: `${newId("event")}.csv`,
    from: null,
    to: null,
  } as const;
  const { lines } = await reconcile({ ...file, bytes });
  expect(lines[0]?.verdict).toBe("missing_internal");
}

/** Proposes a refund of a payment that was paid after it had expired. */
export async function proposeLateRefund({ merchant, provider }: Stage) {
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

/** Lets the worker send and poll a confirmed refund until it has settled. */
export async function settleRefund({ scope }: TestMerchant, id: string): Promise<void> {
  for (let round = 0; round < 3; round += 1) await followUpRefund((await findRefund(scope, id)) as StoredRefund, now);
  expect((await findRefund(scope, id))?.state).toBe("settled");
}

/** Removes the payment's rows, as a restore to a time before it does. */
export async function forgetIntent(id: string): Promise<void> {
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
     ${deletes} DELETE FROM payment_intent WHERE id = '${id}'; DELETE FROM payout_intent WHERE id = '${id}'; COMMIT`,
  );
}
