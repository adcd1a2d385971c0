// Forged, repeated, reordered, late and contradictory callbacks lead to the correct state.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { query } from "@/server/db/client";
import type { PaymentIntent } from "@/server/domain/payment-intent";
import { newId } from "@/server/platform/ids";
import { forgetBreakers } from "@/server/psp/breakers";
import { signedHeaders } from "@/server/psp/http/signature";
import { configureGateways } from "@/server/psp/registry";
import { configureRoutes } from "@/server/psp/routes";
import { countRows, ONE_REFERENCE_FOR_ALL, requireInvariantsExcept } from "@/server/testing/invariants";
import { balanceOf, makeMerchant, payment, type TestMerchant } from "@/server/testing/merchant";
import { withoutIdempotency } from "../idempotency/completion";
import { getIntent } from "../intents/read";
import { createPaymentIntent } from "../payments/create";
import { PAYMENTS } from "../payments/kind";
import { applyDueCallbacks, receiveCallback } from "./receive-callback";

const SECRET = "a secret of at least thirty-two characters";
/** A provider that cannot be reached: its reports arrive as callbacks only. */
const ACME = { name: "acme", url: "http://127.0.0.1:9", secret: SECRET, payment_methods: "all" };

let merchant: TestMerchant;
let intent: PaymentIntent;
beforeEach(async () => {
  configureGateways(JSON.stringify([ACME, { ...ACME, name: "other", payment_methods: [] }]));
  const made = await makeMerchant();
  const scope = { ...made.scope, environment: "live" as const };
  merchant = { ...made, scope, context: { ...made.context, scope } };
  intent = (await createPaymentIntent(merchant.context, payment(), withoutIdempotency())).intent;
});
afterEach(() => requireInvariantsExcept(ONE_REFERENCE_FOR_ALL));

interface News {
  readonly status: string;
  readonly callback_id?: string;
  readonly [member: string]: unknown;
}

const SUCCEEDED: News = { status: "succeeded", amount: "1050", currency: "BRL" };

function send(news: News, provider = "acme", secret = SECRET): Promise<void> {
  const core = { callback_id: newId("event"), merchant_id: merchant.merchantId, reference: intent.id };
  const body = JSON.stringify({ ...core, provider_reference: "psp-1", ...news });
  const message = { method: "POST", path: `/providers/${provider}/callbacks`, body };
  return receiveCallback(provider, new Headers(signedHeaders(secret, message, new Date())), body);
}

async function apply(): Promise<PaymentIntent> {
  await applyDueCallbacks(1_000, 30_000);
  return getIntent(PAYMENTS, merchant.scope, intent.id);
}

async function results(): Promise<(string | null)[]> {
  const rows = await query<{ result: string | null }>(
    "SELECT result FROM provider_callback WHERE body::jsonb->>'reference' = $1 ORDER BY result",
    intent.id,
  );
  return rows.map(({ result }) => result);
}

/** The amount in suspense, in minor units. */
async function suspense(): Promise<string> {
  const [row] = await query<{ balance: string }>(
    "SELECT coalesce(sum(balance), 0)::text AS balance FROM ledger_account WHERE merchant_id = $1 AND environment = 'live' AND kind = 'suspense'",
    merchant.merchantId,
  );
  return row?.balance ?? "";
}

it("an unreachable provider leaves the payment processing until its callback comes", async () => {
  expect(intent.status).toBe("processing");
  await send(SUCCEEDED);
  expect((await getIntent(PAYMENTS, merchant.scope, intent.id)).status).toBe("processing");
  expect(await apply()).toMatchObject({ status: "succeeded", revision: 1 });
  expect(await balanceOf(merchant)).toEqual([1050n, 0n]);
});

describe("a repeated callback", () => {
  it("under one id is stored and applied once, and acknowledged every time", async () => {
    await Promise.all(Array.from({ length: 50 }, () => send({ ...SUCCEEDED, callback_id: `cb-${intent.id}` })));
    await Promise.all([apply(), apply(), apply()]);
    expect(await results()).toEqual(["applied"]);
    expect(await balanceOf(merchant)).toEqual([1050n, 0n]);
  });

  it("under different ids credits once and makes one event", async () => {
    await Promise.all(Array.from({ length: 20 }, () => send(SUCCEEDED)));
    expect(await apply()).toMatchObject({ status: "succeeded", revision: 1 });
    expect(await balanceOf(merchant)).toEqual([1050n, 0n]);
    expect(await countRows("event", merchant.merchantId)).toBe(1);
    expect(await suspense()).toBe("0");
  });
});

describe("callbacks out of order", () => {
  it("cannot reopen a finished payment", async () => {
    await send(SUCCEEDED);
    await apply();
    for (const status of ["pending", "declined", "cancelled", "expired"]) await send({ status });
    expect(await apply()).toMatchObject({ status: "succeeded", revision: 1, failure: null });
    expect(await countRows("event", merchant.merchantId)).toBe(1);
  });

  it("that contradict each other at the same time leave one final status with one event, and no money unbooked", async () => {
    const all = ["declined", "cancelled", "expired"].map((status) => send({ status }));
    await Promise.all([...all, send(SUCCEEDED), send(SUCCEEDED)]);
    const ended = await apply();
    expect(ended.revision).toBe(1);
    expect(await countRows("event", merchant.merchantId)).toBe(1);
    const [available] = await balanceOf(merchant);
    expect([available, await suspense()]).toEqual(ended.status === "succeeded" ? [1050n, "0"] : [0n, "1050"]);
  });
});

describe("late or wrong money", () => {
  it("after expiry is in suspense once, however often it is reported, and the status is unchanged", async () => {
    await send({ status: "expired" });
    await apply();
    await Promise.all(Array.from({ length: 10 }, () => send(SUCCEEDED)));
    expect(await apply()).toMatchObject({ status: "expired", revision: 1 });
    expect([await suspense(), await balanceOf(merchant)]).toEqual(["1050", [0n, 0n]]);
  });

  it("in two payments of different amounts is booked twice; an equal amount without a receipt id opens an exception", async () => {
    await send({ status: "expired" });
    await apply();
    await send(SUCCEEDED);
    await apply();
    await send({ ...SUCCEEDED, provider_reference: "psp-2", amount: "1049" });
    await apply();
    expect(await suspense()).toBe("2099");
    await send({ ...SUCCEEDED, provider_reference: "psp-3" });
    await apply();
    expect(await suspense()).toBe("2099");
    const opened = await query(
      "SELECT 1 FROM exception WHERE kind = 'ambiguous_receipt' AND object_id = $1",
      intent.id,
    );
    expect(opened).toHaveLength(1);
  });

  it("of another amount does not complete the payment, which can still be paid in full", async () => {
    await send({ ...SUCCEEDED, amount: "1049" });
    expect((await apply()).status).toBe("processing");
    expect(await suspense()).toBe("1049");
    await send({ ...SUCCEEDED, provider_reference: "psp-2" });
    expect((await apply()).status).toBe("succeeded");
  });

  it("in a currency that the merchant does not have is booked too", async () => {
    await send({ ...SUCCEEDED, currency: "USD" });
    expect((await apply()).status).toBe("processing");
    expect(await suspense()).toBe("1050");
    expect(await results()).toEqual(["applied"]);
  });
});

describe("a provider that no longer has the payment", () => {
  beforeEach(async () => {
    configureGateways(JSON.stringify([ACME, { ...ACME, name: "other" }]));
    configureRoutes(
      JSON.stringify([
        { kind: "payment", environment: "live", providers: [{ name: "acme" }, { name: "other", weight: 0 }] },
      ]),
    );
    forgetBreakers();
    intent = (await createPaymentIntent(merchant.context, payment(), withoutIdempotency())).intent;
  });
  afterEach(() => configureRoutes(null));

  it("cannot change it; money it reports is in suspense once, with an exception, and the payment continues", async () => {
    for (const status of ["pending", "declined", "expired"]) await send({ status });
    await Promise.all([send(SUCCEEDED), send(SUCCEEDED)]);
    const left = [{ provider: "acme", reason: "not_sent" }];
    expect(await apply()).toMatchObject({ status: "processing", provider: "other", revision: 1, routing: { left } });
    expect(await suspense()).toBe("1050");
    const opened = await query<{ kind: string }>(
      "SELECT kind FROM exception WHERE merchant_id = $1 ORDER BY kind",
      merchant.merchantId,
    );
    // `pending` contradicts the connection that could not be made: two providers may have the payment.
    expect(opened.map(({ kind }) => kind)).toEqual(["contradiction", "late_money"]);
    await send(SUCCEEDED, "other");
    expect((await apply()).status).toBe("succeeded");
    expect([await balanceOf(merchant), await suspense()]).toEqual([[1050n, 0n], "1050"]);
    expect(await countRows("event", merchant.merchantId)).toBe(1);
  });

  it("has one payment booked once if its reports with and without a reference overlap; doubt books nothing", async () => {
    await send({ ...SUCCEEDED, provider_reference: null });
    await apply();
    const named = ["px_1", "px_1", null];
    await Promise.all(named.map((provider_reference) => send({ ...SUCCEEDED, provider_reference })));
    await Promise.all(named.map(() => applyDueCallbacks(1, 30_000)));
    await apply();
    expect(await suspense()).toBe("1050");
    const opened = await query<{ kind: string; reference: string | null }>(
      `SELECT kind, detail->>'provider_reference' AS reference FROM exception WHERE merchant_id = $1 ORDER BY kind`,
      merchant.merchantId,
    );
    expect(opened).toEqual([
      { kind: "ambiguous_receipt", reference: "px_1" },
      { kind: "late_money", reference: null },
    ]);
  });

  it("is recorded even after the payment has ended, and under the reference of the paid one", async () => {
    await send(SUCCEEDED, "other");
    expect((await apply()).status).toBe("succeeded");
    await send(SUCCEEDED);
    await apply();
    expect([await balanceOf(merchant), await suspense()]).toEqual([[1050n, 0n], "1050"]);
  });
});

it("opens a separate exception with its amount for money reported while a contradiction is open", async () => {
  const other = { intent_amount: "990", intent_currency: "BRL" };
  const paid: News = { ...SUCCEEDED, ...other, amount: "990", provider_reference: "px_9" };
  for (const news of [{ status: "pending", ...other }, paid, paid]) {
    await send(news);
    await apply();
  }
  const opened = await query<{ kind: string; reported: string; sum: string | null }>(
    `SELECT kind, detail->>'reported' AS reported, detail->>'reported_amount' AS sum FROM exception
     WHERE object_id = $1 ORDER BY opened_at`,
    intent.id,
  );
  expect(opened).toEqual([
    { kind: "contradiction", reported: "pending", sum: null },
    { kind: "contradiction", reported: "succeeded", sum: "990" },
  ]);
  expect(await results()).toEqual(["applied", "applied", "ignored"]);
});

describe("a callback that is not trustworthy", () => {
  it("with another secret, or of an unknown provider, is rejected and not stored", async () => {
    const before = await countRows("provider_callback");
    await expect(send(SUCCEEDED, "acme", `${SECRET}!`)).rejects.toMatchObject({ code: "unauthorized" });
    await expect(send(SUCCEEDED, "nobody")).rejects.toMatchObject({ code: "not_found" });
    await expect(send(SUCCEEDED, "sandbox")).rejects.toMatchObject({ code: "not_found" });
    expect(await countRows("provider_callback")).toBe(before);
  });

  it("about another provider's payment has no effect, and is retried", async () => {
    await send(SUCCEEDED, "other");
    expect((await apply()).status).toBe("processing");
    expect(await results()).toEqual([null]);
  });

  it("that names another merchant for the payment has no effect, and is retried", async () => {
    await send({ ...SUCCEEDED, merchant_id: (await makeMerchant()).merchantId });
    expect((await apply()).status).toBe("processing");
    expect(await results()).toEqual([null]);
  });

  it("that is unreadable is stored for staff and has no effect", async () => {
    await send({ status: "succeeded" });
    await send({ status: "exploded" });
    expect((await apply()).status).toBe("processing");
    expect(await results()).toEqual(["unreadable", "unreadable"]);
  });
});
