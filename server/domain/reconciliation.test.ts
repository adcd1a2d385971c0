import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  bankedLines,
  chargeOf,
  type JudgedLine,
  judgeLines,
  type KnownLine,
  type NamedIntent,
  newlyBanked,
} from "./reconciliation";
import { lineException, missingExternal } from "./reconciliation-exceptions";
import type { SettlementLine } from "./settlement-line";

const PAID = "dord_paid";
const TWICE = "dord_twice";
const OPEN = "dord_open";
const SENT = "word_sent";

const movement = (transactionId: string, amount: bigint, currency = "BRL") => ({ transactionId, amount, currency });
const intent = (kind: NamedIntent["kind"], status: string, ...movements: NamedIntent["movements"]): NamedIntent => ({
  merchantId: "mer_1",
  intentId: "dord_01h455vb4pex5vsknk084sn02q",
  kind,
  status,
  movements,
});
const BOOKS = new Map([
  [PAID, intent("payment", "succeeded", movement("ltx_1", 1050n))],
  [TWICE, intent("payment", "expired", movement("ltx_2", 700n), movement("ltx_3", 700n))],
  [OPEN, intent("payment", "processing")],
  [SENT, intent("payout", "succeeded", movement("ltx_4", 25_000n))],
]);

function line(changes: Partial<SettlementLine> = {}): SettlementLine {
  const said = {
    lineId: "L1",
    kind: "payment" as const,
    reference: PAID,
    providerReference: null,
    amount: 1050n,
    currency: "BRL",
    fee: 0n,
    batch: null,
    ...changes,
  };
  const digest = JSON.stringify(said, (_, value: unknown) => (typeof value === "bigint" ? value.toString() : value));
  return { row: 2, digest, settledAt: new Date("2026-11-20T10:00:00.000Z"), ...said };
}

const judge = (lines: readonly SettlementLine[], known: readonly KnownLine[] = []) => judgeLines(lines, BOOKS, known);
const known = ({ line: { digest, lineId }, ...rest }: JudgedLine): KnownLine => ({ ...rest, digest, lineId });
const verdicts = (judged: readonly JudgedLine[]) =>
  judged.map(({ verdict, transactionId }) => [verdict, transactionId]);

describe("one line", () => {
  it.each<[string, Partial<SettlementLine>, string, string | null, string | null]>([
    ["the very movement", {}, "matched", "ltx_1", null],
    ["a payout's movement", { kind: "payout", reference: SENT, amount: 25_000n }, "matched", "ltx_4", null],
    ["another sum", { amount: 1049n }, "amount_mismatch", "ltx_1", "our books have 10.50 BRL"],
    ["another currency", { currency: "USD" }, "amount_mismatch", "ltx_1", "our books have 10.50 BRL"],
    [
      "an intent of nobody",
      { reference: "dord_none" },
      "missing_internal",
      null,
      "there is no such intent of this provider in this environment",
    ],
    ["no intent", { reference: null }, "missing_internal", null, "it names no intent"],
    [
      "an intent that did not move",
      { reference: OPEN },
      "missing_internal",
      null,
      "the intent is processing: nothing moved in our books",
    ],
    ["an intent of another kind", { kind: "payout" }, "missing_internal", null, "the intent is a payment"],
    ["a fee of an intent", { kind: "fee" }, "fee", null, null],
    ["a fee of no intent", { kind: "fee", reference: null }, "fee", null, "it names no intent, so it is no merchant's"],
    [
      "a fee of an intent of nobody",
      { kind: "fee", reference: "dord_none" },
      "missing_internal",
      null,
      "there is no such intent of this provider in this environment",
    ],
  ])("with %s: %o is %s", (_what, changes, verdict, transactionId, why) => {
    const [judged] = judge([line(changes)]);
    expect(judged).toMatchObject({ verdict, transactionId, isRepeat: false, why });
  });

  it("belongs to the merchant of the intent that it names, also where nothing moved, or to nobody", () => {
    const ids = [PAID, OPEN, "dord_none", null].map((reference) => {
      const [judged] = judge([line({ reference })]);
      return [judged?.merchantId, judged?.intentId];
    });
    const ours = ["mer_1", intent("payment", "processing").intentId];
    expect(ids).toEqual([ours, ours, [null, null], [null, null]]);
    expect(judge([line({ kind: "fee" })])[0]?.merchantId).toBe("mer_1");
    expect(judge([line({ kind: "fee", reference: null })])[0]?.merchantId).toBeNull();
  });
});

describe("several lines", () => {
  it("that settle one movement: the first is it, the second is a duplicate", () => {
    const judged = judge([line(), line({ lineId: "L2" })]);
    expect(verdicts(judged)).toEqual([
      ["matched", "ltx_1"],
      ["duplicate", null],
    ]);
    const why = "another line has settled all that moved in our books";
    expect(judged[1]).toMatchObject({ why, merchantId: "mer_1" });
  });

  it("where a wrong sum comes first: the right one has the movement", () => {
    expect(verdicts(judge([line({ amount: 1n }), line({ lineId: "L2" })]))).toEqual([
      ["duplicate", null],
      ["matched", "ltx_1"],
    ]);
  });

  it("for an intent that was paid twice settle one movement each", () => {
    const two = ["L1", "L2", "L3"].map((lineId) => line({ lineId, reference: TWICE, amount: 700n }));
    expect(verdicts(judge(two))).toEqual([
      ["matched", "ltx_2"],
      ["matched", "ltx_3"],
      ["duplicate", null],
    ]);
  });

  it("that say the same, word for word, are one line: the repeat asks nobody to look", () => {
    const [, repeat] = judge([line(), { ...line(), row: 3 }]);
    expect(repeat).toMatchObject({ verdict: "duplicate", isRepeat: true, why: null });
    expect(lineException("acme", "stf_1", repeat as JudgedLine)).toBeNull();
  });

  it("under one line_id that say different things: the second is a duplicate", () => {
    const [, second] = judge([line(), line({ reference: SENT, kind: "payout", amount: 25_000n })]);
    const why = "its line_id has named another line before";
    expect(second).toMatchObject({ verdict: "duplicate", why, merchantId: "mer_1" });
  });

  it("of members and of the operator may use the same line_ids", () => {
    const [uploaded] = judge([line({ reference: SENT, kind: "payout", amount: 25_000n })]);
    const before = known(uploaded as JudgedLine);
    expect(verdicts(judge([line()], [before]))).toEqual([["duplicate", null]]);
    expect(verdicts(judge([line()], [{ ...before, isOfAnotherImporter: true }]))).toEqual([["matched", "ltx_1"]]);
  });
});

describe("a later import", () => {
  it("of the same lines comes to the same, word for word", () => {
    const lines = [line(), line({ lineId: "L2" }), line({ lineId: "L3", reference: "dord_none" })];
    const first = judge(lines);
    expect(judge(lines, first.map(known))).toEqual(first.map((one) => ({ ...one, before: one.verdict })));
  });

  it("knows what an earlier one settled, whichever line it was", () => {
    const [settled] = judge([line()]);
    expect(verdicts(judge([line({ lineId: "L2" })], [known(settled as JudgedLine)]))).toEqual([["duplicate", null]]);
  });

  it("matches a duplicate with what has moved since, once, and leaves it a duplicate otherwise", () => {
    const two = [line(), line({ lineId: "L2" })];
    const before = judge(two).map(known);
    const later = new Map([[PAID, intent("payment", "succeeded", movement("ltx_1", 1050n), movement("ltx_9", 1050n))]]);
    const again = judgeLines(two, later, before);
    expect(verdicts(again)).toEqual([
      ["matched", "ltx_1"],
      ["matched", "ltx_9"],
    ]);
    expect(verdicts(judgeLines([...two, line({ lineId: "L3" })], later, again.map(known)))[2]).toEqual([
      "duplicate",
      null,
    ]);
    const takenBack = new Map([[PAID, intent("payment", "succeeded")]]);
    expect(verdicts(judgeLines(two, takenBack, before))[1]).toEqual(["duplicate", null]);
  });

  it("leaves a duplicate alone that people have booked", () => {
    const two = [line(), line({ lineId: "L2" })];
    const before = judge(two).map(known);
    const later = new Map([[PAID, intent("payment", "succeeded", movement("ltx_1", 1050n), movement("ltx_9", 1050n))]]);
    const [, second] = two;
    const byHand = new Set(second ? [second.digest] : []);
    expect(verdicts(judgeLines(two, later, before, { bookedByHand: byHand }))[1]).toEqual(["duplicate", null]);
  });

  it("of the operator judges again what only a member's file made a duplicate", () => {
    const two = [line({ reference: SENT, kind: "payout", amount: 25_000n }), line()];
    const uploaded = judge(two).map((one) => ({ ...known(one), isOfAnotherImporter: true }));
    expect(uploaded[1]?.verdict).toBe("duplicate");
    expect(verdicts(judge([line()], uploaded))).toEqual([["matched", "ltx_1"]]);
    expect(verdicts(judge(two, uploaded))[1]).toEqual(["duplicate", null]);
  });

  it("matches what the books lacked then", () => {
    const missing = judgeLines([line()], new Map([[PAID, intent("payment", "processing")]]), []);
    expect(missing[0]?.verdict).toBe("missing_internal");
    expect(verdicts(judge([line()], missing.map(known)))).toEqual([["matched", "ltx_1"]]);
  });
});

it("whatever the lines and their order: no movement is settled twice, and files may overlap", () => {
  const lines = fc.array(
    fc.record({
      lineId: fc.constantFrom("L1", "L2", "L3", "L4", "L5", "L6"),
      reference: fc.constantFrom(PAID, TWICE, OPEN, "dord_none", null),
      amount: fc.constantFrom(1050n, 700n, 1n),
      currency: fc.constantFrom("BRL", "USD"),
      kind: fc.constantFrom("payment" as const, "fee" as const),
    }),
    { maxLength: 14 },
  );
  const property = fc.property(lines, fc.nat(14), fc.nat(14), (said, cut, overlap) => {
    const all = said.map((changes, n) => ({ ...line(changes), row: n + 2 }));
    const first = judge(all.slice(0, cut));
    const stored = first.filter(({ isRepeat }) => !isRepeat).map(known);
    const second = judge(all.slice(Math.max(0, cut - overlap)), stored);
    const byDigest = new Map(
      [...first, ...second].filter(({ isRepeat }) => !isRepeat).map((one) => [one.line.digest, one]),
    );
    const settled = [...byDigest.values()].flatMap(({ transactionId }) => transactionId ?? []);
    expect(new Set(settled).size).toBe(settled.length);
    for (const judged of byDigest.values()) {
      const { line: own, verdict, transactionId } = judged;
      expect((transactionId !== null) === (verdict === "matched" || verdict === "amount_mismatch")).toBe(true);
      expect((judged.why !== null) === (lineException("acme", "stf_1", judged) !== null)).toBe(true);
      const moved = BOOKS.get(own.reference ?? "")?.movements ?? [];
      const found = moved.find((one) => one.transactionId === transactionId);
      const agrees = found?.amount === own.amount && found?.currency === own.currency;
      expect(agrees).toBe(verdict === "matched");
    }
  });
  fc.assert(property, { numRuns: 3_000 });
});

describe("what a merchant is charged", () => {
  const charge = (changes: Partial<SettlementLine>, n = 0) =>
    chargeOf(judge([line(), line(changes)].slice(n))[0] as JudgedLine);

  it("is the fee of a line that our books have, or a line that is a fee", () => {
    expect(chargeOf(judge([line({ fee: 12n })])[0] as JudgedLine)).toBe(12n);
    expect(chargeOf(judge([line({ fee: 12n, amount: 9n })])[0] as JudgedLine)).toBe(12n);
    expect(charge({ kind: "fee", amount: 30n }, 1)).toBe(30n);
  });

  it("is nothing for a line without a fee, a duplicate, a repeat, or what is no merchant's", () => {
    expect(chargeOf(judge([line()])[0] as JudgedLine)).toBeNull();
    const [, duplicate] = judge([line(), line({ lineId: "L2", fee: 12n })]);
    const [, repeat] = judge([line({ fee: 12n }), line({ fee: 12n })]);
    const nobodys = judge([
      line({ reference: "dord_none", fee: 12n }),
      line({ lineId: "L2", kind: "fee", reference: null }),
    ]);
    for (const judged of [duplicate, repeat, ...nobodys]) expect(chargeOf(judged as JudgedLine)).toBeNull();
  });
});

it.each([null, "week-47"])(
  "a bank line of an earlier file settles no line that a later one adds to batch %s",
  (batch) => {
    const paid = line({ batch });
    const bank = line({ lineId: "L2", kind: "bank_credit", reference: null, batch });
    const added = line({ lineId: "L3", reference: TWICE, amount: 700n, batch });
    const first = judge([paid, bank]);
    const banked = new Set(newlyBanked(first, [paid, bank], new Set()).map(({ digest }) => digest));
    expect(bankedLines(first, banked).map(({ amount }) => amount)).toEqual([1050n]);
    const later = judgeLines([paid, bank, added], BOOKS, first.map(known), { banked });
    expect(later.map(({ verdict }) => verdict)).toEqual(["matched", "bank", "matched"]);
    expect(newlyBanked(later, [paid, bank, added], banked)).toEqual([]);
  },
);

it("an exception names its fact by provider and line, or by the movement that is missing", () => {
  const [missing] = judge([line({ reference: "dord_none" })]);
  const detail = { provider: "acme", file: "stf_1", line_id: "L1", amount: "1050", currency: "BRL" };
  expect(lineException("acme", "stf_1", missing as JudgedLine)).toEqual({
    kind: "missing_internal",
    objectId: "dord_none",
    fact: `missing_internal:acme:${missing?.line.digest}`,
    detail: { ...detail, why: "there is no such intent of this provider in this environment" },
  });
  const bookedAt = new Date("2026-11-20T10:00:00.000Z");
  const unsettled = { merchantId: "mer_1", intentId: PAID, bookedAt, ...movement("ltx_1", 1050n) };
  expect(missingExternal("acme", "stf_1", unsettled)).toEqual({
    kind: "missing_external",
    objectId: PAID,
    fact: "missing_external:ltx_1",
    detail: {
      provider: "acme",
      file: "stf_1",
      transaction: "ltx_1",
      amount: "1050",
      currency: "BRL",
      booked_at: "2026-11-20T10:00:00.000Z",
    },
  });
});

it.each<[string, readonly SettlementLine[], string, string]>([
  ["of another sum", [line({ amount: 1049n })], "amount_mismatch", "amount_mismatch"],
  ["of a movement that is settled", [line(), line({ lineId: "L2" })], "duplicate", "duplicate"],
  ["of a fee that is no merchant's", [line({ kind: "fee", reference: null })], "unassigned_fee", "unassigned_fee"],
  ["that our books lack", [line({ reference: OPEN })], "missing_internal", "missing_internal"],
])("a line %s opens an exception: %o", (_what, lines, kind, fact) => {
  const judged = judge(lines).at(-1) as JudgedLine;
  const exception = lineException("acme", "stf_1", judged);
  expect(exception).toMatchObject({ kind, fact: `${fact}:acme:${judged.line.digest}` });
  expect(exception?.objectId).toBe(judged.intentId ?? judged.line.reference ?? judged.line.lineId);
});

it.each([
  ["a movement of ours", line()],
  ["a merchant's fee", line({ kind: "fee" })],
  ["a bank line that moves nothing for nothing", line({ kind: "bank_credit", reference: null, amount: 0n })],
])("a line that is %s opens none", (_what, one) => {
  expect(lineException("acme", "stf_1", judge([one])[0] as JudgedLine)).toBeNull();
});
