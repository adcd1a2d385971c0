// A fee of nobody in one cell that an import has charged in another, while the first one did not answer.
import { expect, it } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
import { type Cell, inCell } from "@/server/platform/cell";
import { makeMerchant, payment } from "@/server/testing/merchant";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { reconcile } from "../reconciliation/reconcile";
import { simulate } from "../sandbox/simulate";
import { eu2, main, move, sql, threeCells } from "./testing/three-cells";

const cells = threeCells();

const SETTLEMENT = { provider: "sandbox", environment: "test", from: null, to: null } as const;
const HEADER = "line_id,kind,reference,provider_reference,amount,currency,fee,settled_at,batch";
const FEE =
  "--environment test --from fees --to provider_clearing --provider sandbox --currency BRL --amount 1050 --evidence seen --operator Eva";

async function run(line: string) {
  const bytes = new TextEncoder().encode(`${HEADER}\n${line}\n`);
  const { lines, feesBooked, failedCells } = await reconcile({ ...SETTLEMENT, name: "f.csv", bytes });
  return { verdict: lines[0]?.verdict, feesBooked, failedCells };
}

it.each([false, true])("is not booked by hand once more (the cell did not answer: %s)", async (isAway) => {
  const { merchantId, context } = await inCell(main(), () => makeMerchant());
  const id = await inCell(main(), async () => {
    const { intent } = await createPaymentIntent(context, payment(), withoutIdempotency());
    await simulate(context, intent.id, "failed");
    return intent.id;
  });
  const setProvider = (cell: Cell, name: string) =>
    sql(
      cell,
      `BEGIN; SET LOCAL session_replication_role = replica; UPDATE payment_intent SET provider = '${name}', routing = jsonb_set(routing, '{order}', '["sandbox", "other"]') WHERE id = '${id}'; COMMIT`,
    );
  await setProvider(main(), "other");
  expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
  const fee = `l-${id},fee,${id},p-${id},1050,BRL,0,${new Date(Date.now() - 3_600_000).toISOString()},b`;
  expect(await run(fee)).toMatchObject({ verdict: "missing_internal", feesBooked: 0 });
  await setProvider(eu2(), "sandbox");
  expect(await move(merchantId, main())).toMatchObject({ phase: "done" });
  if (isAway) await cells.pointTo([null, "postgres://127.0.0.1:9/away"]);
  await run(fee);
  await cells.pointTo();
  expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
  const [missing] = await sql(
    eu2(),
    "SELECT id FROM exception WHERE object_id = $1 AND kind = 'missing_internal' ORDER BY resolved_at NULLS FIRST",
    id,
  );
  const about = ["--merchant", merchantId, "--exception", String(missing?.["id"])];
  const proposed = await runCommand("journal", "propose", ...FEE.split(" "), ...about);
  if (typeof proposed["id"] === "string")
    await runCommand("journal", "confirm", "--id", proposed["id"], "--operator", "Ole");
  const booked = "SELECT reason FROM ledger_transaction WHERE merchant_id = $1 AND reason <> 'funding'";
  expect(await sql(eu2(), booked, merchantId)).toEqual([{ reason: "provider_fee" }]);
});
