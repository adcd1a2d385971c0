// Reported totals of top-ups of which people have booked money, or settled a loss: each that the books may lack asks, and books nothing.
import { afterEach, describe, expect, it } from "vitest";
import { query } from "@/server/db/client";
import { onlyProvider } from "@/server/domain/routing";
import { sampleTopup } from "@/server/domain/testing/samples";
import { valueOf } from "@/server/domain/topup-funds";
import { decideTopupExpiry, QUOTE_LIFETIME_MS } from "@/server/domain/topup-intent";
import { now } from "@/server/platform/clock";
import { newId } from "@/server/platform/ids";
import { requireInvariants } from "@/server/testing/invariants";
import { makeLiveMerchant } from "@/server/testing/merchant";
import { expireTopup, scriptedTopup } from "@/server/testing/topup";
import { resolveException } from "../exceptions/decide";
import { settleException } from "../exceptions/settle";
import { recordCreation, recordTransition } from "../intents/transition";
import { TOPUPS } from "../topups/kind";
import type { JournalEntryInput } from "./propose";
import { clearingOf, exceptionOfLine, importNothing, importRows, openKinds, report, row } from "./testing/beside";
import { balancesOf, bookFor, openException, stageEntries } from "./testing/entries";

const stage = stageEntries();
afterEach(() => requireInvariants());

const book = (change: Partial<JournalEntryInput>, of = stage.merchant) => bookFor(of, change);
const balances = () => balancesOf(stage.merchant);
const clearing = () => clearingOf(stage.merchant);
const kinds = () => openKinds(stage.merchant.merchantId);
const open = (kind: string, objectId: string | null = null) => openException(stage.merchant.merchantId, kind, objectId);
const OUT = { from: "available", to: "provider_clearing" } as const;

async function makeTopup() {
  const topup = await scriptedTopup(stage.merchant);
  const money = { currency: topup.sourceCurrency, confirmed: true, provider_reference: null };
  const tell = (status: "funds_seen" | "funds_dropped", amount: bigint) =>
    report(topup, { ...money, status, amount: amount.toString() });
  const { sourceAmount: whole, dispatchReference: reference } = topup;
  return { id: topup.id, reference, tell, whole, value: (amount: bigint) => valueOf(amount, topup) };
}

/** Its funds came in time, so they are credited. */
async function makeFunded() {
  const topup = await makeTopup();
  await topup.tell("funds_seen", topup.whole);
  expect(await clearing()).toBe(-topup.value(topup.whole));
  return topup;
}

/** Its funds are gone. */
async function makeDropped() {
  const topup = await makeFunded();
  await topup.tell("funds_dropped", 0n);
  expect(await clearing()).toBe(0n);
  const recover = async () =>
    settleException(stage.merchant.byMember(), await open("funds_dropped"), "recover", "The funds are gone.");
  return { ...topup, recover };
}

/** Operators book what the question about a total asks about. */
async function bookAsked(amount: bigint): Promise<void> {
  const exceptionId = await open("ambiguous_receipt");
  expect(await book({ amount: amount.toString(), exceptionId, isAdditional: true })).toBe("confirmed");
  expect(await kinds()).toEqual([]);
}

describe("a repeated report of the same total does not undo an entry", () => {
  it("that corrected the credit to the sum of the file's line", async () => {
    const { tell, whole, value, reference } = await makeFunded();
    const lineId = newId("event");
    await importRows(row({ lineId, kind: "topup", amount: value(whole) - 500n, reference }));
    const exceptionId = await exceptionOfLine(stage.merchant.merchantId, "amount_mismatch", lineId);
    expect(exceptionId).not.toBe("");
    const correction = { from: "fx_spread", to: "provider_clearing", amount: "500", exceptionId } as const;
    expect(await book(correction)).toBe("confirmed");
    const before = await balances();
    for (let time = 0; time < 2; time += 1) await tell("funds_seen", whole);
    expect(await balances()).toEqual(before);
    expect(await kinds()).toEqual(["ambiguous_receipt"]);
  });

  it("that took the credit back, since no file has it", async () => {
    const { id, tell, whole, value } = await makeFunded();
    await importNothing();
    const exceptionId = await open("missing_external", id);
    expect(exceptionId).not.toBe("");
    expect(await book({ ...OUT, amount: value(whole).toString(), exceptionId })).toBe("confirmed");
    const before = await balances();
    for (let time = 0; time < 2; time += 1) await tell("funds_seen", whole);
    expect(await balances()).toEqual(before);
    expect(await kinds()).toEqual(["ambiguous_receipt"]);
  });
});

describe("funds that come again", () => {
  it("in two parts after their loss was written off ask a person each time", async () => {
    const { tell, whole, value, recover } = await makeDropped();
    await recover();
    await tell("funds_seen", whole / 2n);
    await bookAsked(value(whole / 2n));
    const before = await balances();
    await tell("funds_seen", whole);
    expect(await balances()).toEqual(before);
    expect(await kinds()).toEqual(["ambiguous_receipt"]);
  });

  it("before their loss was settled ask a person", async () => {
    const { tell, whole, recover } = await makeDropped();
    await tell("funds_seen", whole);
    expect(await kinds()).toEqual(["ambiguous_receipt", "funds_dropped"]);
    await recover();
    expect(await clearing()).toBe(0n);
    expect(await kinds()).toEqual(["ambiguous_receipt"]);
  });

  it("and further ones ask a person also after a repeated report was found to be booked", async () => {
    const { tell, whole, value, recover } = await makeDropped();
    await recover();
    await tell("funds_seen", whole);
    await bookAsked(value(whole));
    const more = whole + whole / 10n;
    await tell("funds_seen", more);
    await bookAsked(value(more) - value(whole));
    await tell("funds_seen", more);
    const repeated = await open("ambiguous_receipt");
    if (repeated !== "") await resolveException(stage.merchant.byMember(), repeated, "It is booked.");
    const before = await balances();
    await tell("funds_seen", whole + whole / 5n);
    expect(await balances()).toEqual(before);
    expect(await kinds()).toEqual(["ambiguous_receipt"]);
  });
});

it("what another provider has of a top-up is not dropped by its own provider", async () => {
  const topup = await scriptedTopup(stage.merchant, { isOver: true });
  await expireTopup(stage.merchant, topup);
  const amount = valueOf(topup.sourceAmount, topup).toString();
  expect(await book({ provider: "other", amount, about: topup.id, isAdditional: true })).toBe("confirmed");
  const before = await balances();
  const nothing = { amount: "0", currency: topup.sourceCurrency, confirmed: true, provider_reference: null };
  await report(topup, { status: "funds_dropped", ...nothing });
  expect(await balances()).toEqual(before);
  expect(await kinds()).toEqual([]);
});

it("funds in another token, which is the wallet's currency, are not booked by their report once they are by hand", async () => {
  const merchant = await makeLiveMerchant("USDT");
  const createdAt = new Date(now().getTime() - QUOTE_LIFETIME_MS);
  const topup = sampleTopup("requires_payment", {
    ...merchant.scope,
    id: newId("topupIntent"),
    provider: "scripted",
    routing: onlyProvider("scripted"),
    destinationCurrency: "USDT",
    destinationAmount: 100_000_000n,
    spreadAmount: 500_000n,
    sourceCurrency: "BTC",
    sourceAmount: 167_500n,
    feeAmount: 100n,
    rate: "60000.000000",
    createdAt,
    updatedAt: createdAt,
    expiresAt: new Date(createdAt.getTime() + QUOTE_LIFETIME_MS),
  });
  const { context } = merchant;
  expect(await recordCreation(TOPUPS, topup, [], { context })).toBe("committed");
  const expire = { context, at: now() };
  await recordTransition(TOPUPS, topup, (current) => decideTopupExpiry(current, now()), expire);
  const lineId = newId("event");
  const sent = { amount: 50_000_000, currency: "USDT" };
  await importRows(row({ ...sent, lineId, kind: "topup", reference: topup.dispatchReference }));
  const exceptionId = await exceptionOfLine(merchant.merchantId, "missing_internal", lineId);
  expect(exceptionId).not.toBe("");
  const amount = sent.amount.toString();
  expect(await book({ currency: "USDT", amount, exceptionId }, merchant)).toBe("confirmed");
  const seen = { amount, currency: "USDT", confirmed: true, provider_reference: null };
  await report(topup, { status: "funds_seen", ...seen });
  const [account] = await query<{ balance: string }>(
    `SELECT balance::text FROM ledger_account
     WHERE merchant_id = $1 AND environment = 'live' AND kind = 'provider_clearing:scripted' AND currency = 'USDT'`,
    merchant.merchantId,
  );
  expect(account?.balance).toBe(`-${amount}`);
  expect(await openKinds(merchant.merchantId)).toEqual(["ambiguous_receipt"]);
});
