// Lines of the operator's settlement file that were nobody's at first, and then a merchant's that has moved.
import { expect, it } from "vitest";
import { moveByHand } from "@/server/db/testing/move-by-hand";
import { inCell } from "@/server/platform/cell";
import { makeMerchant, payment } from "@/server/testing/merchant";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { reconcile } from "../reconciliation/reconcile";
import { simulate } from "../sandbox/simulate";
import { eu2, main, move, sql, threeCells } from "./testing/three-cells";

threeCells();

const SETTLEMENT = { provider: "sandbox", environment: "test", from: null, to: null } as const;
const HEADER = "line_id,kind,reference,provider_reference,amount,currency,fee,settled_at,batch";

const bytesOf = (line: string) => new TextEncoder().encode(`${HEADER}\n${line}\n`);

/**
 * A payment that failed over to another provider before the first one, whose file has its line, reported its money. Nothing has
 * the line until `settle` books it.
 */
async function lineOfNobody() {
  const merchant = await inCell(main(), () => makeMerchant());
  const id = await inCell(main(), async () => {
    const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
    return intent.id;
  });
  const setProvider = (name: string) =>
    sql(
      main(),
      `BEGIN; SET LOCAL session_replication_role = replica; UPDATE payment_intent SET provider = '${name}', routing = jsonb_set(routing, '{order}', '["sandbox", "other"]') WHERE id = '${id}'; COMMIT`,
    );
  await setProvider("other");
  const day = new Date(Date.now() - 3_600_000).toISOString();
  const run = async (line: string) => {
    const { lines } = await reconcile({ ...SETTLEMENT, name: "f.csv", bytes: bytesOf(line) });
    return lines.map(({ verdict }) => verdict);
  };
  return {
    merchantId: merchant.merchantId,
    line: `l-${id},payment,${id},p-${id},1050,BRL,0,${day},b`,
    /** Another line with its `line_id`. */
    namesake: `l-${id},bank_credit,,x-${id},77,BRL,0,${day},x`,
    run,
    async settle() {
      await setProvider("sandbox");
      await inCell(main(), () => simulate(merchant.context, id, "succeeded"));
    },
  };
}

it("a line that was missing does not keep the merchant from coming back", async () => {
  const { merchantId, line, run, settle } = await lineOfNobody();
  expect(await run(line)).toEqual(["missing_internal"]);
  await settle();
  expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
  expect(await run(line)).toEqual(["matched"]);
  expect(await move(merchantId, main())).toMatchObject({ phase: "done" });
});

it("a line that was a duplicate, by its line_id, does not keep the merchant from coming back", async () => {
  const { merchantId, line, namesake, run, settle } = await lineOfNobody();
  await run(namesake);
  expect(await run(line)).toEqual(["duplicate"]);
  await settle();
  await moveByHand(main(), eu2(), merchantId);
  expect(await run(line)).toEqual(["matched"]);
  expect(await move(merchantId, main())).toMatchObject({ phase: "done" });
});

it("the exception of a line that was missing ends where it is once the line is found in the new cell", async () => {
  const { merchantId, line, run, settle } = await lineOfNobody();
  const open = () =>
    sql(main(), "SELECT id FROM exception WHERE object_id = $1 AND resolved_at IS NULL", line.split(",")[2]);
  await run(line);
  expect(await open()).toHaveLength(1);
  await settle();
  expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
  expect(await run(line)).toEqual(["matched"]);
  expect(await open()).toEqual([]);
});

it("what moved between two files is missed, also in a cell that was added after the first one", async () => {
  const merchant = await inCell(main(), () => makeMerchant());
  const imported = async (at: Date) => {
    const line = `l-${at.getTime()},payment,unknown-${at.getTime()},p,1,BRL,0,${at.toISOString()},b`;
    return reconcile({ ...SETTLEMENT, name: "f.csv", bytes: bytesOf(line) });
  };
  await imported(new Date(Date.now() - 3_600_000));
  // As in a cell that was added now.
  await sql(
    eu2(),
    "BEGIN; SET LOCAL session_replication_role = replica; DELETE FROM settlement_line; DELETE FROM settlement_file; COMMIT",
  );
  const id = await inCell(main(), async () => {
    const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
    await simulate(merchant.context, intent.id, "succeeded");
    return intent.id;
  });
  expect(await move(merchant.merchantId, eu2())).toMatchObject({ phase: "done" });
  const { unsettled } = await imported(new Date(Date.now() + 1_000));
  expect(unsettled.map(({ intentId }) => intentId)).toContain(id);
});
