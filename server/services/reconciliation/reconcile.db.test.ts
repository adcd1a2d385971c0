// Reconciling on a real database: each verdict, nothing twice however files repeat or overlap.
import { Client } from "pg";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { query } from "@/server/db/client";
import { NOBODY } from "@/server/domain/exceptions";
import { env } from "@/server/platform/env";
import { countRows, requireInvariants } from "@/server/testing/invariants";
import { approvedPayout, makeMerchant, payment, type TestMerchant } from "@/server/testing/merchant";
import { tamper } from "@/server/testing/owner";
import { applyUpdate } from "../callbacks/apply-update";
import { resolveException } from "../exceptions/decide";
import { listExceptionsAcrossMerchants } from "../exceptions/list";
import { withoutIdempotency } from "../idempotency/completion";
import { checkInvariants } from "../invariants/check";
import { confirmJournalEntry, rejectJournalEntry } from "../journal/decide";
import { type JournalEntryInput, proposeJournalEntry } from "../journal/propose";
import { operatorContext } from "../merchants/operator";
import { createPaymentIntent } from "../payments/create";
import { confirmRefund } from "../refunds/decide";
import { followUpRefund } from "../refunds/follow-up";
import { proposeRefund } from "../refunds/propose";
import { simulate } from "../sandbox/simulate";
import { createTopupIntent } from "../topups/create";
import { type Reconciliation, reconcile } from "./reconcile";

// The time these tests set is what the service takes for the database's.
vi.mock("@/server/platform/clock", async (original) => ({ ...(await original<object>()), now: () => new Date() }));

const HEADER = "line_id,kind,reference,provider_reference,amount,currency,fee,settled_at";
const DAY = 24 * 60 * 60_000;

interface Said {
  readonly kind: string;
  readonly reference: string;
  readonly amount: bigint | number;
  readonly fee?: number;
  readonly lineId?: string;
  readonly currency?: string;
}

let merchant: TestMerchant;
/** Every test has a day of its own, so that one sandbox serves them all. */
let day = Date.UTC(2027, 0, 1);
beforeEach(async () => {
  day += DAY;
  vi.useFakeTimers({ toFake: ["Date"], now: day + 9 * 60 * 60_000 });
  merchant = await makeMerchant();
});
afterEach(async () => {
  vi.useRealTimers();
  await requireInvariants();
});

function csv(lines: readonly Said[]): string {
  const rows = lines.map(({ kind, reference, amount, fee = 0, lineId, currency = "BRL" }, n) =>
    [lineId ?? `${day}-${n}`, kind, reference, `px-${n}`, amount, currency, fee, new Date(day + n).toISOString()].join(
      ",",
    ),
  );
  return [HEADER, ...rows, ""].join("\n");
}

function importFile(text: string, bounds: { from?: Date; to?: Date } = {}): Promise<Reconciliation> {
  const bytes = new TextEncoder().encode(text);
  const { from = new Date(day), to = new Date(day + DAY) } = bounds;
  return reconcile({ provider: "sandbox", environment: "test", name: "day.csv", bytes, from, to });
}

async function paid(amount = "1050") {
  const { intent } = await createPaymentIntent(merchant.context, payment({ amount }), withoutIdempotency());
  await simulate(merchant.context, intent.id, "succeeded");
  return { kind: "payment", reference: intent.id, amount: BigInt(amount) };
}

async function sent(amount = "25000") {
  const { id } = await approvedPayout(merchant, { amount });
  await simulate(merchant.context, id, "settled");
  return { kind: "payout", reference: id, amount: BigInt(amount) };
}

async function toppedUp() {
  const command = {
    destination: { amount: "50000", currency: "BRL" },
    source: { type: "provider_gateway", provider: null, currency: "USDT", network: "tron" } as const,
    country: "BR",
    merchantReference: null,
  };
  const { intent } = await createTopupIntent(merchant.context, command, withoutIdempotency());
  await simulate(merchant.context, intent.id, "succeeded");
  const [clearing] = await query<{ amount: string }>(
    `SELECT (-e.amount)::text AS amount FROM ledger_transaction t
     JOIN ledger_entry e ON e.merchant_id = t.merchant_id AND e.transaction_id = t.id AND e.kind = 'provider_clearing:sandbox'
     WHERE t.merchant_id = $1 AND t.intent_id = $2`,
    merchant.merchantId,
    intent.id,
  );
  return { kind: "topup", reference: intent.id, amount: BigInt(clearing?.amount ?? 0) };
}

function tally({ lines, unsettled }: Reconciliation): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { verdict } of lines) counts[verdict] = (counts[verdict] ?? 0) + 1;
  return unsettled.length === 0 ? counts : { ...counts, missing_external: unsettled.length };
}

const openKinds = async (merchantId = merchant.merchantId) =>
  (await listExceptionsAcrossMerchants({ merchantId, openOnly: true })).exceptions.map(({ kind }) => kind).sort();

const balance = async (kind: string) => {
  const [row] = await query<{ balance: string }>(
    "SELECT balance::text FROM ledger_account WHERE merchant_id = $1 AND environment = 'test' AND currency = 'BRL' AND kind = $2",
    merchant.merchantId,
    kind,
  );
  return BigInt(row?.balance ?? 0);
};

const stored = async () => [
  await countRows("settlement_file"),
  await countRows("settlement_line"),
  await countRows("exception"),
];

describe("a file that agrees", () => {
  it("is all matched, payments, payouts and top-ups; its fees are booked, and nobody need look", async () => {
    const lines = [];
    for (const amount of ["1050", "999900", "17"]) lines.push({ ...(await paid(amount)), fee: 3 });
    lines.push({ ...(await sent()), fee: 100 }, { ...(await toppedUp()), fee: 5 });
    const feesBefore = await balance("fees");
    const done = await importFile(csv(lines));
    expect(tally(done)).toEqual({ matched: 5 });
    expect(done).toMatchObject({ feesBooked: 5, exceptionsOpened: 0, exceptionsResolved: 0, isKnown: false });
    expect(await balance("fees")).toBe(feesBefore - 114n);
    expect(await openKinds()).toEqual([]);
    expect((await checkInvariants()).violations).toBe(0);
  });

  it("brings what the provider owes us down to what it has not settled", async () => {
    const [first, second] = [await paid("1000"), await paid("500")];
    expect(await balance("provider_clearing:sandbox")).toBe(-1500n);
    await importFile(
      csv([
        { ...first, fee: 30 },
        { ...second, fee: 15 },
      ]),
    );
    expect(await balance("provider_clearing:sandbox")).toBe(-1455n);
  });

  it("knows money that was paid late: it is in our books too", async () => {
    const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
    await simulate(merchant.context, intent.id, "expired");
    await simulate(merchant.context, intent.id, "succeeded");
    expect(tally(await importFile(csv([{ kind: "payment", reference: intent.id, amount: 1050n }])))).toEqual({
      matched: 1,
    });
    expect(await openKinds()).toEqual(["late_money"]);
  });
});

describe("a file that does not", () => {
  it("has each line's verdict, and an exception for each that a person must look at, the merchant's or nobody's", async () => {
    const [agreed, other, absent, returned] = [await paid(), await paid("2000"), await paid("3000"), await sent()];
    const { intent: open } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
    const lines: Said[] = [
      { ...agreed, fee: 10 },
      { ...other, amount: 1999n },
      { kind: "payment", reference: open.id, amount: 1050n, fee: 10 },
      { kind: "payment", reference: "dord_01h455vb4pex5vsknk084sn02q", amount: 5n },
      { ...agreed, lineId: `${day}-again` },
      { ...returned, kind: "payment" },
      { kind: "fee", reference: agreed.reference, amount: 40 },
      { kind: "fee", reference: "", amount: 7 },
    ];
    const nobodys = (await openKinds(NOBODY)).length;
    const done = await importFile(csv(lines));
    expect(done.lines.map(({ verdict }) => verdict)).toEqual([
      "matched",
      "amount_mismatch",
      "missing_internal",
      "missing_internal",
      "duplicate",
      "missing_internal",
      "fee",
      "fee",
    ]);
    expect(done.unsettled.map(({ intentId }) => intentId).sort()).toEqual(
      [absent.reference, returned.reference].sort(),
    );
    expect(done).toMatchObject({ exceptionsOpened: 8, feesBooked: 2 });
    expect(await openKinds()).toEqual([
      "amount_mismatch",
      "duplicate",
      "missing_external",
      "missing_external",
      "missing_internal",
      "missing_internal",
    ]);
    expect((await openKinds(NOBODY)).length - nobodys).toBe(2);
    expect(await balance("fees")).toBe(-50n);
    expect((await checkInvariants()).violations).toBe(0);
  });

  it("speaks only for its own provider and environment", async () => {
    const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
    const routing = { ...intent.routing, order: ["acme"] };
    await tamper(
      "payment_intent",
      "UPDATE payment_intent SET provider = 'acme', routing = $2::jsonb WHERE id = $1",
      intent.id,
      routing,
    );
    const paidThere = {
      kind: "succeeded",
      receiptId: null,
      amount: 1050n,
      currency: "BRL",
      providerReference: "px-acme",
    } as const;
    const there = { kind: "payment_intent", intent: { ...intent, provider: "acme", routing } } as const;
    await applyUpdate(merchant.context, there, [paidThere]);
    const own = { kind: "payment", reference: intent.id, amount: 1050n };
    expect(await balance("provider_clearing:acme")).toBe(-1050n);
    expect(tally(await importFile(csv([own])))).toEqual({ missing_internal: 1 });
    const bytes = new TextEncoder().encode(csv([own]));
    const nobody = { provider: "nobody", environment: "test", name: "x", bytes, from: null, to: null } as const;
    await expect(reconcile(nobody)).rejects.toMatchObject({ message: "provider is not configured" });
  });

  it("with a fault anywhere stores nothing and books nothing", async () => {
    const before = await stored();
    const text = csv([{ ...(await paid()), fee: 3 }, await paid()]).replace(/,BRL,0,/, ",BRL,x,");
    await expect(importFile(text)).rejects.toMatchObject({
      message: expect.stringContaining("line 3, column fee") as string,
    });
    expect(await stored()).toEqual(before);
    expect(await balance("fees")).toBe(0n);
  });
});

describe("bank lines", () => {
  it("settle each line of their batch once: clearing goes to zero and the bank account has the net", async () => {
    const lines: Said[] = [
      { ...(await paid("10000")), fee: 100 },
      { ...(await sent("4000")), fee: 50 },
      { kind: "bank_credit", reference: "", amount: 5850 },
    ];
    const done = await importFile(csv(lines));
    expect(tally(done)).toEqual({ matched: 2, bank: 1 });
    expect(done).toMatchObject({ feesBooked: 2, linesBanked: 2, exceptionsOpened: 0 });
    expect(await balance("provider_clearing:sandbox")).toBe(0n);
    expect(await balance("bank")).toBe(-5850n);
    const again = await Promise.all(Array.from({ length: 3 }, () => importFile(csv(lines))));
    expect(again.map(({ linesBanked }) => linesBanked)).toEqual([0, 0, 0]);
    expect(await balance("bank")).toBe(-5850n);
    expect((await checkInvariants()).violations).toBe(0);
  });

  it("that do not add up book nothing, and are judged again when the file is complete", async () => {
    const [first, second] = [
      { ...(await paid("1000")), lineId: `${day}-a` },
      { ...(await paid("500")), lineId: `${day}-b` },
    ];
    const bank = { kind: "bank_credit", reference: "", amount: 1500, lineId: `${day}-bank` };
    const text = csv([first, second, bank]).split("\n");
    const nobodys = (await openKinds(NOBODY)).length;
    const partial = await importFile([text[0], text[1], text[3], ""].join("\n"));
    expect(partial.lines.map(({ verdict }) => verdict)).toEqual(["matched", "missing_internal"]);
    expect(partial.linesBanked).toBe(0);
    expect((await openKinds(NOBODY)).length).toBe(nobodys + 1);
    const whole = await importFile(text.join("\n"));
    expect(tally(whole)).toEqual({ matched: 2, bank: 1 });
    expect(whole.linesBanked).toBe(2);
    expect((await openKinds(NOBODY)).length).toBe(nobodys);
    expect(await balance("bank")).toBe(-1500n);
  });

  it("settle only lines of their own batch and currency", async () => {
    const [first, second] = [await paid("1000"), await paid("500")];
    const bank = { kind: "bank_credit", reference: "", amount: 1000 };
    const [header = "", ...rows] = csv([first, second, bank]).trimEnd().split("\n");
    const batches = ["monday", "tuesday", "monday"];
    const text = [`${header},batch`, ...rows.map((row, n) => `${row},${batches[n]}`), ""].join("\n");
    expect(await importFile(text)).toMatchObject({ linesBanked: 1 });
    expect(await balance("provider_clearing:sandbox")).toBe(-500n);
    expect(await balance("bank")).toBe(-1000n);
  });
});

describe("importing again", () => {
  it("the same file changes nothing and says the same, also when five do it at once", async () => {
    const lines = [
      { ...(await paid()), fee: 3 },
      { ...(await paid("2000")), amount: 1n },
      { kind: "fee", reference: "", amount: 7 },
    ];
    await paid("4000");
    const first = await importFile(csv([...lines, lines[0] as Said]));
    const after = await stored();
    const again = await Promise.all(Array.from({ length: 5 }, () => importFile(csv([...lines, lines[0] as Said]))));
    for (const done of again) {
      expect(done).toMatchObject({ isKnown: true, feesBooked: 0, exceptionsOpened: 0, exceptionsResolved: 0 });
      expect(done.lines).toEqual(
        first.lines.map((line) => ({ ...line, before: line.isRepeat ? "matched" : line.verdict })),
      );
      expect(done.unsettled).toEqual(first.unsettled);
    }
    expect(await stored()).toEqual(after);
    expect(await balance("fees")).toBe(-3n);
  });

  it("a file that repeats lines of another judges each line once", async () => {
    const lines: Said[] = [];
    for (let n = 0; n < 12; n += 1)
      lines.push({ ...(await paid(String(1_010 + n))), fee: 1, lineId: `${day}-line-${n}` });
    const all = csv(lines).split("\n");
    const part = (from: number, to: number) => [HEADER, ...all.slice(1 + from, 1 + to), ""].join("\n");
    const [before] = await stored();
    expect(tally(await importFile(part(0, 8)))).toEqual({ matched: 8, missing_external: 4 });
    expect(await openKinds()).toHaveLength(4);
    const second = await importFile(part(4, 12));
    expect(tally(second)).toEqual({ matched: 8 });
    expect(second).toMatchObject({ feesBooked: 4, exceptionsOpened: 0, exceptionsResolved: 4 });
    expect(await openKinds()).toEqual([]);
    expect((await stored())[0]).toBe((before ?? 0) + 2);
    expect(await balance("fees")).toBe(-12n);
  });

  it("matches what our books lacked the first time, and resolves its exception", async () => {
    const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
    const text = csv([{ kind: "payment", reference: intent.id, amount: 1050n, fee: 4 }]);
    expect(tally(await importFile(text))).toEqual({ missing_internal: 1 });
    expect(await openKinds()).toEqual(["missing_internal"]);
    await simulate(merchant.context, intent.id, "succeeded");
    const second = await importFile(text);
    expect(tally(second)).toEqual({ matched: 1 });
    expect(second).toMatchObject({ feesBooked: 1, exceptionsResolved: 1 });
    expect(await openKinds()).toEqual([]);
    const { exceptions } = await listExceptionsAcrossMerchants({ merchantId: merchant.merchantId, openOnly: false });
    const audited = await query(
      "SELECT 1 FROM audit_entry WHERE object_id = $1 AND action = 'exception.resolve'",
      exceptions[0]?.id,
    );
    expect(audited).toHaveLength(1);
  });

  it("finishes the fees of an import that died before it had booked them", async () => {
    const text = csv([{ ...(await paid()), fee: 9 }]);
    await importFile(text);
    await tamper(
      "ledger_transaction",
      "UPDATE ledger_transaction SET unique_key = 'as if not booked' WHERE reason = 'provider_fee' AND merchant_id = $1",
      merchant.merchantId,
    );
    expect(await importFile(text)).toMatchObject({ feesBooked: 1 });
  });
});

describe("a line that operators book by hand", () => {
  const FEE = { from: "fees", to: "provider_clearing", amount: "30" } as const;
  const BANK = { from: "bank", to: "provider_clearing" } as const;
  const ROUTED = `UPDATE payment_intent SET provider = $2, routing = jsonb_set(routing, '{order}', '["sandbox", "other"]')
    WHERE id = $1`;
  type Movement = Pick<JournalEntryInput, "from" | "to" | "amount">;

  /** The payment fails over to another provider, or comes back to the one whose file names it. */
  const setProvider = (id: string, provider: string) => tamper("payment_intent", ROUTED, id, provider);

  async function openAbout(merchantId: string, objectId: string) {
    const { exceptions } = await listExceptionsAcrossMerchants({ merchantId, openOnly: true });
    return exceptions.find((one) => one.objectId === objectId)?.id ?? null;
  }

  async function propose(exceptionId: string | null, movement: Movement) {
    const entry = { ...movement, exceptionId, currency: "BRL", provider: "sandbox", evidence: "Seen in their portal." };
    return proposeJournalEntry(merchant.scope, "Maria Lopez", { ...entry, about: null, isAdditional: false });
  }

  async function book(exceptionId: string | null, movement: Movement) {
    return confirmJournalEntry((await propose(exceptionId, movement)).id, "Jan Novak");
  }

  /** A fee of an intent that the first provider does not have, with an open exception of nobody; `found` ends that. */
  async function missingFee() {
    const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
    await simulate(merchant.context, intent.id, "failed");
    await setProvider(intent.id, "other");
    const text = csv([{ kind: "fee", reference: intent.id, amount: 30 }]);
    expect(tally(await importFile(text))).toEqual({ missing_internal: 1 });
    const exceptionId = await openAbout(NOBODY, intent.id);
    return { text, exceptionId, found: () => setProvider(intent.id, "sandbox") };
  }

  it("is not charged when a later import finds its intent, and needs nobody", async () => {
    const { text, exceptionId, found } = await missingFee();
    await book(exceptionId, FEE);
    await found();
    for (const file of [text, `${text}\n`]) {
      const done = await importFile(file);
      expect(tally(done)).toEqual({ missing_internal: 1 });
      expect(done).toMatchObject({ feesBooked: 0, exceptionsOpened: 0 });
      expect(done.lines[0]?.why).toBeNull();
    }
    expect(await balance("fees")).toBe(-30n);
    expect(await openKinds()).toEqual([]);
  });

  it("is not charged if the release that confirmed the entry did not note the line", async () => {
    const { text, exceptionId, found } = await missingFee();
    const { id } = await book(exceptionId, FEE);
    await tamper("journal_entry", "UPDATE journal_entry SET exception_fact = NULL WHERE id = $1", id);
    await found();
    expect(await importFile(text)).toMatchObject({ feesBooked: 0 });
    expect(await balance("fees")).toBe(-30n);
  });

  it("is refused once an import has charged it", async () => {
    const { text, exceptionId, found } = await missingFee();
    const { id } = await propose(exceptionId, FEE);
    await found();
    expect(await importFile(text)).toMatchObject({ feesBooked: 1, exceptionsResolved: 1 });
    await expect(confirmJournalEntry(id, "Jan Novak")).rejects.toMatchObject({
      code: "validation_failed",
      message: expect.stringContaining("something else about its intent was booked") as string,
    });
    expect(await balance("fees")).toBe(-30n);
  });

  it("is charged if its exception was resolved without an entry, or the entry was rejected", async () => {
    const { text, exceptionId, found } = await missingFee();
    await rejectJournalEntry((await propose(exceptionId, FEE)).id, "Jan Novak");
    await resolveException(operatorContext(NOBODY, "test"), exceptionId ?? "", "Their mistake.");
    await found();
    expect(await importFile(text)).toMatchObject({ feesBooked: 1 });
    expect(await balance("fees")).toBe(-30n);
  });

  it("is booked once when an import judges it while the entry is being confirmed", async () => {
    const { text, exceptionId, found } = await missingFee();
    const { id } = await propose(exceptionId, FEE);
    await found();
    const gate = new Client({ connectionString: env().databaseUrl ?? "" });
    await gate.connect();
    const waiting = async (count: number) => {
      const sql =
        "SELECT count(*)::int AS n FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE NOT l.granted AND a.datname = current_database()";
      while ((await gate.query<{ n: number }>(sql)).rows[0]?.n !== count)
        await new Promise((done) => setTimeout(done, 10));
    };
    try {
      await gate.query("BEGIN");
      await gate.query("SELECT FROM exception WHERE id = $1 FOR UPDATE", [exceptionId]);
      const confirmed = confirmJournalEntry(id, "Jan Novak");
      await waiting(1);
      const imported = importFile(text);
      await waiting(2);
      await gate.query("COMMIT");
      await expect(confirmed).resolves.toMatchObject({ state: "confirmed" });
      await expect(imported).resolves.toMatchObject({ feesBooked: 0 });
    } finally {
      await gate.end();
    }
    expect(await balance("fees")).toBe(-30n);
  });

  describe("that is a bank transfer", () => {
    /** A batch whose first file lacks a fee, so that its bank lines do not add up. */
    async function batch(...transfers: number[]) {
      const payment = { ...(await paid("1050")), lineId: `${day}-paid` };
      const banks = transfers.map((amount, n) => ({
        kind: "bank_credit",
        reference: "",
        amount,
        lineId: `${day}-bank-${n}`,
      }));
      const fee = { kind: "fee", reference: payment.reference, amount: 30, lineId: `${day}-fee` };
      const whole = csv([payment, ...banks, fee]);
      const part = `${whole.trimEnd().split("\n").slice(0, -1).join("\n")}\n`;
      expect(tally(await importFile(part))).toEqual({ matched: 1, missing_internal: transfers.length });
      return { whole, openOf: (n: number) => openAbout(NOBODY, `${day}-bank-${n}`) };
    }

    it("is not booked again when its batch adds up in a later file", async () => {
      const { whole, openOf } = await batch(1020);
      await book(await openOf(0), { ...BANK, amount: "1020" });
      const done = await importFile(whole);
      expect(tally(done)).toEqual({ matched: 1, missing_internal: 1, fee: 1 });
      expect(done).toMatchObject({ feesBooked: 1, linesBanked: 0, exceptionsOpened: 0 });
      expect(await balance("bank")).toBe(-1020n);
      expect(await balance("provider_clearing:sandbox")).toBe(0n);
    });

    it("is refused once an import has booked its batch, with the reason", async () => {
      const { whole, openOf } = await batch(1020);
      const { id } = await propose(await openOf(0), { ...BANK, amount: "1020" });
      expect(await importFile(whole)).toMatchObject({ linesBanked: 2 });
      await expect(confirmJournalEntry(id, "Jan Novak")).rejects.toMatchObject({
        code: "validation_failed",
        message: expect.stringContaining("A settlement file has brought the other side.") as string,
      });
      expect(await balance("bank")).toBe(-1020n);
    });

    it("leaves the other transfers of its batch to the operators", async () => {
      const { whole, openOf } = await batch(700, 320);
      await book(await openOf(0), { ...BANK, amount: "700" });
      const done = await importFile(whole);
      expect(done.lines.map(({ verdict, why }) => [verdict, why])).toEqual([
        ["matched", null],
        ["missing_internal", null],
        ["missing_internal", "another bank line of its batch was booked by hand"],
        ["fee", null],
      ]);
      await book(await openOf(1), { ...BANK, amount: "320" });
      expect(await importFile(whole)).toMatchObject({ linesBanked: 0 });
      expect(await balance("bank")).toBe(-1020n);
    });
  });
});

describe("the time that a file covers", () => {
  const unbounded = (text: string) =>
    reconcile({
      provider: "sandbox",
      environment: "test",
      name: "x",
      bytes: new TextEncoder().encode(text),
      from: null,
      to: null,
    });

  it("begins where the file before has ended, so that nothing between two files is overlooked", async () => {
    const first = csv([await paid()]);
    vi.setSystemTime(day + DAY + 120_000);
    await importFile(first, { to: new Date(day + DAY) });
    day += DAY;
    vi.setSystemTime(day + 180_000);
    const between = await paid("4000");
    vi.setSystemTime(day + 5 * 60 * 60_000);
    const later = await paid("5000");
    const said = csv([later]).replace(new Date(day).toISOString(), new Date(day + 6 * 60 * 60_000).toISOString());
    const done = await unbounded(said);
    expect(done.file).toMatchObject({ from: new Date(day), to: new Date(day + 6 * 60 * 60_000 + 1) });
    expect(done.unsettled.map(({ intentId }) => intentId)).toEqual([between.reference]);
    expect((await unbounded(said)).file).toEqual(done.file);
  });

  it("begins a minute before the import of the file before if that covers a later time", async () => {
    const importedAt = day + 9 * 60 * 60_000;
    await importFile(csv([await paid()]), { to: new Date(day + DAY) });
    vi.setSystemTime(importedAt + 60_000);
    const [after, later] = [await paid("4000"), await paid("5000")];
    const next = csv([later]).replace(new Date(day).toISOString(), new Date(day + DAY).toISOString());
    day += DAY;
    vi.setSystemTime(day + 60_000);
    const { file, unsettled } = await unbounded(next);
    expect(file.from).toEqual(new Date(importedAt - 60_000));
    expect(unsettled.map(({ intentId }) => intentId)).toContain(after.reference);
  });

  it("must be named for a file without lines, which says that nothing was settled", async () => {
    const { reference } = await paid();
    const done = await importFile(csv([]));
    expect(done.unsettled.map(({ intentId }) => intentId)).toEqual([reference]);
    await expect(unbounded(`${HEADER},note\n`)).rejects.toMatchObject({ code: "validation_failed" });
    const backwards = { from: new Date(day + 1), to: new Date(day) };
    await expect(importFile(csv([await paid()]), backwards)).rejects.toMatchObject({ code: "validation_failed" });
  });

  it("leaves out what was returned by a bank: the payout itself is what the file has", async () => {
    const payout = await sent();
    await simulate(merchant.context, payout.reference, "returned");
    expect(tally(await importFile(csv([payout])))).toEqual({ matched: 1 });
  });
});

it("two payments for one expired intent are two movements, settled by two lines", async () => {
  const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
  await simulate(merchant.context, intent.id, "expired");
  const late = (providerReference: string) =>
    ({ kind: "succeeded", receiptId: providerReference, amount: 1050n, currency: "BRL", providerReference }) as const;
  await applyUpdate(merchant.context, { kind: "payment_intent", intent }, [late("px-1"), late("px-2")]);
  const line = { kind: "payment", reference: intent.id, amount: 1050n };
  expect(tally(await importFile(csv([line, line, line])))).toEqual({ matched: 2, duplicate: 1 });
});

it("a thousand lines in any order, in overlapping files, come out as they went in", async () => {
  const amounts = Array.from({ length: 150 }, (_, n) => String(10_010 + n * 100));
  const truth: Said[] = [];
  for (let start = 0; start < amounts.length; start += 30) {
    truth.push(...(await Promise.all(amounts.slice(start, start + 30).map((amount) => paid(amount)))));
  }
  const named = truth.map((said, n) => ({ ...said, lineId: `${day}-${n}`, fee: n % 3 }));
  const wrong = named.slice(0, 10).map((said) => ({ ...said, amount: BigInt(said.amount) + 1n }));
  const noise = Array.from({ length: 850 }, (_, n) => ({
    kind: "payment",
    reference: `dord_${day}${n}`,
    amount: 5,
    lineId: `${day}-n${n}`,
  }));
  const lines = [...noise, ...wrong, ...named.slice(10, 140)].sort((a, b) => (a.lineId < b.lineId ? 1 : -1));
  const all = csv(lines).split("\n").slice(1, -1);
  const file = (from: number, to: number) => [HEADER, ...all.slice(from, to), ""].join("\n");
  for (const [from, to] of [
    [0, 400],
    [300, 700],
    [0, 990],
    [0, 990],
  ] as const)
    await importFile(file(from, to));
  const done = await importFile(file(0, 990));
  expect(tally(done)).toEqual({ missing_internal: 850, amount_mismatch: 10, matched: 130, missing_external: 10 });
  const fees = named.slice(0, 140).reduce((sum, { fee }) => sum + BigInt(fee), 0n);
  expect(await balance("fees")).toBe(-fees);
  expect((await checkInvariants()).violations).toBe(0);
}, 120_000);

describe("refunds of money in suspense", () => {
  /** A settled refund of late money; returns its reference and its payment. */
  async function refunded(): Promise<{ reference: string; payment: string }> {
    const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
    for (const outcome of ["expired", "succeeded"]) await simulate(merchant.context, intent.id, outcome);
    const { exceptions } = await listExceptionsAcrossMerchants({ merchantId: merchant.merchantId, openOnly: true });
    const proposed = await proposeRefund(merchant.byMember(), exceptions[0]?.id ?? "", "Paid late.");
    await followUpRefund(await confirmRefund(merchant.byMember(), proposed.id), () => new Date());
    return { reference: proposed.reference, payment: intent.dispatchReference };
  }

  it("a line of kind refund settles the movement, and its fee is booked once", async () => {
    const { reference, payment: paidAs } = await refunded();
    const lines = [
      { kind: "payment", reference: paidAs, amount: 1050 },
      { kind: "refund", reference, amount: 1050, fee: 30 },
    ];
    expect(tally(await importFile(csv(lines)))).toEqual({ matched: 2 });
    expect(tally(await importFile(csv(lines)))).toEqual({ matched: 2 });
    expect([await balance("fees"), await openKinds()]).toEqual([-30n, []]);
  });

  it("another sum, a line that names the payment, and a movement without a line are for a person", async () => {
    const { reference, payment: paidAs } = await refunded();
    const paidLine = { kind: "payment", reference: paidAs, amount: 1050 };
    const wrong = await importFile(csv([paidLine, { kind: "refund", reference: paidAs, amount: 1050 }]));
    expect(tally(wrong)).toEqual({ matched: 1, missing_internal: 1, missing_external: 1 });
    expect(
      tally(await importFile(csv([paidLine, { kind: "refund", reference, amount: 1049, lineId: `${day}-other` }]))),
    ).toEqual({
      matched: 1,
      amount_mismatch: 1,
    });
  });
});
