// A callback about a top-up that comes again, after moves and restores: what it told was applied once, and an operator has settled
// it since.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Cell, inCell, inEachCell } from "@/server/platform/cell";
import { newId } from "@/server/platform/ids";
import { acceptCallbacks, sendCallback } from "@/server/testing/callbacks";
import { makeLiveMerchant } from "@/server/testing/merchant";
import { installScriptedProvider } from "@/server/testing/scripted-provider";
import { scriptedTopup } from "@/server/testing/topup";
import { applyDueCallbacks } from "../callbacks/receive-callback";
import { settleStays } from "../cells/settle-stays";
import { settleException } from "../exceptions/settle";
import { passTenSeconds } from "./testing/reported-payment";
import { eu2, eu3, main, makeOne, move, sql, threeCells } from "./testing/three-cells";

const cells = threeCells();
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

describe("that its provider repeats is applied once, if its merchant", () => {
  it.each([
    ["never moved", () => [], () => []],
    ["went away and came back", () => [eu2()], () => [main()]],
    ["went on to a third cell", () => [eu2()], () => [eu3()]],
    ["went back and to a third cell", () => [eu2()], () => [main(), eu3()]],
    ["came home through a third cell", () => [eu2()], () => [eu3(), main()]],
  ] as const)("%s", async (_, before, after) => {
    const topup = await makeTopup();
    await moveAlong(topup.merchantId, ...before());
    await topup.settleIn([main(), ...before()].at(-1) as Cell);
    await moveAlong(topup.merchantId, ...after());
    const home = [main(), ...before(), ...after()].at(-1) as Cell;
    const books = await topup.booksIn(home);
    await topup.sendDropped();
    expect(await topup.booksIn(home)).toEqual(books);
  });

  it("went on to a third cell, and the first one lost it by a restore", async () => {
    const topup = await makeTopup();
    await moveAlong(topup.merchantId, eu2());
    const earlier = await cells.backUp(main());
    await topup.settleIn(eu2());
    await moveAlong(topup.merchantId, eu3());
    const books = await topup.booksIn(eu3());
    await cells.pointTo([earlier]);
    passTenSeconds();
    for (let round = 0; round < 2; round += 1) await inEachCell(settleStays);
    await topup.sendDropped();
    expect(await topup.booksIn(eu3())).toEqual(books);
  });

  it("has left the cell that applied it, which then was restored and closed another merchant", async () => {
    const other = await makeOne();
    const topup = await makeTopup();
    await topup.settleIn(main());
    await moveAlong(topup.merchantId, eu2());
    const books = await topup.booksIn(eu2());
    const earlier = await cells.backUp(main());
    await moveAlong(other, eu3());
    // As if the callback were older than the other merchant's stay by more than a minute, and so not due again by itself.
    await sql(
      eu3(),
      `BEGIN; SET LOCAL session_replication_role = replica;
       UPDATE merchant_stay SET since = since + interval '10 minutes' WHERE merchant = '${other}'; COMMIT`,
    );
    await cells.pointTo([earlier]);
    passTenSeconds();
    await inEachCell(settleStays);
    await applyCallbacks();
    await topup.sendDropped();
    expect(await topup.booksIn(eu2())).toEqual(books);
  });
});

it("of a merchant that never moved is applied once, if its restored cell closes another merchant", async () => {
  const other = await makeOne();
  const topup = await makeTopup();
  const earlier = await cells.backUp(main());
  await moveAlong(other, eu2());
  await cells.pointTo([earlier]);
  passTenSeconds();
  // The cell has not asked yet where the other merchant is.
  await topup.settleIn(main());
  const books = await topup.booksIn(main());
  await inEachCell(settleStays);
  await applyCallbacks();
  expect(await topup.booksIn(main())).toEqual(books);
});

/** A callback of a neighbor under the name; providers that number callbacks per merchant use one id for several. */
const storeNeighbor = (cell: Cell, callbackId: string) =>
  sql(
    cell,
    `INSERT INTO provider_callback (provider, callback_id, body, received_at, digest, attempts, result, applied_at, due_at)
     VALUES ('scripted', $1, '{"neighbor":1}' || $1::text, now(), NULL, 1, 'applied', now(), NULL)`,
    callbackId,
  );

it.each([
  ["goes to a third one", eu3],
  ["comes back", main],
])(
  "is applied once, whatever names neighbors have taken in its merchant's cells, if the merchant %s",
  async (_, last) => {
    const topup = await makeTopup();
    await storeNeighbor(main(), topup.droppedId);
    await storeNeighbor(eu2(), topup.droppedId);
    await storeNeighbor(eu2(), `${topup.droppedId}~2`);
    await moveAlong(topup.merchantId, eu2());
    await topup.settleIn(eu2());
    await moveAlong(topup.merchantId, last());
    const books = await topup.booksIn(last());
    await topup.sendDropped();
    expect(await topup.booksIn(last())).toEqual(books);
  },
);
