// Tests what the lines of a settlement file move on the operator's bank account, and whether its bank lines say so.
import { describe, expect, it } from "vitest";
import { bankedLines, type JudgedLine, judgeLines, type NamedIntent, newlyBanked } from "./reconciliation";
import { bankDifference, isBankLine, isSameBatch, netOf } from "./reconciliation-bank";
import { LINE_KINDS, LINE_VERDICTS, type LineKind, type SettlementLine } from "./settlement-line";

let row = 1;
function line(kind: LineKind, amount: bigint, changes: Partial<SettlementLine> = {}): SettlementLine {
  row += 1;
  const settledAt = new Date("2026-11-20T10:00:00.000Z");
  const names = { row, digest: `d${row}`, lineId: `L${row}`, reference: null, providerReference: null };
  return { ...names, kind, amount, currency: "BRL", fee: 0n, settledAt, batch: null, ...changes };
}

it.each<[LineKind, bigint]>([
  ["payment", 97n],
  ["topup", 97n],
  ["payout", -103n],
  ["refund", -103n],
  ["fee", -103n],
])("a line about a %s of 100 with a fee of 3 adds %i to the bank account", (kind, net) => {
  expect(netOf(line(kind, 100n, { fee: 3n }))).toBe(net);
});

it("bank lines are those about the bank account", () => {
  expect(LINE_KINDS.filter((kind) => isBankLine({ kind }))).toEqual(["bank_credit", "bank_debit"]);
});

it("a batch is of one currency and one name", () => {
  const one = line("payment", 1n, { batch: "b1" });
  expect(isSameBatch(one, line("payout", 2n, { batch: "b1" }))).toBe(true);
  expect(isSameBatch(one, line("payment", 1n, { batch: "b2" }))).toBe(false);
  expect(isSameBatch(one, line("payment", 1n, { batch: "b1", currency: "USD" }))).toBe(false);
});

/** The lines of an import that are booked to the bank account. */
function banking(
  judged: readonly JudgedLine[],
  file: readonly SettlementLine[],
  banked: ReadonlySet<string> = new Set(),
) {
  const settled = newlyBanked(judged, file, banked).map(({ digest }) => digest);
  return bankedLines(judged, new Set([...banked, ...settled]));
}

describe("the bank lines of a batch", () => {
  const [paid, sent] = [line("payment", 100n, { fee: 3n }), line("payout", 40n)];

  it("move what its other lines come to, in one transfer or several, in or out", () => {
    const credit = line("bank_credit", 57n);
    expect(bankDifference(credit, [paid, sent, credit])).toBeNull();
    const [more, back] = [line("bank_credit", 60n), line("bank_debit", 3n)];
    expect(bankDifference(more, [paid, more, sent, back])).toBeNull();
    const debit = line("bank_debit", 40n);
    expect(bankDifference(debit, [sent, debit])).toBeNull();
  });

  it("are said to differ with both sums", () => {
    const credit = line("bank_credit", 58n);
    expect(bankDifference(credit, [paid, sent, credit])).toBe(
      "its batch sums to 57 BRL, and its bank lines sum to 58 BRL",
    );
  });

  it("have nothing to do with other batches and currencies", () => {
    const credit = line("bank_credit", 57n);
    const others = [line("payment", 5n, { batch: "b2" }), line("payment", 5n, { currency: "USD" })];
    expect(bankDifference(credit, [paid, sent, credit, ...others])).toBeNull();
  });

  it("settle each line of an intent, at what it adds to the bank account; what adds nothing is left out", () => {
    const intent: NamedIntent = {
      merchantId: "mer_1",
      intentId: "dord_1",
      kind: "payment",
      status: "succeeded",
      movements: [
        { transactionId: "ltx_1", amount: 100n, currency: "BRL" },
        { transactionId: "ltx_2", amount: 9n, currency: "BRL" },
      ],
    };
    const ours = { ...paid, reference: "dord_1" };
    const eaten = line("payment", 9n, { fee: 9n, reference: "dord_1" });
    const fee = line("fee", 2n, { reference: "dord_1" });
    const nobodys = line("fee", 1n);
    const credit = line("bank_credit", 94n);
    const file = [ours, eaten, fee, nobodys, credit];
    const judged = judgeLines(file, new Map([["dord_1", intent]]), []);
    expect(judged.map(({ verdict }) => verdict)).toEqual(["matched", "matched", "fee", "fee", "bank"]);
    expect(banking(judged, file)).toEqual([
      { line: ours, merchantId: "mer_1", intentId: "dord_1", amount: 97n },
      { line: fee, merchantId: "mer_1", intentId: "dord_1", amount: -2n },
    ]);
  });

  const both = () => {
    const movements = [50n, 100n].map((amount, n) => ({ transactionId: `ltx_${n}`, amount, currency: "BRL" }));
    const names = { merchantId: "mer_1", intentId: "dord_1", kind: "payment", status: "succeeded" } as const;
    const intents = new Map([["dord_1", { ...names, movements }]]);
    const [first, second] = [50n, 100n].map((amount) => line("payment", amount, { reference: "dord_1", batch: "b1" }));
    const [settled, other, fresh] = [50n, 80n, 20n].map((amount) => line("bank_credit", amount, { batch: "b1" }));
    if (!first || !second || !settled || !other || !fresh) throw new Error("there are five lines");
    const before = judgeLines([first, settled], intents, []).map(({ line: { digest, lineId }, ...rest }) => ({
      ...rest,
      digest,
      lineId,
    }));
    return {
      intents,
      before,
      file: [first, second, settled, other, fresh],
      second,
      other,
      banked: new Set([first.digest]),
    };
  };

  it("settle what no bank line of the batch has settled before", () => {
    const { intents, before, file, banked } = both();
    const judged = judgeLines(file, intents, before, { banked });
    expect(judged.map(({ verdict }) => verdict)).toEqual(["matched", "matched", "bank", "bank", "bank"]);
    expect(newlyBanked(judged, file, banked).map(({ digest }) => digest)).toEqual([file[1]?.digest]);
    expect(banking(judged, file, banked).map(({ amount }) => amount)).toEqual([50n, 100n]);
  });

  it("of another file settle nothing of a batch whose bank line has settled other lines", () => {
    const { intents, before, file, banked, second } = both();
    const later = [second, file[2] as SettlementLine];
    const judged = judgeLines(later, intents, before, { banked });
    expect(judged.map(({ verdict }) => verdict)).toEqual(["matched", "bank"]);
    expect(banking(judged, later, banked)).toEqual([]);
    // A transfer of the same sum as before is not for what that was for.
    const equal = [file[0] as SettlementLine, line("bank_credit", 50n, { batch: "b1" })];
    expect(judgeLines(equal, intents, before, { banked })[1]).toMatchObject({
      verdict: "missing_internal",
      why: "its batch sums to 0 BRL, and its bank lines sum to 50 BRL",
    });
  });

  it("of which one was booked by hand settle nothing, and what another settled before stays so", () => {
    const { intents, before, file, banked, other } = both();
    const judged = judgeLines(file, intents, before, { banked, bookedByHand: new Set([other.digest]) });
    expect(judged.map(({ verdict, why }) => [verdict, why])).toEqual([
      ["matched", null],
      ["matched", null],
      ["bank", null],
      ["missing_internal", null],
      ["missing_internal", "another bank line of its batch was booked by hand"],
    ]);
    expect(banking(judged, file, banked).map(({ amount }) => amount)).toEqual([50n]);
  });

  it("of which one has the line_id of a line that was booked by hand settle nothing", () => {
    const { intents, before, file, banked, other } = both();
    const judged = judgeLines(file, intents, before, { banked, idsBookedByHand: new Set([other.lineId]) });
    expect(judged.slice(3).map(({ verdict, why }) => [verdict, why])).toEqual([
      ["duplicate", "its line_id has named another line before"],
      ["missing_internal", "the line_id of a bank line of its batch has named another line before"],
    ]);
    expect(newlyBanked(judged, file, banked)).toEqual([]);
  });

  it("of which one has the line_id of another line settle nothing", () => {
    const movement = { transactionId: "ltx_1", amount: 100n, currency: "BRL" };
    const names = { merchantId: "mer_1", intentId: "dord_1", kind: "payment", status: "succeeded" } as const;
    const intents = new Map([["dord_1", { ...names, movements: [movement] }]]);
    const ours = line("payment", 100n, { reference: "dord_1" });
    const [corrected, rest] = [line("bank_credit", 60n), line("bank_credit", 40n)];
    const known = { verdict: "missing_internal", why: null, merchantId: null, transactionId: null } as const;
    const before = [{ ...known, digest: "before it was corrected", lineId: corrected.lineId }];
    const file = [ours, corrected, rest];
    expect(banking(judgeLines(file, intents, []), file)).toHaveLength(1);
    const judged = judgeLines(file, intents, before);
    expect(judged.map(({ verdict, why }) => [verdict, why])).toEqual([
      ["matched", null],
      ["duplicate", "its line_id has named another line before"],
      ["missing_internal", "the line_id of a bank line of its batch has named another line before"],
    ]);
    expect(banking(judged, file)).toEqual([]);
  });

  it("that differ settle nothing, and ask a person", () => {
    const credit = line("bank_credit", 58n);
    const [judged] = judgeLines([credit, paid, sent], new Map(), []);
    expect(judged).toMatchObject({
      verdict: "missing_internal",
      why: "its batch sums to 57 BRL, and its bank lines sum to 58 BRL",
      merchantId: null,
      transactionId: null,
    });
  });

  describe("settle a line", () => {
    const ours: JudgedLine = {
      line: paid,
      intentId: "dord_1",
      merchantId: "mer_1",
      verdict: "matched",
      why: null,
      transactionId: "ltx_1",
      isRepeat: false,
      before: null,
    };
    const credit = line("bank_credit", 97n);
    const bank: JudgedLine = { ...ours, line: credit, intentId: null, merchantId: null, verdict: "bank" };
    const settled = (changes: Partial<JudgedLine>, other: Partial<JudgedLine> = {}) => {
      const judged: readonly JudgedLine[] = [
        { ...ours, ...changes },
        { ...bank, ...other },
      ];
      return (
        banking(
          judged,
          judged.map((one) => one.line),
        ).length === 1
      );
    };

    it.each<[string, Partial<JudgedLine>, Partial<JudgedLine>, boolean]>([
      ["new, of a new bank line", {}, {}, true],
      ["new, of a bank line of an earlier file", {}, { before: "bank" }, false],
      ["new, of a bank line that did not add up before", {}, { before: "missing_internal" }, true],
      [
        "new, of an earlier bank line of its batch",
        { line: { ...paid, batch: "b3" } },
        { line: { ...credit, batch: "b3" }, before: "bank" },
        false,
      ],
    ])("only if the bank line is judged with it: one that is %s", (_, changes, other, isSettled) => {
      expect(settled(changes, other)).toBe(isSettled);
    });

    it.each(LINE_VERDICTS)("that is %s if the books have it", (verdict) => {
      expect(settled({ verdict })).toBe(["matched", "amount_mismatch", "fee"].includes(verdict));
    });

    it.each<[string, Partial<JudgedLine>]>([
      ["that repeats another", { isRepeat: true }],
      ["that is no merchant's", { merchantId: null }],
      ["that names no intent of ours", { intentId: null }],
      ["of another batch", { line: { ...paid, batch: "b2" } }],
      ["that adds nothing", { line: { ...paid, amount: 3n } }],
    ])("but not one %s", (_, changes) => {
      expect(settled({})).toBe(true);
      expect(settled(changes)).toBe(false);
    });

    it("but not by a line that is missing, or one that does not add up", () => {
      expect(settled({}, { verdict: "missing_internal", why: "it was booked by hand" })).toBe(false);
      expect(settled({}, { line: line("bank_credit", 98n, { batch: "b2" }) })).toBe(false);
    });
  });
});
