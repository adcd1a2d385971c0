// A provider's report about a merchant of another cell comes to a process that does not know that cell: it is stored where it should
// not be, and workers that know all cells hand it over.
import { expect, it } from "vitest";
import { disconnect } from "@/server/db/client";
import { configureCells, SECOND_CELL } from "@/server/db/testing/second-cell";
import { inCell, inEachCell } from "@/server/platform/cell";
import { newId } from "@/server/platform/ids";
import { signedHeaders } from "@/server/psp/http/signature";
import { makeLiveMerchant, payment } from "@/server/testing/merchant";
import { applyDueCallbacks, receiveCallback } from "../callbacks/receive-callback";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { configureAcme } from "./testing/reported-payment";
import { eu3, main, sql, threeCells } from "./testing/three-cells";

const cells = threeCells();
configureAcme();

const PROCESSES = [
  ["that knows all cells", () => undefined],
  ["without CELLS", () => configureCells(null)],
  ["whose CELLS lack the merchant's", () => configureCells([{ ...SECOND_CELL, url: cells.own[1] }])],
] as const;

it.each(PROCESSES)("a report to a process %s is applied", async (_what, forget) => {
  const { merchantId, context } = await inCell(eu3(), makeLiveMerchant);
  const { intent } = await inCell(eu3(), () => createPaymentIntent(context, payment(), withoutIdempotency()));
  const body = JSON.stringify({
    callback_id: newId("event"),
    merchant_id: merchantId,
    reference: intent.id,
    status: "succeeded",
    amount: "1050",
    currency: "BRL",
    provider_reference: `psp-${intent.id}`,
  });
  await disconnect();
  forget();
  const message = { method: "POST", path: "/providers/acme/callbacks", body };
  const headers = signedHeaders("a secret of at least thirty-two characters", message, new Date());
  await receiveCallback("acme", new Headers(headers), body);
  await cells.pointTo();
  for (let round = 0; round < 2; round += 1) await inEachCell(() => applyDueCallbacks(1_000, 30_000));
  expect(await sql(eu3(), "SELECT status FROM payment_intent WHERE id = $1", intent.id)).toEqual([
    { status: "succeeded" },
  ]);
  expect(await sql(main(), "SELECT FROM exception WHERE resolved_at IS NULL")).toEqual([]);
});
