// A fee that was nobody's in the cell from which its merchant has come back, was booked by hand there, and is repeated.
import { expect, it } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
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
const FEE =
  "--environment test --from fees --to provider_clearing --provider sandbox --currency BRL --amount 1050 --evidence seen --operator Eva";

async function run(line: string) {
  const bytes = new TextEncoder().encode(`${HEADER}\n${line}\n`);
  const { lines, feesBooked } = await reconcile({ ...SETTLEMENT, name: "f.csv", bytes });
  return { verdict: lines[0]?.verdict, feesBooked };
}

it.each([
  ["stays", []],
  ["has moved", [eu2]],
  ["has moved and come back", [eu2, main]],
] as [string, (() => Cell)[]][])("is charged once for a merchant that %s", async (_what, course) => {
  const { merchantId, context } = await inCell(main(), () => makeMerchant());
  const id = await inCell(main(), async () => {
    const { intent } = await createPaymentIntent(context, payment(), withoutIdempotency());
    await simulate(context, intent.id, "failed");
    return intent.id;
  });
  let at = main();
  const setProvider = (name: string) =>
    sql(
      at,
      `BEGIN; SET LOCAL session_replication_role = replica; UPDATE payment_intent SET provider = '${name}', routing = jsonb_set(routing, '{order}', '["sandbox", "other"]') WHERE id = '${id}'; COMMIT`,
    );
  await setProvider("other");
  const go = async (to: Cell) => {
    expect(await move(merchantId, to)).toMatchObject({ phase: "done" });
    at = to;
  };
  // The fee is nobody's in the cell before the last one.
  for (const to of course.slice(0, -1)) await go(to());
  const fee = (day: Date, batch: string) => `l-${id},fee,${id},p-${id},1050,BRL,0,${day.toISOString()},${batch}`;
  expect(await run(fee(new Date(Date.now() - 3_600_000), "b"))).toEqual({ verdict: "missing_internal", feesBooked: 0 });
  const [missing] = await sql(at, "SELECT id FROM exception WHERE object_id = $1 AND resolved_at IS NULL", id);
  const about = ["--merchant", merchantId, "--exception", String(missing?.["id"])];
  const proposed = await runCommand("journal", "propose", ...FEE.split(" "), ...about);
  const confirmed = await runCommand("journal", "confirm", "--id", String(proposed["id"]), "--operator", "Ole");
  expect(confirmed).toMatchObject({ state: "confirmed" });
  await setProvider("sandbox");
  for (const to of course.slice(-1)) await go(to());
  // The provider repeats it, with another date.
  const again = await run(fee(new Date(), "c"));
  const booked = "SELECT reason FROM ledger_transaction WHERE merchant_id = $1 AND reason <> 'funding'";
  expect({ again, booked: await sql(at, booked, merchantId) }).toEqual({
    again: { verdict: "duplicate", feesBooked: 0 },
    booked: [{ reason: "journal" }],
  });
});
