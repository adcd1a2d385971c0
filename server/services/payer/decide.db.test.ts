// What a payer can do on the page of a test payment after its end.

import { afterEach, beforeEach, expect, it } from "vitest";
import { countRows, requireInvariants } from "@/server/testing/invariants";
import { balanceOf, makeMerchant, OPENING, payment, type TestMerchant } from "@/server/testing/merchant";
import { withoutIdempotency } from "../idempotency/completion";
import { followUp } from "../intents/follow-up";
import { getIntent } from "../intents/read";
import { createPaymentIntent } from "../payments/create";
import { PAYMENTS } from "../payments/kind";
import { simulate } from "../sandbox/simulate";
import { decideAsPayer } from "./decide";

const CALL = { requestId: "req_1", address: "192.0.2.1" };

let merchant: TestMerchant;
beforeEach(async () => {
  merchant = await makeMerchant();
});
afterEach(requireInvariants);

const create = async () => (await createPaymentIntent(merchant.context, payment(), withoutIdempotency())).intent;

it("a payment that was closed at the sandbox when it expired cannot be paid on its page", async () => {
  const intent = await create();
  await followUp(PAYMENTS, intent, () => new Date(intent.expiresAt));
  expect((await getIntent(PAYMENTS, merchant.scope, intent.id)).status).toBe("expired");
  await expect(decideAsPayer(intent.id, "succeeded", CALL)).rejects.toMatchObject({ code: "validation_failed" });
  expect(await countRows("exception", merchant.merchantId)).toBe(0);
  expect(await balanceOf(merchant)).toEqual([OPENING, 0n]);
});

it("the simulator can still report late money, like a provider that did not close the payment", async () => {
  const intent = await create();
  await followUp(PAYMENTS, intent, () => new Date(intent.expiresAt));
  await simulate(merchant.context, intent.id, "succeeded");
  expect(await countRows("exception", merchant.merchantId)).toBe(1);
});

it("an open payment is paid on its page, once", async () => {
  const intent = await create();
  await decideAsPayer(intent.id, "succeeded", CALL);
  expect((await getIntent(PAYMENTS, merchant.scope, intent.id)).status).toBe("succeeded");
  await expect(decideAsPayer(intent.id, "succeeded", CALL)).rejects.toMatchObject({ code: "validation_failed" });
  expect(await balanceOf(merchant)).toEqual([OPENING + 1050n, 0n]);
});
