// Proves that each body under a callback id is a separate report, and that exceptions about callbacks name their
// intent.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { query } from "@/server/db/client";
import { MAXIMUM_BODIES } from "@/server/domain/callback";
import type { PaymentIntent } from "@/server/domain/payment-intent";
import { newId } from "@/server/platform/ids";
import { signedHeaders } from "@/server/psp/http/signature";
import { configureGateways } from "@/server/psp/registry";
import { ONE_REFERENCE_FOR_ALL, requireInvariantsExcept } from "@/server/testing/invariants";
import { makeLiveMerchant, payment, type TestMerchant } from "@/server/testing/merchant";
import { withoutIdempotency } from "../idempotency/completion";
import { getIntent } from "../intents/read";
import { recordCreation } from "../intents/transition";
import { createPaymentIntent } from "../payments/create";
import { PAYMENTS } from "../payments/kind";
import { applyDueCallbacks, receiveCallback } from "./receive-callback";

const SECRET = "a secret of at least thirty-two characters";
/** Serves both environments, so that only the intent identifies the owner of a callback. */
const ACME = {
  name: "acme",
  url: "http://127.0.0.1:9",
  secret: SECRET,
  payment_methods: "all",
  environments: ["live", "test"],
};
const SUCCEEDED = { status: "succeeded", amount: "1050", currency: "BRL" };

let merchant: TestMerchant;
let intent: PaymentIntent;
beforeEach(async () => {
  configureGateways(JSON.stringify([ACME, { ...ACME, name: "other", payment_methods: [] }]));
  merchant = await makeLiveMerchant();
  const { intent: made } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
  const id = newId("paymentIntent");
  const dispatchReference = `dord_0123abcd_${id.slice(5)}`;
  intent = { ...made, id, dispatchReference, merchantReference: id };
  const verdict = await recordCreation(PAYMENTS, intent, [], { context: merchant.context });
  if (verdict !== "committed") throw new Error(verdict);
});
afterEach(() => requireInvariantsExcept(ONE_REFERENCE_FOR_ALL));

async function send(callbackId: string, report: Readonly<Record<string, unknown>>, provider = "acme"): Promise<void> {
  const core = { callback_id: callbackId, merchant_id: merchant.merchantId, reference: intent.dispatchReference };
  const body = JSON.stringify({ ...core, provider_reference: "psp-1", ...report });
  const message = { method: "POST", path: `/providers/${provider}/callbacks`, body };
  await receiveCallback(provider, new Headers(signedHeaders(SECRET, message, new Date())), body);
}

const apply = () => applyDueCallbacks(1_000, 30_000);

const bodiesOf = (callbackId: string) =>
  query<{ callback_id: string; result: string | null }>(
    "SELECT callback_id, result FROM provider_callback WHERE split_part(callback_id, '~', 1) = $1 ORDER BY received_at",
    callbackId,
  );

const exceptionsAbout = () =>
  query<{ object_id: string; environment: string; detail: Record<string, string> }>(
    "SELECT object_id, environment, detail FROM exception WHERE kind = 'unapplied_callback' AND merchant_id = $1",
    merchant.merchantId,
  );

describe("a repeated callback id", () => {
  it("with an equal body changes nothing", async () => {
    const id = newId("event");
    await Promise.all([1, 2, 3].map(() => send(id, SUCCEEDED)));
    await apply();
    await send(id, SUCCEEDED);
    expect(await bodiesOf(id)).toEqual([{ callback_id: id, result: "applied" }]);
  });

  it("with another body is a separate report", async () => {
    const id = newId("event");
    await send(id, { status: "pending" });
    await apply();
    await send(id, SUCCEEDED);
    await send(id, SUCCEEDED);
    await apply();
    expect((await getIntent(PAYMENTS, merchant.scope, intent.id)).status).toBe("succeeded");
    expect(await bodiesOf(id)).toEqual([
      { callback_id: id, result: "applied" },
      { callback_id: `${id}~2`, result: "applied" },
    ]);
  });

  it("with too many different bodies is rejected", async () => {
    const id = newId("event");
    for (let n = 0; n < MAXIMUM_BODIES; n += 1) await send(id, { status: "pending", sent_at: n });
    await expect(send(id, { status: "pending", sent_at: -1 })).rejects.toMatchObject({ code: "idempotency_conflict" });
    await send(id, { status: "pending", sent_at: 3 });
    expect(await bodiesOf(id)).toHaveLength(MAXIMUM_BODIES);
    await apply();
  });
});

describe("the exception of a callback that was not applied", () => {
  it("names the intent of its reference and belongs to its merchant", async () => {
    await send(newId("event"), { status: "exploded" });
    await apply();
    expect(await exceptionsAbout()).toEqual([
      {
        object_id: intent.id,
        environment: "live",
        detail: expect.objectContaining({ reference: intent.dispatchReference }) as object,
      },
    ]);
  });

  it("belongs to no merchant if the provider never had the intent", async () => {
    await send(newId("event"), { status: "exploded" }, "other");
    await apply();
    expect(await exceptionsAbout()).toEqual([]);
  });
});
