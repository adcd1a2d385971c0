// A callback that a restored cell could not apply, while it still had the merchant in an older state.
import { expect, it } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
import { inCell, inEachCell } from "@/server/platform/cell";
import { newId } from "@/server/platform/ids";
import { signedHeaders } from "@/server/psp/http/signature";
import { makeLiveMerchant, payment } from "@/server/testing/merchant";
import { applyDueCallbacks, receiveCallback } from "../callbacks/receive-callback";
import { settleStays } from "../cells/settle-stays";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { configureAcme, passTenSeconds } from "./testing/reported-payment";
import { fenceIn } from "./testing/rows";
import { eu2, main, move, sql, threeCells } from "./testing/three-cells";

const cells = threeCells();
configureAcme();

const SECRET = "a secret of at least thirty-two characters";
const AWAY = "postgresql://nobody:x@127.0.0.1:1/none";

it.each(["once the older copy is closed", "with the rows of the older copy"])(
  "a callback that a restored cell could not apply goes to the newer cell %s",
  async (when) => {
    const { merchantId, context } = await inCell(main(), makeLiveMerchant);
    const earlier = await cells.backUp(main());
    const { intent } = await inCell(main(), () => createPaymentIntent(context, payment(), withoutIdempotency()));
    expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
    // main was restored, and eu2 does not answer for an hour.
    await cells.pointTo([earlier, AWAY]);
    passTenSeconds();
    const body = JSON.stringify({
      callback_id: newId("event"),
      merchant_id: merchantId,
      reference: intent.id,
      status: "succeeded",
      amount: "1050",
      currency: "BRL",
      provider_reference: `psp-${intent.id}`,
    });
    const message = { method: "POST", path: "/providers/acme/callbacks", body };
    await receiveCallback("acme", new Headers(signedHeaders(SECRET, message, new Date())), body);
    for (let round = 0; round < 17; round += 1) {
      await sql(main(), "UPDATE provider_callback SET due_at = now() WHERE due_at IS NOT NULL");
      await inCell(main(), () => applyDueCallbacks(1_000, 30_000));
    }
    const result = async () =>
      (await sql(main(), "SELECT result FROM provider_callback WHERE body = $1", body))[0]?.["result"];
    expect(await result()).toBe("unmatched");
    await cells.pointTo([earlier]);
    await inEachCell(settleStays);
    expect(await fenceIn(main(), merchantId)).toBe("left eu2");
    if (when === "with the rows of the older copy") {
      // As if eu2 had been away for another hour.
      await sql(
        main(),
        `BEGIN; SET LOCAL session_replication_role = replica;
       UPDATE provider_callback SET result = 'unmatched', due_at = NULL, applied_at = now() WHERE provider = 'acme'; COMMIT`,
      );
      await runCommand("merchants", "drop-copy", "--merchant", merchantId, "--from", "main");
    }
    for (let round = 0; round < 5; round += 1) {
      await inEachCell(() => sql(main(), "UPDATE provider_callback SET due_at = now() WHERE due_at IS NOT NULL"));
      await inEachCell(() => applyDueCallbacks(1_000, 30_000));
    }
    const exceptions = (await runCommand("exceptions", "list"))["data"];
    const [row] = await sql(eu2(), "SELECT status FROM payment_intent WHERE id = $1", intent.id);
    expect({ status: row?.["status"], callback: await result(), exceptions }).toMatchObject({ status: "succeeded" });
  },
);
