// An answer that says that money moved is recorded in the cell that its merchant has moved to meanwhile, even if the intent has
// ended there.
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { disconnect, query } from "@/server/db/client";
import { fence, moveByHand } from "@/server/db/testing/move-by-hand";
import { openTwoCells, type TwoCells } from "@/server/db/testing/second-cell";
import { type Cell, inCell, inEachCell, inOtherCell } from "@/server/platform/cell";
import { reachEveryMerchant } from "@/server/platform/reach";
import { requireInvariants } from "@/server/testing/invariants";
import { makeLiveMerchant, payment, type TestMerchant } from "@/server/testing/merchant";
import { installScriptedProvider, type ScriptedProvider } from "@/server/testing/scripted-provider";
import { applyUpdate } from "../callbacks/apply-update";
import { finishDueIntents, workOnDueIntents } from "../due-intents";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { PAYMENTS } from "../payments/kind";
import { getIntent } from "./read";

const PAID = {
  kind: "succeeded",
  receiptId: null,
  amount: 1050n,
  currency: "BRL",
  providerReference: null,
} as const;
const PENDING = { kind: "pending", providerReference: null } as const;
const DECLINED = { kind: "declined", message: null, providerReference: null } as const;
const LEASE_MS = 30_000;

let cells: TwoCells;
let first: Cell;
let second: Cell;
let merchant: TestMerchant;
let provider: ScriptedProvider;
let id: string;

beforeAll(async () => {
  reachEveryMerchant();
  cells = await openTwoCells();
  ({ first, second } = cells);
});
beforeEach(async () => {
  provider = installScriptedProvider();
  provider.answer = PENDING;
  merchant = await inCell(first, makeLiveMerchant);
  const create = () => createPaymentIntent(merchant.context, payment({ amount: "1050" }), withoutIdempotency());
  ({ id } = (await inCell(first, create)).intent);
});
afterAll(async () => {
  await inEachCell(requireInvariants);
  await disconnect();
  await cells.end();
});

const intentIn = (cell: Cell) => inOtherCell(cell, () => getIntent(PAYMENTS, merchant.scope, id));

/** A refusal by its own provider ends the payment, which is not polled any more. */
async function endIn(cell: Cell): Promise<void> {
  const intent = await intentIn(cell);
  await inOtherCell(cell, () => applyUpdate(merchant.context, { kind: "payment_intent", intent }, [DECLINED]));
}

function suspenseIn(cell: Cell): Promise<{ amount: string }[]> {
  const sql = `SELECT e.amount::text FROM ledger_transaction t
     JOIN ledger_entry e ON e.merchant_id = t.merchant_id AND e.transaction_id = t.id
     WHERE t.intent_id = $1 AND e.kind = 'suspense'`;
  return inCell(cell, () => query(sql, id));
}

const finish = () => inCell(first, finishDueIntents);

/** Polls the payment in the first cell; the provider says that it is paid, after `during`. */
async function poll(during: () => Promise<void>): Promise<void> {
  provider.answerToQuestion = PAID;
  // An error of the set-up must not look like one of the provider.
  let done: Promise<void> | undefined;
  provider.duringAsk = () => {
    done = during();
    return done;
  };
  await inCell(first, async () => {
    await query("UPDATE payment_intent SET due_at = now() - interval '1 second' WHERE id = $1", id);
    await workOnDueIntents("payment_intent", 10, LEASE_MS);
  });
  await done;
}

it("of a merchant that has left", async () => {
  await poll(() => moveByHand(first, second, merchant.merchantId));
  await finish();
  expect((await intentIn(second)).status).toBe("succeeded");
});

it("of a payment that has ended in the new cell", async () => {
  await poll(async () => {
    await moveByHand(first, second, merchant.merchantId);
    await endIn(second);
  });
  await finish();
  expect((await intentIn(second)).status).toBe("failed");
  expect(await suspenseIn(second)).toEqual([{ amount: "1050" }]);
});

it("of a merchant that is moving, once it is open again", async () => {
  const { merchantId } = merchant;
  await poll(async () => {
    await fence(second, merchantId, "arriving", first);
    await fence(first, merchantId, "leaving", second);
  });
  // Some tries fail meanwhile.
  await sleep(1_000);
  await moveByHand(first, second, merchantId);
  await finish();
  expect((await intentIn(second)).status).toBe("succeeded");
});
