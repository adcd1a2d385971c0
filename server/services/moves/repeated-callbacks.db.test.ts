// A callback that its provider repeats, after the cell that applied it has lost the merchant to another one.
import { beforeEach, expect, it } from "vitest";
import { inCell, inEachCell } from "@/server/platform/cell";
import { newId } from "@/server/platform/ids";
import { acceptCallbacks, sendCallback } from "@/server/testing/callbacks";
import { makeLiveMerchant } from "@/server/testing/merchant";
import { installScriptedProvider } from "@/server/testing/scripted-provider";
import { scriptedTopup } from "@/server/testing/topup";
import { applyDueCallbacks } from "../callbacks/receive-callback";
import { settleException } from "../exceptions/settle";
import { eu2, eu3, main, move, sql, threeCells } from "./testing/three-cells";

threeCells();
beforeEach(() => {
  installScriptedProvider();
  acceptCallbacks();
});

it.each(["never moved", "went away and came back", "went on to a third cell"])(
  "of a merchant that %s is applied once",
  async (course) => {
    const merchant = await inCell(main(), makeLiveMerchant);
    const policies = { overpayment: "hold", underpayment: "hold", latePayment: "hold" } as const;
    const intent = await inCell(main(), () => scriptedTopup(merchant, { policies }));
    const work = async () => {
      for (let round = 0; round < 3; round += 1)
        await inEachCell(async () => {
          while ((await applyDueCallbacks(50, 30_000)) > 0);
        });
    };
    const money = (amount: bigint) => ({
      amount: amount.toString(),
      currency: "USDT",
      provider_reference: null,
      confirmed: true,
    });
    const paid = { callback_id: newId("event"), status: "funds_seen", ...money(intent.sourceAmount) };
    const dropped = { callback_id: newId("event"), status: "funds_dropped", ...money(0n) };
    const away = course !== "never moved";
    if (away) await move(merchant.merchantId, eu2());
    await sendCallback(intent, paid);
    await work();
    await sendCallback(intent, dropped);
    await work();
    // The provider says that the funds are there after all, and the operator decides so.
    const home = away ? eu2() : main();
    const [short] = await sql(
      home,
      "SELECT id FROM exception WHERE object_id = $1 AND kind = 'funds_dropped'",
      intent.id,
    );
    await inCell(home, async () => {
      const member = merchant.byMember();
      const operator = { ...member, actor: { ...member.actor, statedAddress: "eva@shop.example" } };
      await settleException(operator, String(short?.["id"]), "restore", "It came back.");
    });
    const last = course === "went on to a third cell" ? eu3() : main();
    if (away) await move(merchant.merchantId, last);
    expect(await sql(last, "SELECT FROM merchant WHERE id = $1", merchant.merchantId)).toHaveLength(1);
    const books = () =>
      sql(
        last,
        `SELECT t.reason, t.unique_key, split_part(e.kind, ':', 1) AS kind, e.currency, e.amount::text FROM ledger_transaction t
       JOIN ledger_entry e ON e.merchant_id = t.merchant_id AND e.transaction_id = t.id
       WHERE t.merchant_id = $1 AND t.intent_id = $2 ORDER BY t.id, e.kind`,
        merchant.merchantId,
        intent.id,
      );
    const before = await books();
    expect(before.length).toBeGreaterThan(2);
    // Its answer was lost, so the provider sends it again.
    await sendCallback(intent, dropped);
    await work();
    expect(await books()).toEqual(before);
  },
);
