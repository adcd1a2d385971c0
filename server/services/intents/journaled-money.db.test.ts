// Money that operators booked by a journal entry, and that its provider reports afterwards, is booked once.
import { afterEach, beforeEach, expect, it } from "vitest";
import { query } from "@/server/db/client";
import type { GivenJournalEntry } from "@/server/services/journal/propose";
import { acceptCallbacks, sendCallback } from "@/server/testing/callbacks";
import { requireSoundness } from "@/server/testing/invariants";
import { balanceOf, makeLiveMerchant, payment, payout, type TestMerchant } from "@/server/testing/merchant";
import { installScriptedProvider, type ScriptedProvider } from "@/server/testing/scripted-provider";
import { applyDueCallbacks } from "../callbacks/receive-callback";
import { listExceptions } from "../exceptions/list";
import { unsealed } from "../idempotency/sealing";
import { requireInvariants } from "../invariants/testing/require-invariants";
import { confirmJournalEntry } from "../journal/decide";
import { proposeJournalEntry } from "../journal/propose";
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
  await requireSoundness();
  await requireInvariants();
});

async function report(intent: Subject, status: string, amount?: string): Promise<void> {
  await sendCallback(intent, { status, ...(amount && { amount, currency: "BRL" }) });
  await applyDueCallbacks(1_000, 30_000);
}

async function openExceptions() {
  return (await listExceptions({ merchantId: merchant.merchantId, openOnly: true })).exceptions;
}

/** Imports a line that the books lack, and books it by a journal entry that names its exception. */
async function journalLine(
  intent: Subject,
  kind: "payment" | "payout",
  movement: Pick<GivenJournalEntry, "from" | "to" | "amount">,
): Promise<void> {
  const header = "line_id,kind,reference,provider_reference,amount,currency,fee,settled_at";
  const line = `${intent.id},${kind},${intent.dispatchReference},px,${movement.amount},BRL,,2026-11-20T00:00:00Z`;
  const bytes = new TextEncoder().encode(`${header}\n${line}\n`);
  const file = { provider: "scripted", environment: "live", name: `${intent.id}.csv`, bytes } as const;
  const { lines } = await reconcile({ ...file, from: null, to: null });
  expect(lines[0]?.verdict).toBe("missing_internal");
  const [exception] = await openExceptions();
  const evidence = "The provider confirmed the line by mail.";
  const given = { ...movement, currency: "BRL", provider: "scripted", evidence, exceptionId: exception?.id ?? null };
  const { id } = await proposeJournalEntry(merchant.scope, "Maria", given);
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

it("a payment: a report of the sum asks a person, and another sum is booked as usual", async () => {
  provider.answer = { kind: "declined", message: null, providerReference: null };
  const { intent } = await createPaymentIntent(merchant.context, payment({ amount: "1050" }), unsealed());
  await journalLine(intent, "payment", { from: "provider_clearing", to: "available", amount: "1050" });
  await report(intent, "succeeded", "1050");
  expect(await besideWallet()).toEqual([-1050n, 0n]);
  expect((await balanceOf(merchant))[0]).toBe(opening + 1050n);
  expect((await openExceptions()).map(({ kind }) => kind)).toEqual(["ambiguous_receipt"]);
  await report(intent, "succeeded", "900");
  expect(await besideWallet()).toEqual([-1950n, 900n]);
});

it("a payout: a late settlement of the sum asks a person, and owes nothing", async () => {
  provider.answer = { kind: "pending", providerReference: null };
  const { intent } = await createPayoutIntent(merchant.context, payout({ amount: "25000" }), unsealed());
  await report(intent, "declined");
  await journalLine(intent, "payout", { from: "available", to: "provider_clearing", amount: "25000" });
  await report(intent, "settled", "25000");
  expect(await besideWallet()).toEqual([25_000n, 0n]);
  expect(await balanceOf(merchant)).toEqual([opening - 25_000n, 0n]);
  expect((await openExceptions()).map(({ kind }) => kind)).toEqual(["ambiguous_receipt"]);
});
