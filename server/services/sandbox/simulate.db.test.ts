// The simulator changes test objects like a provider's reports, and nothing else.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { query } from "@/server/db/client";
import { countRows, requireInvariants } from "@/server/testing/invariants";
import {
  approvedPayout,
  balanceOf,
  keyed,
  makeMerchant,
  OPENING,
  payment,
  payout,
  type TestMerchant,
} from "@/server/testing/merchant";
import { withoutIdempotency } from "../idempotency/completion";
import { type Answer, answerOnce } from "../idempotency/once";
import type { AnyIntent } from "../intent-kinds";
import { createPaymentIntent } from "../payments/create";
import { createPayoutIntent } from "../payouts/create";
import { simulate } from "./simulate";

let merchant: TestMerchant;
beforeEach(async () => {
  merchant = await makeMerchant();
});
afterEach(requireInvariants);

const pay = async (amount = "1050") =>
  (await createPaymentIntent(merchant.context, payment({ amount }), withoutIdempotency())).intent;
const move = (id: string, outcome: string) => simulate(merchant.context, id, outcome);

describe("a payment", () => {
  it.each([
    ["succeeded", "succeeded", null],
    ["declined", "failed", "provider_declined"],
    ["failed", "failed", "provider_declined"],
    ["cancelled", "failed", "cancelled"],
    ["expired", "expired", "expired"],
    ["pending", "processing", null],
  ])("moved by %s is %s with failure %s", async (outcome, status, failure) => {
    const { intent } = await move((await pay()).id, outcome);
    expect([intent.status, intent.failure?.code ?? null]).toEqual([status, failure]);
  });

  it("(06) with repeated and reordered reports succeeds once", async () => {
    const { intent } = await move((await pay("1006")).id, "succeeded");
    expect(intent.status).toBe("succeeded");
    expect(await balanceOf(merchant)).toEqual([OPENING + 1006n, 0n]);
    expect(await countRows("event", merchant.merchantId)).toBe(1);
  });

  it("(07) that expires gets late money: suspense, no credit", async () => {
    const { intent } = await move((await pay("1007")).id, "expired");
    expect(intent.status).toBe("expired");
    const rows = await query(
      "SELECT 1 FROM ledger_transaction WHERE intent_id = $1 AND reason = 'late_money'",
      intent.id,
    );
    expect(rows).toHaveLength(1);
  });

  it("that ended cannot be changed, with an error that says so", async () => {
    const { id } = await pay("1002");
    for (const outcome of ["succeeded", "declined", "expired", "pending", "requires_action"]) {
      await expect(move(id, outcome)).rejects.toMatchObject({
        code: "validation_failed",
        message: "outcome does not apply to a payment intent that is succeeded",
      });
    }
  });
});

it("a request that died after the change is answered by its retry", async () => {
  const { id } = await pay();
  const present = ({ intent }: AnyIntent): Answer => ({ status: 200, body: intent.status });
  const change = (after: (answer: Answer) => Answer) =>
    answerOnce(
      keyed(merchant, "change"),
      async (lease) => after(present(await simulate(merchant.context, id, "succeeded", lease))),
      ({ message }) => ({ status: 400, body: message }),
    );
  const died = change(() => {
    throw new Error("the connection broke before the reply");
  });
  await expect(died).rejects.toThrow("the connection broke");
  const answer = await change((given) => given);
  expect(answer).toEqual({ status: 200, body: "succeeded", replayed: false });
  expect(await balanceOf(merchant)).toEqual([OPENING + 1050n, 0n]);
});

describe("a payout", () => {
  it("at the gate is not changed: it must be approved first", async () => {
    const { intent } = await createPayoutIntent(merchant.context, payout(), withoutIdempotency());
    await expect(move(intent.id, "succeeded")).rejects.toMatchObject({ code: "approval_required" });
  });

  it.each([
    ["settled", "succeeded", null],
    ["succeeded", "succeeded", null],
    ["declined", "failed", "provider_declined"],
    ["invalid_recipient", "failed", "invalid_recipient"],
    ["returned", "succeeded", null],
  ])("once approved and moved by %s is %s with failure %s", async (outcome, status, failure) => {
    const { intent } = await move((await approvedPayout(merchant)).id, outcome);
    expect([intent.status, intent.failure?.code ?? null]).toEqual([status, failure]);
  });
});

describe("objects that it does not change", () => {
  it.each(["", "paid", "settled", "SUCCEEDED", "__proto__"])("a payment by %j", async (outcome) => {
    await expect(move((await pay()).id, outcome)).rejects.toMatchObject({
      code: "validation_failed",
      message: expect.stringMatching(
        /^outcome of a payment intent must be one of requires_action, pending, succeeded, /,
      ),
    });
  });

  it.each([
    "",
    "dord_",
    "dord_\u0000",
    "dord_01h455vb4pex5vsknk084sn02q",
    "evt_1",
    "mer_1",
    "' OR 1=1 --",
    "dord_\ud800",
  ])("an unknown object %j", async (id) => {
    await expect(move(id, "succeeded")).rejects.toMatchObject({ code: "not_found" });
  });

  it("another merchant's object, or anything for a live key", async () => {
    const { id } = await pay();
    const other = await makeMerchant();
    const live = { ...merchant.context, scope: { ...merchant.scope, environment: "live" as const } };
    await expect(simulate(other.context, id, "succeeded")).rejects.toMatchObject({ code: "not_found" });
    await expect(simulate(live, id, "succeeded")).rejects.toMatchObject({ code: "not_found" });
  });
});
