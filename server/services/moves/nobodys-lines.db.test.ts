// Lines of the operator's settlement file that were nobody's at first, and then a merchant's that has moved.
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { moveByHand } from "@/server/db/testing/move-by-hand";
import { inCell } from "@/server/platform/cell";
import { reachEveryMerchant } from "@/server/platform/reach";
import { makeMerchant, payment } from "@/server/testing/merchant";
import { catchStandardError } from "@/server/testing/standard-error";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { reconcile } from "../reconciliation/reconcile";
import { simulate } from "../sandbox/simulate";
import { eu2, main, move, openThreeCells, sql, type ThreeCells } from "./testing/three-cells";

vi.setConfig({ testTimeout: 600_000, hookTimeout: 120_000 });

let cells: ThreeCells;
beforeAll(async () => {
  reachEveryMerchant();
  catchStandardError();
  cells = await openThreeCells();
});
afterEach(() => cells.pointTo());
afterAll(() => cells.end());

it("a nobody's duplicate in a cell does not keep the merchant from coming back to it", async () => {
  const merchant = await inCell(main(), () => makeMerchant());
  const { merchantId } = merchant;
  const id = await inCell(main(), async () => {
    const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
    return intent.id;
  });
  // As a payment that failed over to another provider before the first one reported its money.
  const provider = (name: string) =>
    sql(
      main(),
      `BEGIN; SET LOCAL session_replication_role = replica; UPDATE payment_intent SET provider = '${name}', routing = jsonb_set(routing, '{order}', '["sandbox", "other"]') WHERE id = '${id}'; COMMIT`,
    );
  const header = "line_id,kind,reference,provider_reference,amount,currency,fee,settled_at,batch";
  const day = new Date(Date.now() - 3_600_000).toISOString();
  const other = `l-${id},bank_credit,,x-${id},77,BRL,0,${day},x`;
  const own = `l-${id},payment,${id},p-${id},1050,BRL,0,${day},b`;
  const run = async (name: string, ...lines: string[]) => {
    const file = { name, bytes: new TextEncoder().encode([header, ...lines, ""].join("\n")), from: null, to: null };
    return (await reconcile({ provider: "sandbox", environment: "test", ...file })).lines.map(({ verdict }) => verdict);
  };
  await provider("other");
  // The provider has given the line_id to another line before.
  const before = await run("a.csv", other);
  const nobodys = await run("b.csv", own);
  expect(nobodys).toEqual(["duplicate"]);
  await provider("sandbox");
  await inCell(main(), () => simulate(merchant.context, id, "succeeded"));
  await moveByHand(main(), eu2(), merchantId);
  const matched = await run("b.csv", own);
  expect(matched).toEqual(["matched"]);
  const back = await move(merchantId, main());
  expect({ before, nobodys, matched, back }).toMatchObject({ back: { phase: "done" } });
});

it("a line that was nobody's at first does not keep the merchant from coming back", async () => {
  const merchant = await inCell(main(), () => makeMerchant());
  const { merchantId } = merchant;
  const id = await inCell(main(), async () => {
    const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
    return intent.id;
  });
  // As a payment that failed over to another provider before the first one reported its money.
  const provider = (name: string) =>
    sql(
      main(),
      `BEGIN; SET LOCAL session_replication_role = replica; UPDATE payment_intent SET provider = '${name}', routing = jsonb_set(routing, '{order}', '["sandbox", "other"]') WHERE id = '${id}'; COMMIT`,
    );
  const header = "line_id,kind,reference,provider_reference,amount,currency,fee,settled_at,batch";
  const day = new Date(Date.now() - 3_600_000).toISOString();
  const text = `${header}\nl-${id},payment,${id},p-${id},1050,BRL,0,${day},b\n`;
  const file = { name: "f.csv", bytes: new TextEncoder().encode(text), from: null, to: null };
  const run = async () =>
    (await reconcile({ provider: "sandbox", environment: "test", ...file })).lines.map(({ verdict }) => verdict);
  await provider("other");
  const nobodys = await run();
  await provider("sandbox");
  await inCell(main(), () => simulate(merchant.context, id, "succeeded"));
  const there = await move(merchantId, eu2());
  const matched = await run();
  const back = await move(merchantId, main());
  expect({ nobodys, there, matched, back }).toMatchObject({
    nobodys: ["missing_internal"],
    there: { phase: "done" },
    matched: ["matched"],
    back: { phase: "done" },
  });
});
