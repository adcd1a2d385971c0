// Entries beside lines of settlement files: what an entry took back or booked is not matched, charged or banked as well, nor the reverse.
import { Client } from "pg";
import { afterEach, describe, expect, it } from "vitest";
import { now } from "@/server/platform/clock";
import { env } from "@/server/platform/env";
import { newId } from "@/server/platform/ids";
import { requireInvariants } from "@/server/testing/invariants";
import { makeLiveMerchant } from "@/server/testing/merchant";
import { resolveException } from "../exceptions/decide";
import { sumPeriod } from "../reconciliation/totals";
import { confirmRefund } from "../refunds/decide";
import { confirmJournalEntry } from "./decide";
import { type JournalEntryInput, proposeJournalEntry } from "./propose";
import {
  clearingOf,
  exceptionOfLine,
  importNothing,
  importRows,
  makePaid,
  makePayment,
  openExceptions,
  openKinds,
  reportPaid,
  row,
  uploadRows,
} from "./testing/beside";
import {
  balancesOf,
  bookFor,
  ENTRY,
  openException,
  proposeLateRefund,
  settleRefund,
  stageEntries,
} from "./testing/entries";

const stage = stageEntries();
afterEach(() => requireInvariants());

const book = (change: Partial<JournalEntryInput>, of = stage.merchant) => bookFor(of, change);
const balances = () => balancesOf(stage.merchant);
const clearing = () => clearingOf(stage.merchant);
const kinds = () => openKinds(stage.merchant.merchantId);
const ofLine = (kind: string, lineId: string) => exceptionOfLine(stage.merchant.merchantId, kind, lineId);
const OUT = { from: "available", to: "provider_clearing" } as const;
const FEE = { from: "fees", to: "provider_clearing" } as const;
const TRANSFER = { from: "bank", to: "provider_clearing" } as const;

/** A payment that is booked, and that the file of its time lacks. */
async function makeUnsettled() {
  const intent = await makePaid(stage);
  await importNothing();
  const exceptionId = await openException(stage.merchant.merchantId, "missing_external", intent.id);
  expect(exceptionId).not.toBe("");
  return { intent, exceptionId };
}

const paymentLine = (reference: string, more: Partial<Parameters<typeof row>[0]> = {}) =>
  row({ lineId: newId("event"), kind: "payment", amount: 1050, reference, ...more });

describe("a movement that entries took back, since no file had it", () => {
  it("asks a person when its line comes, also if they named the payment and not its exception", async () => {
    const { intent, exceptionId } = await makeUnsettled();
    await resolveException(stage.merchant.byMember(), exceptionId, "The provider says that it never had it.");
    expect(await book({ ...OUT, about: intent.id })).toBe("confirmed");
    const [lineId, batch] = [newId("event"), newId("event")];
    const { lines, linesBanked } = await importRows(
      paymentLine(intent.dispatchReference, { lineId, batch }),
      row({ lineId: `${lineId}-bank`, kind: "bank_credit", amount: 1050, batch }),
    );
    expect(lines[0]?.verdict).toBe("missing_internal");
    expect(linesBanked).toBe(0);
    expect(await kinds()).toEqual(["missing_internal"]);
    expect(await clearing()).toBe(0n);
  });

  it("in part is compared with its line as what is left", async () => {
    const { intent, exceptionId } = await makeUnsettled();
    expect(await book({ ...OUT, amount: "50", exceptionId })).toBe("confirmed");
    const { lines, feesBooked } = await importRows(paymentLine(intent.dispatchReference, { amount: 1000, fee: 12 }));
    expect([lines[0]?.verdict, feesBooked]).toEqual(["matched", 1]);
    expect(await balances()).toMatchObject({ fees: -12n, "provider_clearing:scripted": -988n });
    expect(await kinds()).toEqual([]);
  });

  it("and brought back by another entry asks a person when its line comes", async () => {
    const { intent, exceptionId } = await makeUnsettled();
    expect(await book({ ...OUT, exceptionId })).toBe("confirmed");
    expect(await book({ about: intent.id, isAdditional: true })).toBe("confirmed");
    const lineId = newId("event");
    const { lines } = await importRows(paymentLine(intent.dispatchReference, { lineId }));
    expect(lines[0]?.verdict).toBe("missing_internal");
    expect(await book({ exceptionId: await ofLine("missing_internal", lineId) })).toBe("validation_failed");
    expect(await clearing()).toBe(-1050n);
  });

  it("asks a person when its line comes if it is a refund's", async () => {
    const { refund } = await proposeLateRefund(stage);
    await confirmRefund(stage.merchant.byMember(), refund.id);
    await settleRefund(stage.merchant, refund.id);
    await importNothing();
    const missing = (await openExceptions(stage.merchant.merchantId)).filter(({ kind }) => kind === "missing_external");
    const timeOf = ({ detail }: (typeof missing)[number]) => detail["booked_at"] ?? "";
    const out = missing.toSorted((a, b) => timeOf(a).localeCompare(timeOf(b))).at(-1);
    expect(await book({ exceptionId: out?.id ?? "", isAdditional: true })).toBe("confirmed");
    const before = await balances();
    const { lines } = await importRows(
      row({ lineId: newId("event"), kind: "refund", amount: 1050, reference: refund.reference }),
    );
    expect(lines[0]?.verdict).toBe("missing_internal");
    expect(await balances()).toEqual(before);
  });

  it.each([
    ["in part", "50", 1000n],
    ["whole", "1050", 0n],
  ])("%s is unsettled in the totals of its time only with what is left", async (_, amount, left) => {
    const { exceptionId } = await makeUnsettled();
    const period = { from: new Date(now().getTime() - 600_000), to: new Date(now().getTime() + 60_000) };
    const unsettled = async () => (await sumPeriod(stage.merchant.scope, period)).result[0]?.unsettled.amount ?? 0n;
    expect(await unsettled()).toBe(1050n);
    expect(await book({ ...OUT, amount, exceptionId })).toBe("confirmed");
    expect(await unsettled()).toBe(left);
  });

  it("is either taken back or found when both happen at the same moment", async () => {
    const { intent, exceptionId } = await makeUnsettled();
    const { id } = await proposeJournalEntry(stage.merchant.scope, "Maria", { ...ENTRY, ...OUT, exceptionId });
    const gate = new Client({ connectionString: env().databaseUrl ?? "" });
    await gate.connect();
    const waiting = async (count: number) => {
      const sql =
        "SELECT count(*)::int AS n FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE NOT l.granted AND a.datname = current_database()";
      for (let round = 0; round < 1_000; round += 1) {
        if ((await gate.query<{ n: number }>(sql)).rows[0]?.n === count) return;
        await new Promise((done) => setTimeout(done, 10));
      }
    };
    try {
      // The import has judged its line and is about to store it.
      await gate.query("BEGIN; LOCK TABLE settlement_line IN EXCLUSIVE MODE");
      const imported = importRows(paymentLine(intent.dispatchReference));
      await waiting(1);
      const confirmed = confirmJournalEntry(id, "Jan").then(
        ({ state }) => state,
        (error: { code: string }) => error.code,
      );
      await Promise.race([confirmed, waiting(2)]);
      await gate.query("COMMIT");
      expect((await imported).lines[0]?.verdict).toBe("matched");
      expect(await confirmed).toBe("validation_failed");
    } finally {
      await gate.end();
    }
    expect(await clearing()).toBe(-1050n);
  });
});

describe("a bank line", () => {
  it("that was booked by hand keeps its batch from being banked, also once its provider has corrected it", async () => {
    const intent = await makePaid(stage);
    const [lineId, batch] = [newId("event"), newId("event")];
    const line = paymentLine(intent.dispatchReference, { batch });
    const part = { lineId, kind: "bank_credit", amount: 600, batch } as const;
    await importRows(line, row(part));
    const exceptionId = await exceptionOfLine("", "missing_internal", lineId);
    expect(await book({ ...TRANSFER, amount: "600", exceptionId })).toBe("confirmed");
    const rest = row({ lineId: newId("event"), kind: "bank_credit", amount: 450, batch });
    const { linesBanked } = await importRows(line, row({ ...part, providerReference: "corrected" }), rest);
    expect(linesBanked).toBe(0);
    expect((await balances())["bank"]).toBe(-600n);
  });

  it("without a batch that has settled one file's lines settles no other file's", async () => {
    const [first, second] = [await makePaid(stage), await makePaid(stage)];
    const bank = row({ lineId: newId("event"), kind: "bank_credit", amount: 1050 });
    expect((await importRows(paymentLine(first.dispatchReference), bank)).linesBanked).toBe(1);
    expect((await importRows(bank, paymentLine(second.dispatchReference))).linesBanked).toBe(0);
    expect((await balances())["bank"]).toBe(-1050n);
  });

  it("settles a line of its own file that the books have later", async () => {
    const intent = await makePayment(stage, "pending");
    const line = paymentLine(intent.dispatchReference);
    const bank = row({ lineId: newId("event"), kind: "bank_credit", amount: 1050 });
    expect((await importRows(line, bank)).linesBanked).toBe(0);
    await reportPaid(intent);
    expect((await importRows(line, bank)).linesBanked).toBe(1);
    expect((await balances())["bank"]).toBe(-1050n);
    expect(await clearing()).toBe(0n);
  });
});

describe("a line that comes before its movement, beside another one of the same payment", () => {
  const twoLines = (reference: string) =>
    [1050, 550].map((amount) => row({ lineId: newId("event"), kind: "payment", amount, fee: 12, reference }));

  it("is matched once the money is reported, charged, and needs nobody", async () => {
    const intent = await makePaid(stage);
    const rows = twoLines(intent.dispatchReference);
    expect((await importRows(...rows)).lines.map(({ verdict }) => verdict)).toEqual(["matched", "duplicate"]);
    await reportPaid(intent, "550", { provider_reference: "px-2" });
    const { lines, feesBooked, exceptionsResolved } = await importRows(...rows);
    expect(lines.map(({ verdict }) => verdict)).toEqual(["matched", "matched"]);
    expect([feesBooked, exceptionsResolved]).toEqual([1, 1]);
    expect((await balances())["fees"]).toBe(-24n);
    expect(await kinds()).toEqual(["late_money"]);
  });

  it("stays a duplicate if people have booked it, and the report asks", async () => {
    const intent = await makePaid(stage);
    const rows = twoLines(intent.dispatchReference);
    const { lines } = await importRows(...rows);
    const exceptionId = await exceptionOfLine(stage.merchant.merchantId, "duplicate", lines[1]?.line.lineId ?? "");
    expect(await book({ exceptionId, amount: "550" })).toBe("confirmed");
    await reportPaid(intent, "550", { provider_reference: "px-2" });
    const again = await importRows(...rows);
    expect(again.lines.map(({ verdict }) => verdict)).toEqual(["matched", "duplicate"]);
    expect(await clearing()).toBe(-1050n - 550n + 12n);
    expect(await kinds()).toEqual(["ambiguous_receipt"]);
  });
});

describe("a line that its provider corrects", () => {
  it.each(["names no payment", "names a payment"])("is booked by hand once, if it %s", async (what) => {
    const line = { lineId: newId("event"), kind: "payment", amount: 1050 } as const;
    await importRows(row(line));
    const first = await exceptionOfLine("", "missing_internal", line.lineId);
    expect(await book({ exceptionId: first })).toBe("confirmed");
    const isNamed = what === "names a payment";
    const reference = isNamed ? (await makePayment(stage, "declined")).dispatchReference : "";
    await importRows(row({ ...line, reference, providerReference: "corrected" }));
    const owner = isNamed ? stage.merchant.merchantId : "";
    const second = await exceptionOfLine(owner, "duplicate", line.lineId);
    expect(second).not.toBe("");
    // Another sum, so that it is no equal entry.
    expect(await book({ exceptionId: second, amount: "1040" })).toBe("validation_failed");
    expect(await clearing()).toBe(-1050n);
  });

  it.each(["uploaded first", "only imported"])("is charged once if it is a fee that was %s", async (how) => {
    const { dispatchReference: reference } = await makePaid(stage);
    const fee = { lineId: newId("event"), kind: "fee", amount: 40, reference } as const;
    const said = row(fee);
    if (how === "uploaded first") await uploadRows(stage.merchant, said);
    expect((await importRows(said)).feesBooked).toBe(1);
    const { lines, feesBooked } = await importRows(row({ ...fee, providerReference: "corrected" }));
    expect([lines[0]?.verdict, feesBooked]).toEqual(["duplicate", 0]);
    expect((await balances())["fees"]).toBe(-40n);
  });
});

it("a fee of nobody's that a member uploaded, too, is booked by hand for one merchant", async () => {
  await makePaid(stage);
  const other = await makeLiveMerchant();
  const lineId = newId("event");
  const fee = row({ lineId, kind: "fee", amount: 40 });
  await importRows(fee);
  await uploadRows(stage.merchant, fee);
  const nobodys = await exceptionOfLine("", "unassigned_fee", lineId);
  const theirs = await ofLine("unassigned_fee", lineId);
  expect([nobodys, theirs]).not.toContain("");
  expect(await book({ ...FEE, amount: "40", exceptionId: nobodys }, other)).toBe("confirmed");
  expect(await book({ ...FEE, amount: "40", exceptionId: theirs })).toBe("validation_failed");
});

describe("what an import will book is not booked by hand", () => {
  it("by the exception of an uploaded line: its fee", async () => {
    const { dispatchReference: reference } = await makePaid(stage);
    const lineId = newId("event");
    const line = paymentLine(reference, { lineId, amount: 1000, fee: 12 });
    await uploadRows(stage.merchant, line);
    const exceptionId = await ofLine("amount_mismatch", lineId);
    expect(exceptionId).not.toBe("");
    expect(await book({ ...FEE, amount: "12", exceptionId })).toBe("validation_failed");
    expect((await importRows(line)).feesBooked).toBe(1);
    expect((await balances())["fees"]).toBe(-12n);
  });

  it("by the exception of a line of another sum: its transfer", async () => {
    const { dispatchReference: reference } = await makePaid(stage);
    const [lineId, batch] = [newId("event"), newId("event")];
    const line = paymentLine(reference, { lineId, amount: 1000, batch });
    await importRows(line);
    const exceptionId = await ofLine("amount_mismatch", lineId);
    expect(await book({ ...TRANSFER, amount: "1000", exceptionId })).toBe("validation_failed");
    const bank = row({ lineId: newId("event"), kind: "bank_credit", amount: 1000, batch });
    expect((await importRows(line, bank)).linesBanked).toBe(1);
    expect((await balances())["bank"]).toBe(-1000n);
  });

  it("by the exception of a movement that no file had: its transfer", async () => {
    const { intent, exceptionId } = await makeUnsettled();
    expect(await book({ ...TRANSFER, exceptionId })).toBe("validation_failed");
    const batch = newId("event");
    const bank = row({ lineId: newId("event"), kind: "bank_credit", amount: 1050, batch });
    expect((await importRows(paymentLine(intent.dispatchReference, { batch }), bank)).linesBanked).toBe(1);
    expect((await balances())["bank"]).toBe(-1050n);
  });

  it("by the exception of a report in doubt: its fee", async () => {
    const intent = await makePaid(stage);
    await reportPaid(intent, "1050", { provider_reference: null });
    const exceptionId = await openException(stage.merchant.merchantId, "ambiguous_receipt");
    expect(exceptionId).not.toBe("");
    expect(await book({ ...FEE, amount: "12", exceptionId })).toBe("validation_failed");
    await importRows(paymentLine(intent.dispatchReference, { fee: 12 }));
    expect((await balances())["fees"]).toBe(-12n);
  });
});

describe("a charge-back that was booked by hand", () => {
  const lost = (reference: string, lineId: string, amount = 1050) =>
    row({ lineId, kind: "refund", amount, reference, providerReference: `cb-${lineId}` });

  it("leaves the payment to its own line, which comes later", async () => {
    const { dispatchReference: reference } = await makePaid(stage);
    const lineId = newId("event");
    await importRows(lost(reference, lineId));
    const exceptionId = await ofLine("missing_internal", lineId);
    expect(await book({ ...OUT, exceptionId })).toBe("confirmed");
    const { lines } = await importRows(paymentLine(reference));
    expect([lines[0]?.verdict, await clearing()]).toEqual(["matched", 0n]);
  });

  it("is booked again by a second one of the same sum only if operators say that it is another", async () => {
    const { dispatchReference: reference } = await makePaid(stage);
    const [first, second] = [newId("event"), newId("event")];
    await importRows(lost(reference, first, 400), lost(reference, second, 400));
    const [one, other] = [await ofLine("missing_internal", first), await ofLine("missing_internal", second)];
    expect(await book({ ...OUT, amount: "400", exceptionId: one })).toBe("confirmed");
    expect(await book({ ...OUT, amount: "400", exceptionId: other })).toBe("validation_failed");
    expect(await book({ ...OUT, amount: "400", exceptionId: other, isAdditional: true })).toBe("confirmed");
    expect(await clearing()).toBe(-250n);
  });
});
