// A line of nobody that a member of its merchant uploads, too.
import { expect, it } from "vitest";
import type { CallContext } from "@/server/domain/scope";
import { type Cell, inCell } from "@/server/platform/cell";
import { withinMerchant } from "@/server/platform/reach";
import { makeMember, makeMerchant, payment } from "@/server/testing/merchant";
import { applyUpdate } from "../callbacks/apply-update";
import { withoutIdempotency } from "../idempotency/completion";
import { type AnyIntent, findAnyIntent } from "../intent-kinds";
import { createPaymentIntent } from "../payments/create";
import { reconcile } from "../reconciliation/reconcile";
import { previewUpload, storeUpload } from "../reconciliation/upload";
import { simulate } from "../sandbox/simulate";
import { eu2, main, move, sql, threeCells } from "./testing/three-cells";

threeCells();

const HEADER = "line_id,kind,reference,provider_reference,amount,currency,fee,settled_at,batch";

/** A payment that failed over, whose line is nobody's in the first cell. */
async function lineOfNobody() {
  const { merchantId, context } = await inCell(main(), () => makeMerchant());
  const id = await inCell(main(), async () => {
    const { intent: paid } = await createPaymentIntent(context, payment(), withoutIdempotency());
    await simulate(context, paid.id, "succeeded");
    const { intent } = await createPaymentIntent(context, payment(), withoutIdempotency());
    await simulate(context, intent.id, "failed");
    return intent.id;
  });
  await sql(
    main(),
    `BEGIN; SET LOCAL session_replication_role = replica; UPDATE payment_intent SET provider = 'other', routing = jsonb_set(routing, '{order}', '["sandbox", "other"]') WHERE id = '${id}'; COMMIT`,
  );
  const day = new Date(Date.now() - 3_600_000).toISOString();
  const text = `${HEADER}\nl-${id},payment,${id},p-${id},1050,BRL,0,${day},b\n`;
  return {
    merchantId,
    async run() {
      const bytes = new TextEncoder().encode(text);
      const done = await reconcile({
        provider: "sandbox",
        environment: "test",
        from: null,
        to: null,
        name: "f",
        bytes,
      });
      return done.lines.map(({ verdict }) => verdict);
    },
    async openIn(cell: Cell) {
      const open =
        "SELECT id FROM exception WHERE object_id = $1 AND resolved_at IS NULL AND kind = 'missing_internal'";
      return (await sql(cell, open, id)).length;
    },
    /** The first provider reports the money, and a member uploads its file. */
    async upload() {
      const subject = (await findAnyIntent(merchantId, id)) as AnyIntent;
      const money = { amount: 1050n, currency: "BRL", receiptId: "r-1", providerReference: "px" };
      const source = { provider: "sandbox", receivedAt: new Date() };
      await applyUpdate(context, subject, [{ kind: "succeeded", ...money }], source);
      const member = await makeMember(merchantId, "finance@shop.example", "finance");
      const of: CallContext = { ...context, actor: { type: "member", id: member } };
      return withinMerchant(merchantId, async () => {
        const file = { provider: "sandbox", name: "m.csv", text };
        const { digest } = await previewUpload(of, file);
        return storeUpload(of, { ...file, digest });
      });
    },
  };
}

it("is not missing any more once it was uploaded in another cell and the merchant is back", async () => {
  const nobodys = await lineOfNobody();
  expect(await nobodys.run()).toEqual(["missing_internal"]);
  expect(await nobodys.openIn(main())).toBe(1);
  expect(await move(nobodys.merchantId, eu2())).toMatchObject({ phase: "done" });
  await inCell(eu2(), nobodys.upload);
  expect(await move(nobodys.merchantId, main())).toMatchObject({ phase: "done" });
  expect(await nobodys.run()).toEqual(["matched"]);
  expect(await nobodys.openIn(main())).toBe(0);
});

it("cannot be uploaded where it is, until the operator's next import finds whose it is", async () => {
  const nobodys = await lineOfNobody();
  await nobodys.run();
  await expect(inCell(main(), nobodys.upload)).rejects.toMatchObject({ code: "validation_failed" });
  expect(await nobodys.run()).toEqual(["matched"]);
  expect(await nobodys.openIn(main())).toBe(0);
});
