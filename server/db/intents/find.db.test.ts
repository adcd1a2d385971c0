import { afterAll, beforeAll, expect, it } from "vitest";
import type { Scope } from "@/server/domain/scope";
import { newId } from "@/server/platform/ids";
import { withoutIdempotency } from "@/server/services/idempotency/completion";
import { createPaymentIntent } from "@/server/services/payments/create";
import { makeMerchant, payment, type TestMerchant } from "@/server/testing/merchant";
import { disconnect, query } from "../client";
import { paymentIntents } from "./stores";

let merchant: TestMerchant;
let stranger: TestMerchant;
let ids: string[];

beforeAll(async () => {
  merchant = await makeMerchant();
  stranger = await makeMerchant();
  const made = await Promise.all(
    Array.from({ length: 100 }, () => createPaymentIntent(merchant.context, payment(), withoutIdempotency())),
  );
  ids = made.map(({ intent }) => intent.id);
});
afterAll(disconnect);

it("many at once get each their own intent, or nothing where it is another merchant's, another environment's or no one's", async () => {
  const own: Scope = merchant.context.scope;
  const live: Scope = { ...own, environment: "live" };
  const asked = ids.flatMap((id) => [
    { scope: own, id, expected: id },
    { scope: stranger.context.scope, id, expected: null },
    { scope: live, id, expected: null },
    { scope: own, id: newId("paymentIntent"), expected: null },
    { scope: own, id, expected: id },
  ]);
  const found = await Promise.all(asked.map(({ scope, id }) => paymentIntents.find(scope, id)));
  expect(found.map((intent) => intent?.id ?? null)).toEqual(asked.map(({ expected }) => expected));
  const alone = await paymentIntents.find(own, ids[0] ?? "");
  expect(found[0]).toEqual(alone);
});

it("many at once are found by the reference that providers know, which here is the id", async () => {
  const asked = ids.flatMap((id) => [
    { of: merchant, reference: id, expected: id },
    { of: stranger, reference: id, expected: null },
    { of: merchant, reference: newId("paymentIntent"), expected: null },
  ]);
  const found = await Promise.all(
    asked.map(({ of, reference }) => paymentIntents.findDispatched(of.merchantId, reference)),
  );
  expect(found.map((intent) => intent?.id ?? null)).toEqual(asked.map(({ expected }) => expected));
  expect(found[0]).toEqual(await paymentIntents.find(merchant.context.scope, ids[0] ?? ""));
});

it("a read shows what was committed before it was asked for, however many share its statement", async () => {
  const [id = ""] = ids;
  const scope = merchant.context.scope;
  for (let round = 1; round <= 20; round += 1) {
    const before = ids.map((other) => paymentIntents.find(scope, other));
    await query(
      "UPDATE payment_intent SET updated_at = now() WHERE merchant_id = $1 AND id = $2",
      scope.merchantId,
      id,
    );
    const [stored] = await query<{ at: Date }>(
      "SELECT updated_at AS at FROM payment_intent WHERE merchant_id = $1 AND id = $2",
      scope.merchantId,
      id,
    );
    const after = await Promise.all(ids.map((other) => paymentIntents.find(scope, other)));
    expect([round, after[0]?.updatedAt]).toEqual([round, stored?.at]);
    await Promise.all(before);
  }
});
