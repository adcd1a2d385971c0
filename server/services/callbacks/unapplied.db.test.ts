// Tests callbacks that cannot be applied: retried with backoff, then opened as an exception, never lost.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  claimDueCallbacksAcrossMerchants,
  finishCallbackAcrossMerchants,
  postponeCallbackAcrossMerchants,
  setCallbackAsideAcrossMerchants,
} from "@/server/db/callbacks";
import { query } from "@/server/db/client";
import { type CallbackState, unappliedCallbackException } from "@/server/domain/callback";
import { Forbidden } from "@/server/domain/errors";
import type { PaymentIntent } from "@/server/domain/payment-intent";
import { newId } from "@/server/platform/ids";
import { signedHeaders } from "@/server/psp/http/signature";
import { configureGateways } from "@/server/psp/registry";
import { requireInvariants } from "@/server/testing/invariants";
import { balanceOf, makeLiveMerchant, makeMember, payment, type TestMerchant } from "@/server/testing/merchant";
import { queryAsOwner } from "@/server/testing/owner";
import { listExceptionsAcrossMerchants } from "../exceptions/list";
import { withoutIdempotency } from "../idempotency/completion";
import { getIntent } from "../intents/read";
import { recordCreation } from "../intents/transition";
import { createPaymentIntent } from "../payments/create";
import { PAYMENTS } from "../payments/kind";
import { applyCallbackAgain, applyCallbackOf } from "./apply-again";
import { callbackDigest } from "./digest";
import { listCallbacks, readableBody, requireCallback, type StoredCallback } from "./find";
import { applyDueCallbacks, receiveCallback } from "./receive-callback";

const SECRET = "a secret of at least thirty-two characters";
/** A provider that cannot be reached: its reports arrive as callbacks only. */
const ACME = { name: "acme", url: "http://127.0.0.1:9", secret: SECRET, payment_methods: "all" };
const BOTH = { ...ACME, name: "both", payment_methods: [], environments: ["test", "live"] };
const SUCCEEDED = { status: "succeeded", amount: "1050", currency: "BRL" };
const LEASE_MS = 30_000;

let merchant: TestMerchant;
let intent: PaymentIntent;
beforeEach(async () => {
  configureGateways(JSON.stringify([ACME, BOTH]));
  merchant = await makeLiveMerchant();
  intent = (await createPaymentIntent(merchant.context, payment(), withoutIdempotency())).intent;
});
afterEach(async () => {
  await queryAsOwner("DROP TRIGGER IF EXISTS broken ON payment_intent");
  await requireInvariants();
  await query("UPDATE provider_callback SET due_at = now() + interval '1 day' WHERE due_at IS NOT NULL");
});

async function deliver(body: string, provider = "acme"): Promise<void> {
  const message = { method: "POST", path: `/providers/${provider}/callbacks`, body };
  await receiveCallback(provider, new Headers(signedHeaders(SECRET, message, new Date())), body);
}

/** Delivers a callback about the intent, with these members replaced; returns its id. */
async function send(changes: Readonly<Record<string, unknown>>, provider = "acme"): Promise<string> {
  const callbackId = newId("event");
  const core = { callback_id: callbackId, merchant_id: merchant.merchantId, reference: intent.id };
  await deliver(JSON.stringify({ ...core, provider_reference: "psp-1", ...changes }), provider);
  return callbackId;
}

const apply = () => applyDueCallbacks(1_000, LEASE_MS);

interface CallbackRow {
  readonly result: string | null;
  readonly attempts: number;
  /** Seconds until the next try, rounded; null without one. */
  readonly wait: number | null;
}

async function rowOf(callbackId: string): Promise<CallbackRow | undefined> {
  const [row] = await query<CallbackRow>(
    `SELECT result, attempts, round(extract(epoch FROM due_at - now()))::int AS wait
     FROM provider_callback WHERE callback_id = $1`,
    callbackId,
  );
  return row;
}

/** Makes a waiting callback due, as if this many tries had been made. */
async function afterTries(callbackId: string, tries: number): Promise<void> {
  await query(
    "UPDATE provider_callback SET due_at = now() - interval '1 ms', attempts = $2 WHERE callback_id = $1",
    callbackId,
    tries,
  );
}

const exceptionsOf = (callbackId: string) =>
  query<{ merchant_id: string; environment: string; object_id: string; detail: Record<string, string> }>(
    `SELECT merchant_id, environment, object_id, detail FROM exception
     WHERE kind = 'unapplied_callback' AND detail->>'callback' LIKE '%/' || $1`,
    callbackId,
  );

describe("an unreadable callback", () => {
  it.each([
    ["a status that we do not know", { status: "exploded" }],
    ["an unknown currency", { ...SUCCEEDED, currency: "QQQ" }],
    ["the amount 0", { ...SUCCEEDED, amount: "0" }],
    ["no amount", { status: "succeeded" }],
  ])("with %s opens an exception of the merchant at once", async (_name, changes) => {
    const callbackId = await send(changes);
    await apply();
    expect(await rowOf(callbackId)).toEqual({ result: "unreadable", attempts: 1, wait: null });
    expect(await exceptionsOf(callbackId)).toEqual([
      {
        merchant_id: merchant.merchantId,
        environment: "live",
        object_id: intent.id,
        detail: expect.objectContaining({ reason: "unreadable", provider: "acme", reference: intent.id }) as object,
      },
    ]);
    expect((await getIntent(PAYMENTS, merchant.scope, intent.id)).status).toBe("processing");
  });

  it("that names no merchant of ours, or is not JSON, belongs to no merchant", async () => {
    const named = await send({ status: "exploded", merchant_id: newId("merchant") });
    const body = `{"callback_id": ${newId("event")}`;
    await deliver(`${body}\0`);
    await apply();
    expect(await exceptionsOf(named)).toMatchObject([{ merchant_id: "", environment: "live" }]);
    const [row] = await query<{ callback_id: string }>(
      "SELECT callback_id FROM provider_callback WHERE starts_with(body, $1)",
      body,
    );
    const callback = `acme/${row?.callback_id}`;
    expect(await exceptionsOf(row?.callback_id ?? "")).toMatchObject([
      { merchant_id: "", object_id: callback, detail: { callback, reference: null } },
    ]);
  });

  it("of a provider in both environments belongs to no merchant, since its environment is unknown", async () => {
    const callbackId = await send({ status: "exploded" }, "both");
    await apply();
    expect(await exceptionsOf(callbackId)).toMatchObject([{ merchant_id: "", environment: "live" }]);
  });

  it("of a provider that was removed opens an exception too", async () => {
    const callbackId = await send(SUCCEEDED);
    configureGateways("[]");
    await apply();
    expect(await exceptionsOf(callbackId)).toMatchObject([{ merchant_id: "", detail: { reason: "unreadable" } }]);
  });

  it("delivered again, or under another id, adds no second exception to its own", async () => {
    const callbackId = await send({ status: "exploded" });
    await apply();
    await send({ status: "exploded", callback_id: callbackId });
    await apply();
    expect(await exceptionsOf(callbackId)).toHaveLength(1);
  });
});

describe("a callback that names no intent of its provider", () => {
  const lost = () => ({ ...SUCCEEDED, reference: newId("paymentIntent") });

  it("is retried with growing delays, and opens an exception after 16 tries", async () => {
    const callbackId = await send(lost());
    for (const [attempts, wait] of [
      [1, 1],
      [2, 2],
      [3, 4],
      [15, 600],
    ] as const) {
      await afterTries(callbackId, attempts - 1);
      await apply();
      expect(await rowOf(callbackId)).toEqual({ result: null, attempts, wait });
      expect(await exceptionsOf(callbackId)).toEqual([]);
    }
    await afterTries(callbackId, 15);
    await apply();
    expect(await rowOf(callbackId)).toEqual({ result: "unmatched", attempts: 16, wait: null });
    expect(await exceptionsOf(callbackId)).toMatchObject([
      { merchant_id: merchant.merchantId, environment: "live", detail: { reason: "unmatched" } },
    ]);
  });

  it("is applied by a later try when its intent has been committed since", async () => {
    const reference = newId("paymentIntent");
    const callbackId = await send({ ...SUCCEEDED, reference });
    await apply();
    await restore(reference);
    await afterTries(callbackId, 1);
    await apply();
    expect(await rowOf(callbackId)).toMatchObject({ result: "applied", attempts: 2 });
    expect((await getIntent(PAYMENTS, merchant.scope, reference)).status).toBe("succeeded");
    expect(await exceptionsOf(callbackId)).toEqual([]);
  });
});

/** Commits a payment under this id, as a restored database or a slow commit does. */
async function restore(id: string): Promise<void> {
  const { context } = merchant;
  expect(
    await recordCreation(PAYMENTS, { ...intent, id, dispatchReference: id, merchantReference: id }, [], { context }),
  ).toBe("committed");
}

/** Makes every change of the payment fail until the trigger is dropped. */
async function breakPayment(): Promise<void> {
  await queryAsOwner(`
    CREATE OR REPLACE FUNCTION broken() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'broken'; END $$;
    CREATE TRIGGER broken BEFORE UPDATE ON payment_intent
    FOR EACH ROW WHEN (OLD.id = '${intent.id}') EXECUTE FUNCTION broken()`);
}

describe("a callback that cannot be recorded", () => {
  it("backs off without delaying others, and opens an exception after 16 tries", async () => {
    await breakPayment();
    const failing = await send(SUCCEEDED);
    const other = (await createPaymentIntent(merchant.context, payment(), withoutIdempotency())).intent;
    await apply();
    expect(await rowOf(failing)).toEqual({ result: null, attempts: 1, wait: 1 });
    const next = await send({ ...SUCCEEDED, reference: other.id });
    await applyDueCallbacks(1, LEASE_MS);
    expect(await rowOf(next)).toMatchObject({ result: "applied" });
    await afterTries(failing, 15);
    await apply();
    expect(await rowOf(failing)).toEqual({ result: "failing", attempts: 16, wait: null });
    const [exception] = await exceptionsOf(failing);
    expect(exception).toMatchObject({ merchant_id: merchant.merchantId, detail: { reason: "failing" } });
    expect(JSON.stringify(exception)).not.toContain("broken");
  });
});

describe("two workers", () => {
  it("one whose claim has expired does not overwrite the result of the other", async () => {
    const callbackId = await send(SUCCEEDED);
    const [slow] = await claimDueCallbacksAcrossMerchants(1, -1_000);
    if (!slow) throw new Error("no callback was due");
    await apply();
    const recorded = await rowOf(callbackId);
    expect(recorded).toEqual({ result: "applied", attempts: 2, wait: null });
    const opening = {
      scope: merchant.scope,
      ...unappliedCallbackException(slow, {
        reason: "failing",
        reference: intent.id,
        intentId: intent.id,
        why: "slow",
      }),
    };
    expect(await finishCallbackAcrossMerchants(slow, "ignored")).toBe(false);
    expect(await postponeCallbackAcrossMerchants(slow, 1_000)).toBe(false);
    expect(await setCallbackAsideAcrossMerchants(slow, "failing", opening, new Date())).toBe(false);
    expect([await rowOf(callbackId), await exceptionsOf(callbackId)]).toEqual([recorded, []]);
  });
});

/** Makes a callback one that was received an hour earlier. */
async function receivedEarlier(callbackId: string): Promise<void> {
  const stored = await requireCallback(`acme/${callbackId}`);
  const receivedAt = new Date(stored.receivedAt.getTime() - 3_600_000);
  await query(
    "UPDATE provider_callback SET received_at = $2::timestamptz, digest = $3 WHERE callback_id = $1",
    callbackId,
    receivedAt,
    callbackDigest({ ...stored, receivedAt }),
  );
}

describe("callbacks of one intent in one batch", () => {
  it("are applied in the order in which they were received", async () => {
    const ids = [];
    for (const status of ["expired", "declined", "cancelled"]) ids.push(await send({ status }));
    // The claim returns them by due time; receipt decides.
    await query("UPDATE provider_callback SET due_at = now() - interval '1 hour' WHERE callback_id = $1", ids[2]);
    await receivedEarlier(ids[1] ?? "");
    await apply();
    expect(await getIntent(PAYMENTS, merchant.scope, intent.id)).toMatchObject({ status: "failed", revision: 1 });
    const results = await Promise.all(ids.map(rowOf));
    expect(results.map((row) => row?.result)).toEqual(["ignored", "applied", "ignored"]);
  });
});

describe("a person's try", () => {
  const FINANCE = "finance@shop.example";

  async function unapplied(changes: Readonly<Record<string, unknown>>): Promise<string> {
    const callbackId = await send(changes);
    await afterTries(callbackId, 15);
    await apply();
    return callbackId;
  }

  const opened = async () =>
    (await listExceptionsAcrossMerchants({ merchantId: merchant.merchantId, openOnly: true })).exceptions.filter(
      ({ kind }) => kind === "unapplied_callback",
    );

  it("applies a callback of an intent that was lost and restored, once, and resolves the exception", async () => {
    const reference = newId("paymentIntent");
    const callbackId = await unapplied({ ...SUCCEEDED, reference });
    const before = await balanceOf(merchant);
    expect(await applyCallbackAgain(`acme/${callbackId}`)).toMatchObject({
      callback: { result: "unmatched", attempts: 17 },
      why: expect.stringContaining("no such intent") as string,
    });
    expect(await opened()).toHaveLength(1);
    await restore(reference);
    const tries = await Promise.allSettled([1, 2, 3].map(() => applyCallbackAgain(`acme/${callbackId}`)));
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await opened()).toEqual([]);
    expect((await balanceOf(merchant))[0] - before[0]).toBe(1050n);
    await expect(applyCallbackAgain(`acme/${callbackId}`)).rejects.toMatchObject({ code: "validation_failed" });
    const [exception] = await query<{ resolution: string; resolved_by_type: string }>(
      "SELECT resolution, resolved_by_type FROM exception WHERE object_id = $1",
      reference,
    );
    expect(exception).toEqual({
      resolution: expect.stringMatching(/^The callback was applied\./) as string,
      resolved_by_type: "operator",
    });
    const audited = await query<{ after: object }>(
      "SELECT after FROM audit_entry WHERE action = 'callback.apply' AND object_id = $1 ORDER BY id",
      `acme/${callbackId}`,
    );
    expect(audited).toHaveLength(2);
    expect(audited[0]?.after).toEqual({ result: "unmatched" });
  });

  it("resolves an exception without a merchant", async () => {
    const callbackId = await send({ ...SUCCEEDED }, "acme");
    configureGateways("[]");
    await apply();
    expect(await exceptionsOf(callbackId)).toMatchObject([{ merchant_id: "" }]);
    configureGateways(JSON.stringify([ACME]));
    expect(await applyCallbackAgain(`acme/${callbackId}`)).toMatchObject({
      callback: { result: "applied" },
      why: null,
    });
    const open = "SELECT id FROM exception WHERE resolved_at IS NULL AND detail->>'callback' = $1";
    expect(await query(open, `acme/${callbackId}`)).toEqual([]);
  });

  it("by a member needs the role, the merchant's own exception, and one about a callback", async () => {
    const { merchantId } = merchant;
    const by = async (email: string, role: string) => ({
      ...merchant.context,
      actor: { type: "member", id: await makeMember(merchantId, email, role) } as const,
    });
    const [finance, developer] = [await by(FINANCE, "finance"), await by("dev@shop.example", "developer")];
    await breakPayment();
    await unapplied(SUCCEEDED);
    const [exception] = await opened();
    const id = exception?.id ?? "";
    await expect(applyCallbackOf(developer, id)).rejects.toThrow(Forbidden);
    await expect(applyCallbackOf(finance, newId("exception"))).rejects.toMatchObject({ code: "not_found" });
    const elsewhere = { ...finance, scope: { ...finance.scope, environment: "test" as const } };
    await expect(applyCallbackOf(elsewhere, id)).rejects.toMatchObject({ code: "not_found" });
    expect(await applyCallbackOf(finance, id)).toMatchObject({
      callback: { result: "failing" },
      exception: { resolvedAt: null },
    });
    await queryAsOwner("DROP TRIGGER broken ON payment_intent");
    expect(await applyCallbackOf(finance, id)).toMatchObject({
      callback: { result: "applied" },
      exception: { resolvedBy: finance.actor },
    });
    await expect(applyCallbackOf(finance, id)).rejects.toMatchObject({ code: "validation_failed" });
    await send(SUCCEEDED);
    await send({ ...SUCCEEDED, provider_reference: "psp-2" });
    await apply();
    const { exceptions } = await listExceptionsAcrossMerchants({ merchantId, openOnly: true });
    const late = exceptions.find(({ kind }) => kind === "late_money")?.id ?? "";
    await expect(applyCallbackOf(finance, late)).rejects.toMatchObject({ code: "not_found" });
  });

  it("is rejected while the worker still retries the callback", async () => {
    const callbackId = await send({ ...SUCCEEDED, reference: newId("paymentIntent") });
    await apply();
    await expect(applyCallbackAgain(`acme/${callbackId}`)).rejects.toMatchObject({
      code: "validation_failed",
      message: expect.stringContaining("still being retried") as string,
    });
    for (const name of ["acme/none", "none", `both/${callbackId}`]) {
      await expect(applyCallbackAgain(name)).rejects.toMatchObject({ code: "not_found" });
    }
  });
});

describe("listing callbacks", () => {
  it("filters by provider and state, newest first", async () => {
    const unreadable = await send({ status: "exploded" }, "both");
    const applied = await send(SUCCEEDED);
    await apply();
    const ignored = await send(SUCCEEDED);
    await apply();
    const waiting = await send({ ...SUCCEEDED, reference: newId("paymentIntent") });
    await apply();
    const firstOf = async (provider: string | null, state: CallbackState | null) =>
      (await listCallbacks({ provider, state })).callbacks[0]?.callbackId;
    expect(await firstOf("both", "unapplied")).toBe(unreadable);
    expect(await firstOf("both", "waiting")).toBeUndefined();
    expect(await firstOf("acme", "applied")).toBe(applied);
    expect(await firstOf(null, "ignored")).toBe(ignored);
    expect(await firstOf(null, "waiting")).toBe(waiting);
    expect(await firstOf(null, null)).toBe(waiting);
  });

  it("shows at most 4,096 characters of a body, without personal values", async () => {
    const callback = (body: string) => readableBody({ body } as StoredCallback);
    const member = { account_number: "12345678", name: "Ana", amount: "1050" };
    expect(JSON.parse(callback(JSON.stringify(member)))).toEqual({
      account_number: "[hidden]",
      name: "[hidden]",
      amount: "1050",
    });
    expect(callback("account=12345678&amount=1050")).toBe("account=[hidden]&amount=1050");
    expect(callback("x".repeat(10_000))).toHaveLength(4_096);
    expect(callback(JSON.stringify("x".repeat(10_000)))).toHaveLength(4_097);
  });
});
