// A provider uses the id of a line again, about the intent of another merchant, which has moved.
import { expect, it } from "vitest";
import { type Cell, inCell } from "@/server/platform/cell";
import { makeMerchant, payment } from "@/server/testing/merchant";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { reconcile } from "../reconciliation/reconcile";
import { simulate } from "../sandbox/simulate";
import { eu2, main, move, sql, threeCells } from "./testing/three-cells";

threeCells();

const SETTLEMENT = { provider: "sandbox", environment: "test", from: null, to: null } as const;
const HEADER = "line_id,kind,reference,provider_reference,amount,currency,fee,settled_at,batch";

async function run(line: string) {
  const bytes = new TextEncoder().encode(`${HEADER}\n${line}\n`);
  const { lines, feesBooked } = await reconcile({ ...SETTLEMENT, name: "f.csv", bytes });
  return { verdict: lines[0]?.verdict, feesBooked };
}

async function makePaying() {
  const { merchantId, context } = await inCell(main(), () => makeMerchant());
  const id = await inCell(main(), async () => {
    const { intent } = await createPaymentIntent(context, payment(), withoutIdempotency());
    await simulate(context, intent.id, "succeeded");
    return intent.id;
  });
  return { merchantId, id };
}

it.each([
  ["stays", null],
  ["has moved", eu2],
] as [string, (() => Cell) | null][])("a fee is charged once: the other merchant %s", async (_what, to) => {
  const [one, other] = [await makePaying(), await makePaying()];
  if (to) await move(other.merchantId, to());
  const day = new Date(Date.now() - 3_600_000).toISOString();
  const fee = (id: string) => `l-${one.id},fee,${id},p-${one.id},30,BRL,0,${day},b`;
  expect(await run(fee(one.id))).toEqual({ verdict: "fee", feesBooked: 1 });
  expect(await run(fee(other.id))).toEqual({ verdict: "duplicate", feesBooked: 0 });
  const charged = "SELECT id FROM ledger_transaction WHERE merchant_id = $1 AND reason = 'provider_fee'";
  expect(await sql(to ? to() : main(), charged, other.merchantId)).toEqual([]);
});

it.each([
  ["stays", null],
  ["has moved", eu2],
] as [string, (() => Cell) | null][])(
  "within one file, a fee is charged once: the other merchant %s",
  async (_what, to) => {
    const [one, other] = [await makePaying(), await makePaying()];
    if (to) await move(other.merchantId, to());
    const day = new Date(Date.now() - 3_600_000).toISOString();
    const fee = (id: string) => `l-${one.id},fee,${id},p-${one.id},30,BRL,0,${day},b`;
    expect(await run(`${fee(one.id)}\n${fee(other.id)}`)).toMatchObject({ feesBooked: 1 });
  },
);
