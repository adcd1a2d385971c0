// A bank transfer that was booked by hand for a merchant that has moved to a cell which this process does not know yet.
import { afterEach, expect, it } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
import { disconnect } from "@/server/db/client";
import { configureCells, SECOND_CELL } from "@/server/db/testing/second-cell";
import { type Cell, inCell } from "@/server/platform/cell";
import { makeMerchant, payment } from "@/server/testing/merchant";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { reconcile } from "../reconciliation/reconcile";
import { simulate } from "../sandbox/simulate";
import { eu2, eu3, main, move, sql, threeCells } from "./testing/three-cells";

const cells = threeCells();
afterEach(() => cells.pointTo());

const SETTLEMENT = { provider: "sandbox", environment: "test", from: null, to: null } as const;
const HEADER = "line_id,kind,reference,provider_reference,amount,currency,fee,settled_at,batch";
const BANK =
  "--environment test --from bank --to provider_clearing --provider sandbox --currency BRL --amount 1020 --operator Eva --evidence seen";

async function run(...said: string[]) {
  const bytes = new TextEncoder().encode(`${[HEADER, ...said].join("\n")}\n`);
  const done = await reconcile({ ...SETTLEMENT, name: "f.csv", bytes });
  return { verdicts: done.lines.map(({ verdict }) => verdict), banked: done.linesBanked, failed: done.failedCells };
}

async function inBank(all: readonly Cell[]): Promise<bigint> {
  let sum = 0n;
  for (const cell of all) {
    const text =
      "SELECT coalesce(sum(e.amount), 0)::text AS sum FROM ledger_entry e JOIN merchant m ON m.id = e.merchant_id WHERE e.kind = 'bank'";
    const [row] = await sql(cell, text);
    sum += BigInt(String(row?.["sum"]));
  }
  return sum;
}

it("is not booked again", async () => {
  const all = [main(), eu2(), eu3()];
  const theirs = await inCell(eu2(), () => makeMerchant());
  const reference = await inCell(eu2(), async () => {
    const { intent } = await createPaymentIntent(theirs.context, payment(), withoutIdempotency());
    await simulate(theirs.context, intent.id, "succeeded");
    return intent.id;
  });
  const ours = await inCell(main(), () => makeMerchant());
  const day = new Date(Date.now() - 3_600_000).toISOString();
  const batch = `b-${reference}`;
  const paid = `l-${reference},payment,${reference},p-${reference},1050,BRL,0,${day},${batch}`;
  const bank = `b-${reference},bank_credit,,x-${reference},1020,BRL,0,${day},${batch}`;
  const fee = `f-${reference},fee,${reference},f-${reference},30,BRL,0,${day},${batch}`;
  await run(paid, bank);
  const [missing] = await sql(main(), "SELECT id FROM exception WHERE object_id = $1", `b-${reference}`);
  const about = ["--merchant", ours.merchantId, "--exception", String(missing?.["id"])];
  const { id } = await runCommand("journal", "propose", ...BANK.split(" "), ...about);
  await runCommand("journal", "confirm", "--id", String(id), "--operator", "Ole");
  expect(await move(ours.merchantId, eu3())).toMatchObject({ phase: "done" });
  const before = await inBank(all);
  await disconnect();
  configureCells([{ ...SECOND_CELL, url: cells.own[1] }]);
  await run(paid, bank, fee).catch(() => undefined);
  expect(await inBank(all)).toBe(before);
});
