// A callback about a top-up that comes again, of a provider that numbers callbacks per merchant.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type Cell, inCell, inEachCell } from "@/server/platform/cell";
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

afterEach(() => void vi.restoreAllMocks());

const HOLD = { overpayment: "hold", underpayment: "hold", latePayment: "hold" } as const;

async function applyCallbacks(): Promise<void> {
  for (let round = 0; round < 3; round += 1)
    await inEachCell(async () => {
      while ((await applyDueCallbacks(50, 30_000)) > 0);
    });
}

/** A top-up of a new merchant in the first cell. */
async function makeTopup() {
  const merchant = await inCell(main(), makeLiveMerchant);
  const { merchantId } = merchant;
  const intent = await inCell(main(), () => scriptedTopup(merchant, { policies: HOLD }));
  const money = (amount: bigint) => {
    return { amount: amount.toString(), currency: "USDT", provider_reference: null, confirmed: true };
  };
  const paid = { callback_id: newId("event"), status: "funds_seen", ...money(intent.sourceAmount) };
  const dropped = { callback_id: newId("event"), status: "funds_dropped", ...money(0n) };
  const sendDropped = async () => {
    await sendCallback(intent, dropped);
    await applyCallbacks();
  };
  return {
    merchantId,
    droppedId: dropped.callback_id,
    sendDropped,
    /** Its funds are seen, and reported gone. The provider says that they are there after all, and the operator decides so. */
    async settleIn(home: Cell) {
      await sendCallback(intent, paid);
      await applyCallbacks();
      await sendDropped();
      const found = "SELECT id FROM exception WHERE object_id = $1 AND kind = 'funds_dropped'";
      const [short] = await sql(home, found, intent.id);
      await inCell(home, async () => {
        const member = merchant.byMember();
        const operator = { ...member, actor: { ...member.actor, statedAddress: "eva@shop.example" } };
        await settleException(operator, String(short?.["id"]), "restore", "It came back.");
      });
    },
    async booksIn(cell: Cell) {
      const rows = await sql(
        cell,
        `SELECT t.reason, t.unique_key, split_part(e.kind, ':', 1) AS kind, e.currency, e.amount::text FROM ledger_transaction t
         JOIN ledger_entry e ON e.merchant_id = t.merchant_id AND e.transaction_id = t.id
         WHERE t.merchant_id = $1 AND t.intent_id = $2 ORDER BY t.id, e.kind`,
        merchantId,
        intent.id,
      );
      expect(rows.length).toBeGreaterThan(2);
      return rows;
    },
  };
}

async function moveAlong(merchantId: string, ...way: readonly Cell[]): Promise<void> {
  for (const cell of way) expect(await move(merchantId, cell)).toMatchObject({ phase: "done" });
}

/** A callback of a neighbor under the name; providers that number callbacks per merchant use one id for several. */
const storeNeighbors = (cell: Cell, callbackId: string) =>
  sql(
    cell,
    `INSERT INTO provider_callback (provider, callback_id, body, received_at, digest, attempts, result, applied_at, due_at)
     VALUES ('scripted', $1, '{"neighbor":1}' || $1::text, now(), NULL, 1, 'applied', now(), NULL)`,
    callbackId,
  );

it("a callback that its provider repeats is applied once, whatever names neighbors have taken", async () => {
  const topup = await makeTopup();
  await storeNeighbors(main(), topup.droppedId);
  await storeNeighbors(eu2(), topup.droppedId);
  await storeNeighbors(eu2(), `${topup.droppedId}~2`);
  await moveAlong(topup.merchantId, eu2());
  await topup.settleIn(eu2());
  await moveAlong(topup.merchantId, eu3());
  const books = await topup.booksIn(eu3());
  await topup.sendDropped();
  expect(await topup.booksIn(eu3())).toEqual(books);
});

it("a callback that its provider repeats is applied once, also where its merchant has come back", async () => {
  const topup = await makeTopup();
  await storeNeighbors(main(), topup.droppedId);
  await storeNeighbors(eu2(), topup.droppedId);
  await storeNeighbors(eu2(), `${topup.droppedId}~2`);
  await moveAlong(topup.merchantId, eu2());
  await topup.settleIn(eu2());
  await moveAlong(topup.merchantId, main());
  const books = await topup.booksIn(main());
  await topup.sendDropped();
  expect(await topup.booksIn(main())).toEqual(books);
});
