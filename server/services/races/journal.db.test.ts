// Proves that only one is booked of a journal entry and a simultaneous report of the same money.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { sizeOf } from "@/e2e/support/tier";
import { query } from "@/server/db/client";
import { openException } from "@/server/db/exceptions";
import type { PaymentOutcome, TopupOutcome } from "@/server/domain/outcome";
import { valueOf } from "@/server/domain/topup-funds";
import { now } from "@/server/platform/clock";
import { requireInvariants } from "@/server/testing/invariants";
import { makeLiveMerchant, payment, type TestMerchant } from "@/server/testing/merchant";
import { installScriptedProvider, type ScriptedProvider } from "@/server/testing/scripted-provider";
import { expireTopup, scriptedTopup } from "@/server/testing/topup";
import { applyUpdate } from "../callbacks/apply-update";
import { withoutIdempotency } from "../idempotency/completion";
import { findAnyIntent } from "../intent-kinds";
import { confirmJournalEntry } from "../journal/decide";
import { proposeJournalEntry } from "../journal/propose";
import { createPaymentIntent } from "../payments/create";

const TRIALS = sizeOf({ representative: 60, deep: 2_000 });
/** Intents that race concurrently. */
const CONCURRENCY = 10;

vi.setConfig({ testTimeout: 3_600_000 });

let merchant: TestMerchant;
let provider: ScriptedProvider;
beforeEach(async () => {
  provider = installScriptedProvider();
  merchant = await makeLiveMerchant();
});
afterEach(async () => {
  await requireInvariants();
});

interface Contest {
  readonly id: string;
  /** The amount owed to the merchant, in minor units of BRL. */
  readonly owed: bigint;
  readonly report: PaymentOutcome | TopupOutcome;
}

async function failedPayment(): Promise<Contest> {
  provider.answer = { kind: "declined", message: null, providerReference: null };
  const { intent } = await createPaymentIntent(merchant.context, payment({ amount: "1050" }), withoutIdempotency());
  const reference = { providerReference: "px", receiptId: "r-1" };
  return { id: intent.id, owed: 1050n, report: { kind: "succeeded", amount: 1050n, currency: "BRL", ...reference } };
}

async function expiredTopup(): Promise<Contest> {
  const topup = await scriptedTopup(merchant, { isOver: true });
  await expireTopup(merchant, topup);
  const { id, sourceAmount: amount, sourceCurrency: currency } = topup;
  const report = { kind: "funds_seen", amount, currency, confirmed: true, providerReference: "px" } as const;
  return { id, owed: valueOf(amount, topup), report };
}

/** Opens an exception about the intent and proposes to book the owed amount. */
async function propose({ id, owed }: Contest): Promise<string> {
  const fact = { kind: "missing_internal", objectId: id, fact: `missing:${id}`, detail: {} } as const;
  await openException({ ...fact, scope: merchant.scope }, now());
  const [exception] = await query<{ id: string }>("SELECT id FROM exception WHERE object_id = $1", id);
  const movement = { from: "provider_clearing", to: "available", currency: "BRL", provider: "scripted" } as const;
  const evidence = "The provider confirmed the line by mail.";
  const given = {
    ...movement,
    amount: owed.toString(),
    evidence,
    exceptionId: exception?.id ?? "",
    about: null,
    isAdditional: false,
  };
  return (await proposeJournalEntry(merchant.scope, "Maria", given)).id;
}

async function report({ id, report: outcome }: Contest): Promise<void> {
  const subject = await findAnyIntent(merchant.merchantId, id);
  if (!subject) throw new RangeError(`no ${id}`);
  await applyUpdate(merchant.context, subject, [outcome], { provider: "scripted" });
}

/** Confirms and reports concurrently; returns the bookings, the confirmation's result, and open exceptions. */
async function race(contest: Contest, entryId: string): Promise<string> {
  const [confirmation] = await Promise.allSettled([confirmJournalEntry(entryId, "Jan"), report(contest)]);
  const rows = await query<{ line: string }>(
    `SELECT reason AS line FROM ledger_transaction WHERE intent_id = $1 OR unique_key = 'journal:' || $2
     UNION ALL SELECT kind FROM exception WHERE object_id = $1 AND resolved_at IS NULL AND kind <> 'missing_internal'`,
    contest.id,
    entryId,
  );
  const lines = rows.map(({ line }) => line).sort();
  return [confirmation.status, ...lines].join(" ");
}

it.each([
  ["a failed payment", failedPayment],
  ["an expired top-up", expiredTopup],
])("%s: the money is booked once, and the loser of the race asks a person", async (_, make) => {
  const ends: Record<string, number> = {};
  for (let trial = 0; trial < TRIALS; trial += CONCURRENCY) {
    const contests = await Promise.all(Array.from({ length: CONCURRENCY }, make));
    const entries = await Promise.all(contests.map(propose));
    for (const end of await Promise.all(contests.map((contest, n) => race(contest, entries[n] ?? "")))) {
      ends[end] = (ends[end] ?? 0) + 1;
    }
  }
  const right = ["fulfilled ambiguous_receipt journal", "rejected late_money late_money"];
  expect(Object.keys(ends).filter((end) => !right.includes(end))).toEqual([]);
});
