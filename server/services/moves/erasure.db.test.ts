// A payer is erased while a killed move of the merchant has left its rows in two cells.
import { expect, it } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
import { inCell } from "@/server/platform/cell";
import { makeMerchant, payment } from "@/server/testing/merchant";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { simulate } from "../sandbox/simulate";
import { eu2, killedAt, main, move, sql, threeCells } from "./testing/three-cells";

threeCells();

it("is refused until the move is finished, and erases the payer from both", async () => {
  const { merchantId, context } = await inCell(main(), () => makeMerchant());
  await inCell(main(), async () => {
    const customer = { name: "Ana Souza", email: "ana@payer.example", reference: "payer-1" };
    const { intent } = await createPaymentIntent(context, payment({ customer }), withoutIdempotency());
    await simulate(context, intent.id, "succeeded");
  });
  await killedAt(/UPDATE merchant_move SET paused_ms/, merchantId, eu2());
  const erase = () => runCommand("payers", "erase", "--merchant", merchantId, "--reference", "payer-1");
  expect(await erase()).toMatchObject({ code: "validation_failed" });
  expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
  expect(await erase()).toMatchObject({ payments_erased: 1 });
  const named = "SELECT id FROM payment_intent WHERE merchant_id = $1 AND customer IS NOT NULL";
  for (const cell of [main(), eu2()]) expect(await sql(cell, named, merchantId)).toEqual([]);
});
