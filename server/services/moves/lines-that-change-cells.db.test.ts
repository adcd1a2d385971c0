// Lines of the operator's file whose merchant moves between two imports.
import { expect, it } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
import { type Cell, inCell } from "@/server/platform/cell";
import { makeMerchant, payment } from "@/server/testing/merchant";
import { applyUpdate } from "../callbacks/apply-update";
import { withoutIdempotency } from "../idempotency/completion";
import { type AnyIntent, findAnyIntent } from "../intent-kinds";
import { createPaymentIntent } from "../payments/create";
import { reconcile } from "../reconciliation/reconcile";
import { simulate } from "../sandbox/simulate";
import { eu2, main, move, sql, threeCells } from "./testing/three-cells";

threeCells();

const SETTLEMENT = { provider: "sandbox", environment: "test", from: null, to: null } as const;
const HEADER = "line_id,kind,reference,provider_reference,amount,currency,fee,settled_at,batch";
const MONEY =
  "--environment test --from provider_clearing --to available --provider sandbox --currency BRL --amount 1050";
const FEE = MONEY.replace("provider_clearing --to available", "fees --to provider_clearing").replace("1050", "30");

async function importLines(...said: string[]) {
  const bytes = new TextEncoder().encode(`${[HEADER, ...said].join("\n")}\n`);
  const { lines, feesBooked, linesBanked, failedCells } = await reconcile({ ...SETTLEMENT, name: "f.csv", bytes });
  return { verdicts: lines.map(({ verdict }) => verdict), feesBooked, linesBanked, failedCells };
}

/** A failed payment whose first provider is another one now: its lines are nobody's until that provider reports late money. */
async function failedOver(cell: Cell = main()) {
  const { merchantId, context } = await inCell(cell, () => makeMerchant());
  const id = await inCell(cell, async () => {
    const { intent } = await createPaymentIntent(context, payment(), withoutIdempotency());
    await simulate(context, intent.id, "failed");
    return intent.id;
  });
  await sql(
    cell,
    `BEGIN; SET LOCAL session_replication_role = replica; UPDATE payment_intent SET provider = 'other', routing = jsonb_set(routing, '{order}', '["sandbox", "other"]') WHERE id = '${id}'; COMMIT`,
  );
  const day = new Date(Date.now() - 3_600_000).toISOString();
  return {
    merchantId,
    id,
    day,
    fee: `f-${id},fee,${id},f-${id},30,BRL,0,${day},b`,
    async reportLate() {
      const subject = (await findAnyIntent(merchantId, id)) as AnyIntent;
      const money = { amount: 1050n, currency: "BRL", receiptId: "r-1", providerReference: "px" };
      const source = { provider: "sandbox", receivedAt: new Date() };
      await applyUpdate(context, subject, [{ kind: "succeeded", ...money }], source);
    },
  };
}

async function openOf(cell: Cell, lineId: string, owner = "") {
  const find =
    "SELECT id FROM exception WHERE detail->>'line_id' = $1 AND merchant_id = $2 AND resolved_at IS NULL ORDER BY opened_at DESC";
  return String((await sql(cell, find, lineId, owner))[0]?.["id"]);
}

async function book(merchantId: string, words: string, ...about: string[]) {
  const given = ["--merchant", merchantId, ...about, "--operator", "Eva", "--evidence", "seen"];
  const { id, code, message } = await runCommand("journal", "propose", ...words.split(" "), ...given);
  if (typeof id !== "string") return `${String(code)} ${String(message)}`;
  const confirmed = await runCommand("journal", "confirm", "--id", id, "--operator", "Ole");
  return confirmed["state"] ?? `${String(confirmed["code"])} ${String(confirmed["message"])}`;
}

it.each(["stays", "moves"])("a line without a batch is banked by its file's transfer (merchant %s)", async (where) => {
  const one = await failedOver();
  const paid = `l-${one.id},payment,${one.id},p-${one.id},1050,BRL,0,${one.day},`;
  const bank = `b-${one.id},bank_credit,,x-${one.id},1050,BRL,0,${one.day},`;
  expect(await importLines(paid, bank)).toMatchObject({ verdicts: ["missing_internal", "bank"], linesBanked: 0 });
  if (where === "moves") await move(one.merchantId, eu2());
  const cell = where === "stays" ? main() : eu2();
  await inCell(cell, one.reportLate);
  const done = await importLines(paid, bank);
  const open = [
    await openOf(main(), `l-${one.id}`),
    await openOf(cell, `l-${one.id}`),
    await openOf(main(), `b-${one.id}`),
  ];
  expect({ ...done, open }).toEqual({
    verdicts: ["matched", "bank"],
    feesBooked: 0,
    linesBanked: 1,
    failedCells: [],
    open: ["undefined", "undefined", "undefined"],
  });
});

it.each(["stays", "moves"])(
  "a line that was booked by hand is not booked again under its line_id when the provider corrects it (merchant %s)",
  async (where) => {
    const one = await failedOver();
    const line = (amount: number) => `l-${one.id},payment,${one.id},p-${one.id},${amount},BRL,0,${one.day},b`;
    expect((await importLines(line(1050))).verdicts).toEqual(["missing_internal"]);
    expect(await book(one.merchantId, MONEY, "--exception", await openOf(main(), `l-${one.id}`))).toBe("confirmed");
    if (where === "moves") await move(one.merchantId, eu2());
    const cell = where === "stays" ? main() : eu2();
    expect((await importLines(line(1040))).verdicts).toEqual(["duplicate"]);
    const again = await openOf(cell, `l-${one.id}`);
    expect(again).toMatch(/^exc_/);
    expect(await book(one.merchantId, MONEY.replace("1050", "1040"), "--exception", again)).toMatch(
      /^validation_failed/,
    );
  },
);

it.each([
  ["the same cell", main],
  ["another cell", eu2],
])(
  "a fee of nobody that was booked by hand is not booked again under its line_id for a merchant of %s",
  async (_, cellOf) => {
    const [payer, other] = [await failedOver(cellOf()), await failedOver()];
    const line = (reference: string) => `f-${payer.id},fee,${reference},f-${payer.id},30,BRL,0,${payer.day},b`;
    expect((await importLines(line(""))).verdicts).toEqual(["fee"]);
    expect(await book(other.merchantId, FEE, "--exception", await openOf(main(), `f-${payer.id}`))).toBe("confirmed");
    expect((await importLines(line(payer.id))).verdicts).toEqual(["duplicate"]);
    const again = await openOf(cellOf(), `f-${payer.id}`);
    expect(again).toMatch(/^exc_/);
    expect(await book(payer.merchantId, FEE, "--exception", again)).toMatch(/^validation_failed/);
  },
);
