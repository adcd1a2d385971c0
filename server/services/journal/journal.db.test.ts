// Two operators book a journal entry once, with the exception that it resolves.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { query } from "@/server/db/client";
import { openException } from "@/server/db/exceptions";
import { importAlone } from "@/server/db/reconciliation/import";
import { NOBODY } from "@/server/domain/exceptions";
import { now } from "@/server/platform/clock";
import { sha256Hex } from "@/server/platform/crypto";
import { newId } from "@/server/platform/ids";
import { countRows, requireInvariants } from "@/server/testing/invariants";
import { balanceOf, makeMerchant, OPENING, payment, type TestMerchant } from "@/server/testing/merchant";
import { listExceptionsAcrossMerchants } from "../exceptions/list";
import { withoutIdempotency } from "../idempotency/completion";
import { asServiceError } from "../outage";
import { createPaymentIntent } from "../payments/create";
import { simulate } from "../sandbox/simulate";
import { confirmJournalEntry, rejectJournalEntry } from "./decide";
import { listJournalEntries } from "./list";
import { type JournalEntryInput, proposeJournalEntry } from "./propose";

const CREDIT: JournalEntryInput = {
  from: "provider_clearing",
  to: "available",
  currency: "BRL",
  amount: "1050",
  provider: "acme",
  evidence: "Settlement of 2026-11-20, line A-7, confirmed by the provider by mail.",
  exceptionId: null,
  about: null,
  isAdditional: false,
};

let merchant: TestMerchant;
beforeEach(async () => {
  merchant = await makeMerchant();
});
afterEach(async () => {
  await requireInvariants();
});

const propose = (change: Partial<JournalEntryInput> = {}) =>
  proposeJournalEntry(merchant.scope, "Maria Lopez", { ...CREDIT, ...change });

async function opened(merchantId: string, prefix = "line:"): Promise<string> {
  const objectId = newId("paymentIntent");
  const fact = { kind: "missing_internal", objectId, fact: `${prefix}${sha256Hex(objectId)}`, detail: {} } as const;
  await openException({ ...fact, scope: { ...merchant.scope, merchantId } }, now());
  const { exceptions } = await listExceptionsAcrossMerchants({ merchantId, openOnly: true });
  return exceptions.find((one) => one.objectId === objectId)?.id ?? "";
}

describe("a journal entry", () => {
  it("is booked when another operator confirms it, with the evidence in the audit log", async () => {
    const { id } = await propose();
    expect(await balanceOf(merchant)).toEqual([OPENING, 0n]);
    expect(await confirmJournalEntry(id, "Jan Novak")).toMatchObject({ state: "confirmed", decidedBy: "jan novak" });
    expect(await balanceOf(merchant)).toEqual([OPENING + 1050n, 0n]);
    const audit = await query(
      "SELECT action, actor_type, actor_id, reason FROM audit_entry WHERE object_id = $1 ORDER BY id",
      id,
    );
    const byJan = { actor_type: "operator", actor_id: "jan novak" };
    expect(audit).toEqual([
      { action: "journal.propose", actor_type: "operator", actor_id: "maria lopez", reason: null },
      { action: "journal.confirm", ...byJan, reason: null },
      { action: "journal.book", ...byJan, reason: CREDIT.evidence },
    ]);
  });

  it.each(["Maria Lopez", " maria  LOPEZ"])("is not confirmed by its proposer as %j", async (name) => {
    const { id } = await propose();
    await expect(confirmJournalEntry(id, name)).rejects.toMatchObject({ code: "approval_required" });
    expect(await balanceOf(merchant)).toEqual([OPENING, 0n]);
  });

  it("is confirmed once despite simultaneous requests, and not after its rejection", async () => {
    const { id } = await propose();
    const names = ["Jan Novak", "Eva Holm", "Ola Berg"];
    const results = await Promise.allSettled(names.map((name) => confirmJournalEntry(id, name)));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await balanceOf(merchant)).toEqual([OPENING + 1050n, 0n]);
    const rejected = await propose();
    await rejectJournalEntry(rejected.id, "Maria Lopez");
    await expect(confirmJournalEntry(rejected.id, "Jan Novak")).rejects.toMatchObject({ code: "validation_failed" });
    const { entries } = await listJournalEntries({ merchantId: merchant.merchantId, openOnly: false });
    expect(entries.map(({ state }) => state)).toEqual(["confirmed", "rejected"]);
  });

  it("cannot overdraw the wallet, and then stays open", async () => {
    const { id } = await propose({ from: "available", to: "fees", provider: null, amount: String(OPENING + 1n) });
    await expect(confirmJournalEntry(id, "Jan Novak")).rejects.toMatchObject({ code: "insufficient_balance" });
    const { entries } = await listJournalEntries({ merchantId: merchant.merchantId, openOnly: true });
    expect(entries.map((entry) => entry.id)).toEqual([id]);
    await rejectJournalEntry(id, "Jan Novak");
  });

  it("in a currency that the merchant does not have can only move money between the operator's accounts", async () => {
    await expect(propose({ currency: "USD" })).rejects.toMatchObject({ code: "validation_failed" });
    const { id } = await propose({ currency: "USD", to: "fees" });
    expect(await confirmJournalEntry(id, "Jan Novak")).toMatchObject({ state: "confirmed" });
  });

  it.each([
    ["to", { to: "provider_clearing" }],
    ["currency", { currency: "XXX" }],
    ["amount", { amount: "-1" }],
    ["provider", { provider: null }],
    ["provider", { from: "fees" }],
    ["evidence", { evidence: " " }],
  ] as const)("with an unfit %s is refused", async (field, change) => {
    await expect(propose(change)).rejects.toMatchObject({ message: expect.stringContaining(field) as string });
  });
});

describe("an exception", () => {
  it.each(["the merchant's", "nobody's"])("that is %s is resolved in the commit of the booking", async (whose) => {
    const exceptionId = await opened(whose === "nobody's" ? NOBODY : merchant.merchantId);
    // Of a payment that nobody knows.
    const { id } = await propose({ exceptionId, isAdditional: true });
    await confirmJournalEntry(id, "Jan Novak");
    const [exception] = await query("SELECT resolution, resolved_by_id FROM exception WHERE id = $1", exceptionId);
    expect(exception).toEqual({ resolution: `Journal entry ${id}.`, resolved_by_id: "jan novak" });
  });

  it("resolved meanwhile leaves the entry unbooked", async () => {
    const exceptionId = await opened(merchant.merchantId);
    const given = { exceptionId, isAdditional: true };
    const [first, second] = [await propose(given), await propose(given)];
    await confirmJournalEntry(first.id, "Jan Novak");
    await expect(confirmJournalEntry(second.id, "Jan Novak")).rejects.toMatchObject({ code: "validation_failed" });
    expect(await balanceOf(merchant)).toEqual([OPENING + 1050n, 0n]);
  });

  it("of a line waits for an import of its provider that runs; if that takes long, the confirmation is repeated", async () => {
    const exceptionId = await opened(NOBODY, "missing_internal:acme:");
    const { id } = await propose({ exceptionId, isAdditional: true });
    const confirm = () => confirmJournalEntry(id, "Jan Novak").catch((error: unknown) => asServiceError(error)?.code);
    const running = { provider: "acme", environment: "test", merchantId: null } as const;
    expect(await importAlone(running, confirm)).toBe("service_unavailable");
    expect(await balanceOf(merchant)).toEqual([OPENING, 0n]);
    expect(await confirmJournalEntry(id, "Jan Novak")).toMatchObject({ state: "confirmed" });
  });

  it("of another merchant is not found, and one with money in suspense must be settled instead", async () => {
    const other = await makeMerchant();
    const foreign = propose({ exceptionId: await opened(other.merchantId) });
    await expect(foreign).rejects.toMatchObject({ code: "not_found" });
    const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
    for (const outcome of ["expired", "succeeded"]) await simulate(merchant.context, intent.id, outcome);
    const { exceptions } = await listExceptionsAcrossMerchants({ merchantId: merchant.merchantId, openOnly: true });
    const inSuspense = propose({ exceptionId: exceptions[0]?.id ?? "" });
    await expect(inSuspense).rejects.toMatchObject({ code: "validation_failed" });
  });
});

it("the database rejects a journal entry of one person", async () => {
  const { id } = await propose();
  const { merchantId } = merchant;
  const insert = (key: string) =>
    query(
      `INSERT INTO ledger_transaction (merchant_id, id, environment, reason, unique_key, created_at)
       VALUES ($1, $2, 'test', 'journal', $3, now())`,
      merchantId,
      newId("ledgerTransaction"),
      key,
    );
  await expect(insert(`journal:${id}`)).rejects.toThrow("journal_is_confirmed");
  const alone = query(
    "UPDATE journal_entry SET state = 'confirmed', decided_by_id = 'MARIA lopez', decided_at = now() WHERE id = $1",
    id,
  );
  await expect(alone).rejects.toThrow("journal_entry_two_people");
  expect(await countRows("ledger_transaction", merchantId)).toBe(1);
});
