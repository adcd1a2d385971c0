// What the operator has paused stays so while the merchant moves.
import { describe, expect, it } from "vitest";
import { query } from "@/server/db/client";
import { fence, unfence } from "@/server/db/testing/move-by-hand";
import { inCell } from "@/server/platform/cell";
import { withinMerchant } from "@/server/platform/reach";
import { makeMerchant, payment } from "@/server/testing/merchant";
import { pauseDispatch } from "../dispatch/control";
import { forgetPauses, isDispatchPaused } from "../dispatch/paused";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { eu2, main, threeCells } from "./testing/three-cells";

threeCells();

describe("a merchant whose dispatch the operator has paused", () => {
  async function pausedOne() {
    const merchant = await inCell(main(), () => makeMerchant());
    const { merchantId } = merchant;
    await inCell(main(), () => pauseDispatch({ provider: null, merchantId, currency: null }, "Suspected fraud"));
    const isPaused = () =>
      inCell(main(), () =>
        withinMerchant(merchantId, () =>
          isDispatchPaused({ table: "payment_intent", provider: "sandbox", merchantId, currency: "BRL" }),
        ),
      );
    /** Calls that a new payment makes. */
    const calls = () =>
      inCell(main(), () =>
        withinMerchant(merchantId, async () => {
          const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
          return (await query("SELECT FROM provider_attempt WHERE intent_id = $1", intent.id)).length;
        }),
      );
    expect([await isPaused(), await calls()]).toEqual([true, 0]);
    return { merchantId, isPaused, calls };
  }

  it("sends nothing while its move closes it", async () => {
    const { merchantId, isPaused, calls } = await pausedOne();
    await fence(main(), merchantId, "closing", eu2());
    await inCell(main(), async () => forgetPauses());
    const during = [await isPaused(), await calls()];
    await unfence(main(), merchantId);
    expect(during).toEqual([true, 0]);
  });

  it("sends nothing right after it has arrived in a cell whose processes have just read its pauses", async () => {
    const { merchantId, isPaused, calls } = await pausedOne();
    await fence(main(), merchantId, "arriving", eu2());
    // The work of another merchant reads them.
    await inCell(main(), async () => {
      forgetPauses();
      await isDispatchPaused({
        table: "payment_intent",
        provider: "sandbox",
        merchantId: "mer_other",
        currency: "BRL",
      });
    });
    await unfence(main(), merchantId);
    expect([await isPaused(), await calls()]).toEqual([true, 0]);
  });
});
