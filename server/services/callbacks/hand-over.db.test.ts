// Callbacks about a merchant that moves: whatever was handed over where and when, one cell applies each of them.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { claimDueCallbacksAcrossMerchants, finishCallbackAcrossMerchants } from "@/server/db/callbacks";
import { disconnect, query } from "@/server/db/client";
import { asOwnerOf, fence, moveByHand, unfence } from "@/server/db/testing/move-by-hand";
import { openTwoCells, type TwoCells } from "@/server/db/testing/second-cell";
import type { PaymentIntent } from "@/server/domain/payment-intent";
import { type Cell, inCell, inEachCell } from "@/server/platform/cell";
import { newId } from "@/server/platform/ids";
import { reachEveryMerchant } from "@/server/platform/reach";
import { signedHeaders } from "@/server/psp/http/signature";
import { configureGateways } from "@/server/psp/registry";
import { configureRoutes } from "@/server/psp/routes";
import { requireInvariants } from "@/server/testing/invariants";
import { makeLiveMerchant, payment, type TestMerchant } from "@/server/testing/merchant";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { applyDueCallbacks, receiveCallback } from "./receive-callback";

const SECRET = "a secret of at least thirty-two characters";
/** A provider that cannot be reached: its reports arrive as callbacks only. */
const ACME = { name: "acme", url: "http://127.0.0.1:9", secret: SECRET, payment_methods: "all" };

let cells: TwoCells;
let first: Cell;
let second: Cell;

beforeAll(async () => {
  reachEveryMerchant();
  configureGateways(JSON.stringify([ACME]));
  configureRoutes(JSON.stringify([{ kind: "payment", providers: [{ name: "acme" }] }]));
  cells = await openTwoCells();
  ({ first, second } = cells);
});
afterAll(async () => {
  await inEachCell(requireInvariants);
  configureGateways(null);
  configureRoutes(null);
  await disconnect();
  await cells.end();
});

let merchant: TestMerchant;
let intent: PaymentIntent;
let callbackId: string;
let body: string;

beforeEach(async () => {
  merchant = await inCell(first, makeLiveMerchant);
  ({ intent } = await inCell(first, () => createPaymentIntent(merchant.context, payment(), withoutIdempotency())));
  callbackId = newId("event");
  const report = { status: "succeeded", amount: "1050", currency: "BRL", provider_reference: `psp-${intent.id}` };
  body = JSON.stringify({
    callback_id: callbackId,
    merchant_id: merchant.merchantId,
    reference: intent.id,
    ...report,
  });
});

function receive(): Promise<void> {
  const message = { method: "POST", path: "/providers/acme/callbacks", body };
  return receiveCallback("acme", new Headers(signedHeaders(SECRET, message, new Date())), body);
}

/** Lets the worker of a cell try all that waits there. */
const work = (cell: Cell) =>
  inCell(cell, async () => {
    await query("UPDATE provider_callback SET due_at = now() - interval '1 second' WHERE due_at IS NOT NULL");
    await applyDueCallbacks(1_000, 30_000);
  });

/** The result of the callback in each cell: undefined where it is not stored, null while it waits. */
async function results(): Promise<(string | null | undefined)[]> {
  const sql = "SELECT result FROM provider_callback WHERE callback_id = $1";
  const rows = await inEachCell(() => query<{ result: string | null }>(sql, callbackId));
  return rows.map(([row]) => row?.result);
}

const statusIn = async (cell: Cell) =>
  inCell(cell, () => query("SELECT status FROM payment_intent WHERE id = $1", intent.id));
const SUCCEEDED = [{ status: "succeeded" }];

describe("a callback that comes while its merchant comes back", () => {
  beforeEach(async () => {
    await moveByHand(first, second, merchant.merchantId);
    await fence(first, merchant.merchantId, "arriving", second);
  });

  it("and was handed over just before the merchant left, is applied where the merchant is", async () => {
    await receive();
    await fence(second, merchant.merchantId, "closing", first);
    await work(first);
    expect(await results()).toEqual(["handed_over", null]);
    await work(second);
    expect(await results()).toEqual(["handed_over", null]);
    await moveByHand(second, first, merchant.merchantId);
    await work(second);
    expect(await results()).toEqual([null, "handed_over"]);
    await work(first);
    expect(await results()).toEqual(["applied", "handed_over"]);
    expect(await statusIn(first)).toEqual(SUCCEEDED);
  });

  it("is not finished by a worker that still believes to have handed it over", async () => {
    await receive();
    await fence(second, merchant.merchantId, "closing", first);
    await work(first);
    await inCell(first, () =>
      query(
        "UPDATE provider_callback SET result = NULL, applied_at = NULL, due_at = now() WHERE callback_id = $1",
        callbackId,
      ),
    );
    const claimed = await inCell(first, () => claimDueCallbacksAcrossMerchants(1_000, 30_000));
    const slow = claimed.find((one) => one.callbackId === callbackId);
    if (!slow) throw new Error("the callback was not claimed");
    await moveByHand(second, first, merchant.merchantId);
    await work(second);
    expect(await inCell(first, () => finishCallbackAcrossMerchants(slow, "handed_over"))).toBe(false);
    await work(first);
    expect(await results()).toEqual(["applied", "handed_over"]);
    expect(await statusIn(first)).toEqual(SUCCEEDED);
  });

  it("is applied in the other cell as long as the merchant is there, and once only", async () => {
    await receive();
    await work(first);
    await work(second);
    expect(await results()).toEqual(["handed_over", "applied"]);
    await moveByHand(second, first, merchant.merchantId);
    // Its provider repeats it: it is tried here, where the payment has ended.
    await receive();
    await work(first);
    await work(second);
    expect(await results()).toEqual(["ignored", "applied"]);
    expect(await statusIn(first)).toEqual(SUCCEEDED);
  });

  it("waits here from the moment at which the other cell closes until this one opens", async () => {
    await receive();
    await fence(second, merchant.merchantId, "leaving", first);
    await work(first);
    expect(await results()).toEqual([null, undefined]);
    await moveByHand(second, first, merchant.merchantId);
    await fence(first, merchant.merchantId, "arriving", second);
    await work(first);
    expect(await results()).toEqual([null, undefined]);
    await unfence(first, merchant.merchantId);
    await work(first);
    expect(await results()).toEqual(["applied", undefined]);
  });
});

it("a callback waits where it came while its merchant has left and is not open in the new cell", async () => {
  await receive();
  await moveByHand(first, second, merchant.merchantId);
  await fence(second, merchant.merchantId, "arriving", first);
  await work(first);
  await work(second);
  expect(await results()).toEqual([null, undefined]);
  // Waiting uses up none of the tries that it has for what fails.
  const attempts = "SELECT attempts FROM provider_callback WHERE callback_id = $1";
  expect(await inCell(first, () => query(attempts, callbackId))).toEqual([{ attempts: 0 }]);
  await unfence(second, merchant.merchantId);
  await work(first);
  await work(second);
  expect(await results()).toEqual(["handed_over", "applied"]);
  expect(await statusIn(second)).toEqual(SUCCEEDED);
});

describe("a callback that is handed back", () => {
  const INSERT = `INSERT INTO provider_callback (provider, callback_id, body, received_at, digest, due_at)
    VALUES ('acme', $1, $2, $3, $4, now() - interval '1 second')`;

  /** Puts the callback into the second cell as one that waits there for a merchant who has left it. */
  async function putIntoSecond(content = body): Promise<void> {
    const sql = "SELECT received_at, digest FROM provider_callback WHERE callback_id = $1";
    const [row] = await inCell(first, () => query<{ received_at: Date; digest: string }>(sql, callbackId));
    await inCell(second, () => query(INSERT, callbackId, content, row?.received_at, row?.digest));
    await fence(second, merchant.merchantId, "left", first);
  }

  it.each(["applied", "ignored", "unmatched", "failing", "unreadable", "unverified"])(
    "changes nothing where a try has ended as %s",
    async (result) => {
      await receive();
      const end = "UPDATE provider_callback SET due_at = NULL, applied_at = now(), result = $2 WHERE callback_id = $1";
      await inCell(first, () => query(end, callbackId, result));
      await putIntoSecond();
      await work(second);
      expect(await results()).toEqual([result, "handed_over"]);
      const remove = "DELETE FROM provider_callback WHERE callback_id = $1";
      await asOwnerOf(first, (client) => client.query(remove, [callbackId]));
    },
  );

  it("changes nothing if nobody proves that its provider has sent it: not the body, and not the signature", async () => {
    await receive();
    const end =
      "UPDATE provider_callback SET due_at = NULL, applied_at = now(), result = 'handed_over' WHERE callback_id = $1";
    await inCell(first, () => query(end, callbackId));
    await putIntoSecond(body.replace("1050", "9050"));
    await work(second);
    expect((await results())[0]).toBe("handed_over");
  });

  it("is tried again if its provider repeats it, since the other cell may have lost it", async () => {
    await receive();
    const end =
      "UPDATE provider_callback SET due_at = NULL, applied_at = now(), result = 'handed_over' WHERE callback_id = $1";
    await inCell(first, () => query(end, callbackId));
    await receive();
    expect((await results())[0]).toBeNull();
  });
});
