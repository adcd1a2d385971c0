// Payments whose payer has acted and whose provider has not decided wait; stale instructions do not reopen them.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { query } from "@/server/db/client";
import type { PaymentIntent } from "@/server/domain/payment-intent";
import { now } from "@/server/platform/clock";
import { acceptCallbacks, type CallbackBody, sendCallback } from "@/server/testing/callbacks";
import { countRows, requireInvariants } from "@/server/testing/invariants";
import { makeLiveMerchant, payment, type TestMerchant } from "@/server/testing/merchant";
import { installScriptedProvider, type ScriptedProvider } from "@/server/testing/scripted-provider";
import { applyDueCallbacks } from "../callbacks/receive-callback";
import { listExceptionsAcrossMerchants } from "../exceptions/list";
import { resolveEndedStuck } from "../exceptions/stuck";
import { withoutIdempotency } from "../idempotency/completion";
import { followUp } from "../intents/follow-up";
import { getIntent } from "../intents/read";
import { createPaymentIntent } from "./create";
import { PAYMENTS } from "./kind";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const PENDING = { kind: "pending", providerReference: null } as const;
const UNKNOWN = { kind: "unknown", detail: "time-out" } as const;
const PAID = { kind: "succeeded", receiptId: null, amount: 1050n, currency: "BRL", providerReference: null } as const;
const EXPIRED = { kind: "expired", providerReference: null } as const;
const QR = { type: "redirect_to_url", url: "https://psp.example/1", expires_at: "2026-12-01T00:00:00.000Z" } as const;
const SHOWN = { kind: "requires_action", nextAction: QR, providerReference: null } as const;

let merchant: TestMerchant;
let provider: ScriptedProvider;
beforeEach(async () => {
  merchant = await makeLiveMerchant();
  provider = installScriptedProvider();
  provider.answer = SHOWN;
  acceptCallbacks();
});
afterEach(async () => {
  await requireInvariants();
});

async function create(): Promise<PaymentIntent> {
  return (await createPaymentIntent(merchant.context, payment(), withoutIdempotency())).intent;
}

const read = ({ id }: Pick<PaymentIntent, "id">) => getIntent(PAYMENTS, merchant.scope, id);

/** Returns the intent after the worker's poll `afterMs` from now. */
async function poll(intent: PaymentIntent, afterMs = 0): Promise<PaymentIntent> {
  await followUp(PAYMENTS, await read(intent), () => new Date(now().getTime() + afterMs));
  return read(intent);
}

async function callBack(id: string, news: CallbackBody): Promise<PaymentIntent> {
  await sendCallback({ merchantId: merchant.merchantId, id }, news);
  while ((await applyDueCallbacks(10, 0)) > 0);
  return read({ id });
}

async function openExceptions() {
  const { exceptions } = await listExceptionsAcrossMerchants({ merchantId: merchant.merchantId, openOnly: true });
  return exceptions.map(({ kind, detail }) => ({ kind, detail }));
}

describe("a payment whose payer has acted", () => {
  it("does not expire with its window: it waits, and succeeds when the provider reports the money", async () => {
    const intent = await create();
    provider.answer = PENDING;
    expect(await poll(intent, 31 * MINUTE)).toMatchObject({ status: "processing", failure: null });
    expect(await poll(intent, 60 * HOUR)).toMatchObject({ status: "processing", revision: 2 });
    expect(await openExceptions()).toEqual([]);
    expect(provider.cancelled).toEqual([]);
    provider.answer = PAID;
    expect((await poll(intent, 61 * HOUR)).status).toBe("succeeded");
  });

  it("does not expire after `pending` in the answer to its creation or by callback", async () => {
    provider.answer = PENDING;
    const accepted = await create();
    expect(accepted).toMatchObject({ status: "processing", payerActedAt: expect.any(Date) as Date });
    expect((await poll(accepted, 31 * MINUTE)).status).toBe("processing");
    provider.answer = SHOWN;
    const shown = await create();
    provider.answer = UNKNOWN;
    expect((await callBack(shown.id, { status: "pending" })).status).toBe("processing");
    provider.answer = PENDING;
    expect((await poll(shown, 31 * MINUTE)).status).toBe("processing");
  });

  it("opens an exception if the provider does not decide within 72 hours, and is polled further", async () => {
    provider.answer = PENDING;
    const intent = await create();
    await poll(intent, 71 * HOUR);
    expect(await openExceptions()).toEqual([]);
    const waiting = await poll(intent, 72 * HOUR);
    const why = "The payer has acted, and the provider has not reported the result within 72 hours.";
    expect(await openExceptions()).toEqual([{ kind: "stuck", detail: { why } }]);
    expect(waiting).toMatchObject({ status: "processing", failure: null });
    const pauseMs = (waiting.dueAt?.getTime() ?? 0) - now().getTime() - 72 * HOUR;
    expect(pauseMs).toBeGreaterThan(9 * MINUTE);
    provider.answer = PAID;
    expect((await poll(intent, 80 * HOUR)).status).toBe("succeeded");
    await resolveEndedStuck();
    expect(await openExceptions()).toEqual([]);
  });

  it("expires by the provider's own final report, with one event", async () => {
    provider.answer = PENDING;
    const intent = await create();
    provider.answer = EXPIRED;
    expect(await poll(intent)).toMatchObject({ status: "expired", failure: { code: "expired" } });
    expect(await countRows("event", merchant.merchantId)).toBe(1);
  });

  it("cannot expire by time, even in direct SQL", async () => {
    provider.answer = PENDING;
    const intent = await create();
    const expire = query(
      "UPDATE payment_intent SET status = 'expired', failure_code = 'expired', due_at = NULL WHERE id = $1",
      intent.id,
    );
    await expect(expire).rejects.toThrow("payment_intent_pending_does_not_time_out");
    const forget = query("UPDATE payment_intent SET payer_acted_at = NULL WHERE id = $1", intent.id);
    await expect(forget).rejects.toThrow("payment_intent_payer_action_stays");
  });
});

it("a payment whose provider never answered its creation expires once a poll finds no money", async () => {
  provider.answer = UNKNOWN;
  const intent = await create();
  expect(await poll(intent, 31 * MINUTE)).toMatchObject({ status: "processing", payerActedAt: null });
  provider.answer = SHOWN;
  expect((await poll(intent, 32 * MINUTE)).status).toBe("expired");
});

describe("instructions older than the report that the payer has acted", () => {
  it("do not reopen the payment as the answer to its creation", async () => {
    provider.duringSend = async (id) => void (await callBack(id, { status: "pending" }));
    expect(await create()).toMatchObject({ status: "processing", nextAction: null });
  });

  it("do not reopen the payment as the answer to a poll that began before", async () => {
    const intent = await create();
    const claimed = await read(intent);
    await callBack(intent.id, { status: "pending" });
    await followUp(PAYMENTS, claimed, now);
    expect(await read(intent)).toMatchObject({ status: "processing", nextAction: null });
  });

  it("reopen it if the poll began later: the bank declined, and the payer can pay again", async () => {
    const intent = await create();
    const acted = await callBack(intent.id, { status: "pending" });
    const reopened = await poll(intent);
    expect(reopened).toMatchObject({ status: "requires_action", nextAction: QR, payerActedAt: acted.payerActedAt });
    await callBack(intent.id, { status: "pending" });
    await followUp(PAYMENTS, reopened, now);
    expect((await read(intent)).status).toBe("processing");
  });

  it("lead to expiry when the payer does not act again", async () => {
    const intent = await create();
    await callBack(intent.id, { status: "pending" });
    expect((await poll(intent)).status).toBe("requires_action");
    expect((await poll(intent, 31 * MINUTE)).status).toBe("expired");
  });
});
