// Settlement lines and reports beside what people, members and earlier files have said: nothing is booked twice, and nothing in silence.
import { describe, expect, it } from "vitest";
import { findRefund, type StoredRefund } from "@/server/db/suspense-refunds";
import { valueOf } from "@/server/domain/topup-funds";
import { now } from "@/server/platform/clock";
import { newId } from "@/server/platform/ids";
import { makeLiveMerchant, payment } from "@/server/testing/merchant";
import { installScriptedProviders } from "@/server/testing/scripted-provider";
import { scriptedTopup } from "@/server/testing/topup";
import { applyUpdate } from "../callbacks/apply-update";
import { resolveException } from "../exceptions/decide";
import { settleException } from "../exceptions/settle";
import { withoutIdempotency } from "../idempotency/completion";
import { type AnyIntent, findAnyIntent } from "../intent-kinds";
import { followUp } from "../intents/follow-up";
import { createPaymentIntent } from "../payments/create";
import { PAYMENTS } from "../payments/kind";
import { sumFile, sumPeriod } from "../reconciliation/totals";
import { confirmRefund } from "../refunds/decide";
import { pollRefund } from "../refunds/follow-up";
import type { JournalEntryInput } from "./propose";
import {
  clearingOf,
  exceptionOfLine,
  importNothing,
  importPart,
  importRows,
  makePaid,
  makePayment,
  makePayout,
  openExceptions,
  openKinds,
  report,
  reportPaid,
  row,
  uploadRows,
} from "./testing/beside";
import { balancesOf, bookFor, openException, proposeLateRefund, settleRefund, stageEntries } from "./testing/entries";

const stage = stageEntries();
const book = (change: Partial<JournalEntryInput>, of = stage.merchant) => bookFor(of, change);
const balances = () => balancesOf(stage.merchant);
const clearing = () => clearingOf(stage.merchant);
const kinds = () => openKinds(stage.merchant.merchantId);
const ofLine = (kind: string, lineId: string) => exceptionOfLine(stage.merchant.merchantId, kind, lineId);
const OUT = { from: "available", to: "provider_clearing" } as const;
const FEE = { from: "fees", to: "provider_clearing" } as const;
const TRANSFER = { from: "bank", to: "provider_clearing" } as const;
const line = (reference: string, more: Partial<Parameters<typeof row>[0]> = {}) =>
  row({ lineId: newId("event"), kind: "payment", amount: 1050, reference, ...more });

/** A person answers every open exception of the merchant. */
async function answerAll(): Promise<void> {
  for (const one of await openExceptions(stage.merchant.merchantId)) {
    const by = stage.merchant.byMember();
    await resolveException(by, one.id, "Answered.").catch(() => settleException(by, one.id, "credit", "Answered."));
  }
}

/** A payment with two receipts of 10.50 BRL. */
async function makePaidTwice() {
  const intent = await makePayment(stage, "pending");
  for (const receiptId of ["r-1", "r-2"]) {
    const current = (await findAnyIntent(stage.merchant.merchantId, intent.id)) as AnyIntent;
    await applyUpdate(stage.merchant.context, current, [
      { kind: "succeeded", receiptId, amount: 1050n, currency: "BRL", providerReference: "px-1" },
    ]);
  }
  await answerAll();
  expect(await clearing()).toBe(-2100n);
  return intent;
}

describe("what entries took back of one movement", () => {
  it("is not taken from an equal one that a line has settled", async () => {
    const intent = await makePaidTwice();
    expect((await importRows(line(intent.dispatchReference))).lines[0]?.verdict).toBe("matched");
    expect(await kinds()).toEqual(["missing_external"]);
    await answerAll();
    expect(await book({ ...OUT, about: intent.id })).toBe("confirmed");
    expect(await clearing()).toBe(-1050n);
    const { lines } = await importRows(line(intent.dispatchReference));
    expect([lines[0]?.verdict, await kinds()]).not.toEqual(["matched", []]);
  });

  it("a part: is not taken from the one that a line has settled", async () => {
    const intent = await makePayment(stage, "declined");
    await reportPaid(intent, "1050", { provider_reference: "px-1" });
    await reportPaid(intent, "2000", { provider_reference: "px-2" });
    await answerAll();
    expect(await clearing()).toBe(-3050n);
    await importRows(line(intent.dispatchReference, { amount: 2000 }));
    await answerAll();
    expect(await book({ ...OUT, amount: "50", about: intent.id })).toBe("confirmed");
    // 1050 is left of nothing: the books have 1000 of it.
    const { lines } = await importRows(line(intent.dispatchReference, { amount: 1050 }));
    expect([lines[0]?.verdict, await kinds()]).not.toEqual(["matched", []]);
  });
});

describe("a bank line settles the lines of one file", () => {
  it("with a batch: not those of its batch in another file as well", async () => {
    const [first, second] = [await makePaid(stage), await makePaid(stage)];
    const batch = newId("event");
    const bank = row({ lineId: newId("event"), kind: "bank_credit", amount: 1050, batch });
    expect((await importPart(line(first.dispatchReference, { batch }), bank)).linesBanked).toBe(1);
    await importPart(bank, line(second.dispatchReference, { batch }));
    expect((await balances())["bank"]).toBe(-1050n);
  });

  it("without a batch: not a line that an earlier file had without it", async () => {
    const [first, second] = [await makePaid(stage), await makePaid(stage)];
    const bank = row({ lineId: newId("event"), kind: "bank_credit", amount: 1050 });
    const other = line(second.dispatchReference);
    expect((await importPart(other)).linesBanked).toBe(0);
    expect((await importPart(line(first.dispatchReference), bank)).linesBanked).toBe(1);
    await importPart(bank, other);
    expect((await balances())["bank"]).toBe(-1050n);
  });
});

describe("a line that only members uploaded, that is booked by hand, and that its provider corrects", () => {
  it("a bank line is not banked as well", async () => {
    const intent = await makePaid(stage);
    const [lineId, batch] = [newId("event"), newId("event")];
    const payment = line(intent.dispatchReference, { batch });
    const part = { lineId, kind: "bank_credit", amount: 1050, batch } as const;
    await uploadRows(stage.merchant, row(part));
    const exceptionId = await ofLine("missing_internal", lineId);
    expect(exceptionId).not.toBe("");
    expect(await book({ ...TRANSFER, exceptionId })).toBe("confirmed");
    await importRows(payment, row({ ...part, providerReference: "corrected" }));
    expect((await balances())["bank"]).toBe(-1050n);
  });

  it("nobody's fee that gets a reference later is not charged as well", async () => {
    const intent = await makePaid(stage);
    const fee = { lineId: newId("event"), kind: "fee", amount: 40 } as const;
    await uploadRows(stage.merchant, row(fee));
    const exceptionId = await ofLine("unassigned_fee", fee.lineId);
    expect(exceptionId).not.toBe("");
    expect(await book({ ...FEE, amount: "40", exceptionId })).toBe("confirmed");
    await importRows(row({ ...fee, reference: intent.dispatchReference }));
    expect((await balances())["fees"]).toBe(-40n);
  });

  it("is not matched in silence once it names a payment", async () => {
    await makePaid(stage);
    const one = { lineId: newId("event"), kind: "payment", amount: 1050 } as const;
    await uploadRows(stage.merchant, row(one));
    const exceptionId = await ofLine("missing_internal", one.lineId);
    expect(await book({ exceptionId })).toBe("confirmed");
    const intent = await makePaid(stage);
    const { lines } = await importPart(row({ ...one, reference: intent.dispatchReference }));
    expect([lines[0]?.verdict, await kinds()]).not.toEqual(["matched", []]);
  });
});

it("a line without a fee that a member uploaded and the operator imported names its id for the operator, too", async () => {
  const intent = await makePaidTwice();
  const [lineId, batch] = [newId("event"), newId("event")];
  const said = line(intent.dispatchReference, { lineId, batch });
  await uploadRows(stage.merchant, said);
  const bank = row({ lineId: `${lineId}-b`, kind: "bank_credit", amount: 1050, batch });
  expect((await importPart(said, bank)).linesBanked).toBe(1);
  const corrected = line(intent.dispatchReference, { lineId, batch, providerReference: "corrected" });
  const { lines, linesBanked } = await importPart(corrected, bank);
  expect([lines[0]?.verdict, linesBanked, (await balances())["bank"]]).toEqual(["duplicate", 0, -1050n]);
});

describe("a top-up whose funds were gone", () => {
  it.each([1, 2])("asks if the file has all of it (1/%i was gone)", async (part) => {
    const topup = await scriptedTopup(stage.merchant);
    const money = { currency: topup.sourceCurrency, confirmed: true, provider_reference: null };
    const whole = topup.sourceAmount;
    await report(topup, { ...money, status: "funds_seen", amount: whole.toString() });
    const value = valueOf(whole, topup);
    expect(await clearing()).toBe(-value);
    await report(topup, { ...money, status: "funds_dropped", amount: (whole - whole / BigInt(part)).toString() });
    await settleException(
      stage.merchant.byMember(),
      await openException(stage.merchant.merchantId, "funds_dropped"),
      "recover",
      "Gone.",
    );
    const { lines } = await importRows(
      row({ lineId: newId("event"), kind: "topup", amount: value, reference: topup.dispatchReference, fee: 7 }),
    );
    expect([lines[0]?.verdict, await kinds()]).not.toEqual(["matched", []]);
  });

  it("matches the line of what was left", async () => {
    const topup = await scriptedTopup(stage.merchant);
    const money = { currency: topup.sourceCurrency, confirmed: true, provider_reference: null };
    const whole = topup.sourceAmount;
    await report(topup, { ...money, status: "funds_seen", amount: whole.toString() });
    await report(topup, { ...money, status: "funds_dropped", amount: (whole / 2n).toString() });
    await settleException(
      stage.merchant.byMember(),
      await openException(stage.merchant.merchantId, "funds_dropped"),
      "recover",
      "Gone.",
    );
    const left = -(await clearing());
    const { lines } = await importRows(
      row({ lineId: newId("event"), kind: "topup", amount: left, reference: topup.dispatchReference }),
    );
    expect(lines[0]?.verdict).toBe("matched");
  });
});

describe("a payout that was taken back by hand and is reported settled under a name that no report had", () => {
  it.each([
    ["psp-1", null],
    [null, "psp-1"],
  ])("asks (first %s, then %s)", async (first, then) => {
    const { intent } = await makePayout(stage);
    const tell = (reference: string | null) =>
      report(intent, { status: "settled", provider_reference: reference, amount: "25000", currency: "BRL" });
    await tell(first);
    await importNothing();
    await answerAll();
    expect(await book({ amount: "25000", about: intent.id })).toBe("confirmed");
    await tell(then);
    expect(await kinds()).not.toEqual([]);
  });
});

it("doubts about the reports of two providers are two questions", async () => {
  const { a, b } = installScriptedProviders("a", "b");
  const merchant = await makeLiveMerchant();
  a.answer = { kind: "never_accepted", detail: "unknown" } as never;
  a.answerToQuestion = a.answer;
  b.answer = { kind: "declined", message: null, providerReference: null } as never;
  const { intent } = await createPaymentIntent(merchant.context, payment({ amount: "1050" }), withoutIdempotency());
  const current = async () => (await findAnyIntent(merchant.merchantId, intent.id)) as AnyIntent;
  for (let n = 0; n < 3; n += 1) await followUp(PAYMENTS, (await current()).intent as never, now);
  const paid = async (provider: string, providerReference: string | null) =>
    applyUpdate(
      merchant.context,
      await current(),
      [{ kind: "succeeded", receiptId: null, amount: 1050n, currency: "BRL", providerReference }],
      { provider },
    );
  await paid("b", "px");
  await paid("a", "ax");
  await paid("a", null);
  for (const one of (await openExceptions(merchant.merchantId)).filter(({ kind }) => kind === "ambiguous_receipt"))
    await resolveException(merchant.byMember(), one.id, "The same money.");
  await paid("b", null);
  expect(await openKinds(merchant.merchantId)).toContain("ambiguous_receipt");
});

it("a refund that is reported returned while its payment is paid again is booked, or asks", async () => {
  for (let trial = 0; trial < 4; trial += 1) {
    stage.merchant = await makeLiveMerchant();
    const { intent, refund } = await proposeLateRefund(stage);
    await confirmRefund(stage.merchant.byMember(), refund.id);
    await settleRefund(stage.merchant, refund.id);
    const settled = (await findRefund(stage.merchant.scope, refund.id)) as StoredRefund;
    stage.refunding.reports.set(refund.reference, [
      { kind: "returned", amount: 1050n, currency: "BRL", providerReference: "ret" } as never,
    ]);
    const subject = (await findAnyIntent(stage.merchant.merchantId, intent.id)) as AnyIntent;
    const receipt = (n: number) => ({
      kind: "succeeded" as const,
      receiptId: null,
      amount: BigInt(2000 + n),
      currency: "BRL",
      providerReference: `again-${n}`,
    });
    // The callback about the refund is a hint: its provider is asked, once.
    await Promise.all([
      ...[1, 2, 3].map((n) => applyUpdate(stage.merchant.context, subject, [receipt(n)])),
      pollRefund(settled, now),
    ]);
    const state = (await findRefund(stage.merchant.scope, refund.id))?.state;
    const asked = (await kinds()).filter((kind) => kind === "ambiguous_receipt");
    expect([state, asked.length]).toEqual(["returned", 0]);
  }
});

describe("the totals of both sides agree", () => {
  it("for a file with a refund", async () => {
    const { intent, refund } = await proposeLateRefund(stage);
    await confirmRefund(stage.merchant.byMember(), refund.id);
    await settleRefund(stage.merchant, refund.id);
    const { file, lines } = await importRows(
      line(intent.dispatchReference),
      row({ lineId: newId("event"), kind: "refund", amount: 1050, reference: refund.reference }),
    );
    expect(lines.map(({ verdict }) => verdict)).toEqual(["matched", "matched"]);
    const [total] = await sumFile(stage.merchant.scope, { id: file.id, provider: "scripted" });
    expect(total?.theirs).toBe(total?.ours);
  });

  it("for a line that is matched with what is left of a movement", async () => {
    const intent = await makePaid(stage);
    await importNothing();
    const exceptionId = await openException(stage.merchant.merchantId, "missing_external", intent.id);
    expect(await book({ ...OUT, amount: "50", exceptionId })).toBe("confirmed");
    const { lines } = await importRows(line(intent.dispatchReference, { amount: 1000 }));
    expect(lines[0]?.verdict).toBe("matched");
    const period = { from: new Date(now().getTime() - 600_000), to: new Date(now().getTime() + 60_000) };
    const total = (await sumPeriod(stage.merchant.scope, period)).result[0];
    expect(total?.theirs).toBe(total?.ours);
  });
});

it("a batch with payouts, refunds and fees leaves nothing in clearing", async () => {
  const batch = newId("event");
  const { intent, tell } = await makePayout(stage);
  await tell("settled", "25000");
  const late = await proposeLateRefund(stage);
  await confirmRefund(stage.merchant.byMember(), late.refund.id);
  await settleRefund(stage.merchant, late.refund.id);
  const rows = [
    row({ lineId: newId("event"), kind: "payout", amount: 25000, fee: 10, reference: intent.dispatchReference, batch }),
    line(late.intent.dispatchReference, { fee: 3, batch }),
    row({ lineId: newId("event"), kind: "refund", amount: 1050, fee: 2, reference: late.refund.reference, batch }),
    row({ lineId: newId("event"), kind: "fee", amount: 5, reference: intent.dispatchReference, batch }),
    row({ lineId: newId("event"), kind: "bank_debit", amount: 25020, batch }),
  ];
  await importRows(...rows);
  await importRows(...rows);
  expect(await clearingOf(stage.merchant)).toBe(0n);
  expect((await balancesOf(stage.merchant))["bank"]).toBe(25020n);
});
