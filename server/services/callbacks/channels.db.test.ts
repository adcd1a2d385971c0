// Which providers send callbacks is learned per channel, is forgotten when none come, and decides how often they are polled.
import { beforeEach, expect, it } from "vitest";
import { query } from "@/server/db/client";
import type { PaymentIntent } from "@/server/domain/payment-intent";
import { acceptCallbacks, type CallbackBody, sendCallback } from "@/server/testing/callbacks";
import { requireInvariants } from "@/server/testing/invariants";
import { makeLiveMerchant, makeMerchant, payment, type TestMerchant } from "@/server/testing/merchant";
import { queryAsOwner } from "@/server/testing/owner";
import { installScriptedProvider, type ScriptedProvider } from "@/server/testing/scripted-provider";
import { withoutIdempotency } from "../idempotency/completion";
import { followUp } from "../intents/follow-up";
import { getIntent } from "../intents/read";
import { createPaymentIntent } from "../payments/create";
import { PAYMENTS } from "../payments/kind";
import { forgetCallbackChannels, readCallbackChannels, reportingOf } from "./channels";
import { applyDueCallbacks } from "./receive-callback";

const MINUTE = 60_000;
const PAID = { kind: "succeeded", receiptId: null, amount: 1050n, currency: "BRL", providerReference: null } as const;
const QR = { type: "redirect_to_url", url: "https://psp.example/1", expires_at: "2036-12-01T00:00:00.000Z" } as const;
const SHOWN = { kind: "requires_action", nextAction: QR, providerReference: null } as const;
const PAID_CALLBACK: CallbackBody = { status: "succeeded", amount: "1050", currency: "BRL" };

let merchant: TestMerchant;
let provider: ScriptedProvider;
beforeEach(async () => {
  merchant = await makeLiveMerchant();
  provider = installScriptedProvider();
  provider.answer = SHOWN;
  acceptCallbacks();
  await queryAsOwner("DELETE FROM callback_channel");
  forgetCallbackChannels();
});

async function create(command = payment()): Promise<PaymentIntent> {
  return (await createPaymentIntent(merchant.context, command, withoutIdempotency())).intent;
}

/** Minutes between the intent's last change and its next poll. */
function waitOf({ dueAt, updatedAt }: PaymentIntent): number {
  return ((dueAt?.getTime() ?? Number.NaN) - updatedAt.getTime()) / MINUTE;
}

async function callBack({ id }: PaymentIntent, news: CallbackBody): Promise<void> {
  await sendCallback({ merchantId: merchant.merchantId, id }, news);
  while ((await applyDueCallbacks(10, 0)) > 0);
  await readCallbackChannels();
}

it("a payment is first polled after 15 s, and after 5 minutes once its channel sends callbacks", async () => {
  expect(waitOf(await create())).toBe(0.25);
  await callBack(await create(), PAID_CALLBACK);
  expect(waitOf(await create())).toBe(5);
});

it("a callback counts even if a poll had found the change before it", async () => {
  const intent = await create();
  provider.answer = PAID;
  await followUp(PAYMENTS, intent, () => intent.updatedAt);
  expect((await getIntent(PAYMENTS, merchant.scope, intent.id)).status).toBe("succeeded");
  await callBack(intent, PAID_CALLBACK);
  expect(reportingOf(intent.provider, intent.paymentMethod)).toBe("callbacks");
});

it("another channel of the provider is polled as before", async () => {
  const intent = await create();
  await callBack(intent, PAID_CALLBACK);
  expect(reportingOf(intent.provider, intent.paymentMethod)).toBe("callbacks");
  expect(reportingOf(intent.provider, "BR_BOLETO")).toBe("polls");
});

it("a callback about nothing teaches nothing", async () => {
  const intent = await create();
  await callBack({ ...intent, id: "dord_00000000000000000000000000" }, PAID_CALLBACK);
  expect(reportingOf(intent.provider, intent.paymentMethod)).toBe("polls");
});

it("a channel that has sent none for ten minutes is polled as before", async () => {
  const intent = await create();
  await callBack(intent, PAID_CALLBACK);
  await query("UPDATE callback_channel SET reported_at = now() - interval '10 minutes 1 second'");
  await readCallbackChannels();
  expect(reportingOf(intent.provider, intent.paymentMethod)).toBe("polls");
  expect(waitOf(await create())).toBe(0.25);
});

it("a lost callback is found by the first poll", async () => {
  await callBack(await create(), PAID_CALLBACK);
  const lost = await create();
  provider.answer = PAID;
  await followUp(PAYMENTS, lost, () => lost.dueAt ?? new Date(Number.NaN));
  const found = await getIntent(PAYMENTS, merchant.scope, lost.id);
  expect(found).toMatchObject({ status: "succeeded", dueAt: null });
  await requireInvariants();
});

it("a payment without an answer is polled at once, whatever its channel sends", async () => {
  await callBack(await create(), PAID_CALLBACK);
  provider.answer = { kind: "unknown", detail: "time-out" };
  const unanswered = await create();
  await followUp(PAYMENTS, unanswered, () => unanswered.updatedAt);
  const { dueAt } = await getIntent(PAYMENTS, merchant.scope, unanswered.id);
  expect(dueAt).toEqual(new Date(unanswered.updatedAt.getTime() + 500));
});

it("a payment of the sandbox is not polled before its end", async () => {
  merchant = await makeMerchant();
  const intent = await create();
  expect(intent.provider).toBe("sandbox");
  expect(intent.dueAt).toEqual(intent.expiresAt);
});
