// The end of a payer's window: a provider that can cancel closes the payment before it expires.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { PaymentOutcome, TopupOutcome } from "@/server/domain/outcome";
import type { PaymentIntent } from "@/server/domain/payment-intent";
import { now } from "@/server/platform/clock";
import type { Gateway } from "@/server/psp/gateway";
import { sandboxGateway } from "@/server/psp/sandbox/gateway";
import { acceptCallbacks, sendCallback } from "@/server/testing/callbacks";
import { countRows, requireInvariants } from "@/server/testing/invariants";
import { makeLiveMerchant, makeMerchant, payment, type TestMerchant } from "@/server/testing/merchant";
import { installScriptedProvider, type ScriptedProvider } from "@/server/testing/scripted-provider";
import { applyDueCallbacks } from "../callbacks/receive-callback";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { PAYMENTS } from "../payments/kind";
import { createTopupIntent } from "../topups/create";
import { TOPUPS } from "../topups/kind";
import { followUp } from "./follow-up";
import { getIntent } from "./read";

const SECOND = 1_000;
const WINDOW = 30 * 60 * SECOND;
const TRACE = { providerReference: null };
const QR = { type: "redirect_to_url", url: "https://psp.example/1", expires_at: "2026-12-01T00:00:00.000Z" } as const;
const SHOWN: PaymentOutcome = { kind: "requires_action", nextAction: QR, ...TRACE };
const CLOSED: PaymentOutcome = { kind: "cancelled", ...TRACE };
const PENDING: PaymentOutcome = { kind: "pending", ...TRACE };
const PAID: PaymentOutcome = { kind: "succeeded", receiptId: null, amount: 1050n, currency: "BRL", ...TRACE };
const UNKNOWN: PaymentOutcome = { kind: "unknown", detail: "time-out" };

let merchant: TestMerchant;
let provider: ScriptedProvider;
let intent: PaymentIntent;
beforeEach(async () => {
  merchant = await makeLiveMerchant();
  provider = installScriptedProvider();
  acceptCallbacks();
  provider.answer = SHOWN;
  ({ intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency()));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await requireInvariants();
});

const read = () => getIntent(PAYMENTS, merchant.scope, intent.id);

/** The payment after the worker's poll at `afterMs` from its expiry. */
async function pollAt(afterMs: number): Promise<PaymentIntent> {
  const aheadMs = intent.expiresAt.getTime() + afterMs - now().getTime();
  await followUp(PAYMENTS, await read(), () => new Date(now().getTime() + aheadMs));
  return read();
}

describe("a payment whose payer's time is up", () => {
  it("is closed at its provider, and then expires", async () => {
    provider.answerToCancel = CLOSED;
    expect((await pollAt(-SECOND)).status).toBe("requires_action");
    expect(provider.cancelled).toEqual([]);
    expect(await pollAt(0)).toMatchObject({ status: "expired", failure: { code: "expired" } });
    expect(provider.cancelled).toEqual([intent.id]);
    expect(await countRows("event", merchant.merchantId)).toBe(1);
    expect(await countRows("provider_attempt", merchant.merchantId)).toBe(1);
  });

  it("is not cancelled when the poll before brings the money", async () => {
    provider.answerToCancel = CLOSED;
    provider.answer = PAID;
    expect((await pollAt(0)).status).toBe("succeeded");
    expect(provider.cancelled).toEqual([]);
  });

  it("succeeds when the cancel call is answered with the money", async () => {
    provider.answerToCancel = PAID;
    expect((await pollAt(0)).status).toBe("succeeded");
  });

  it("waits for its provider when the payer acted just before the cancel call", async () => {
    provider.answerToCancel = PENDING;
    expect(await pollAt(0)).toMatchObject({ status: "processing", payerActedAt: expect.any(Date) as Date });
    provider.answer = PENDING;
    expect((await pollAt(WINDOW)).status).toBe("processing");
    expect(provider.cancelled).toHaveLength(1);
  });

  it("ends by a callback that comes during the cancel call, whatever the call is answered", async () => {
    provider.answerToCancel = { kind: "expired", ...TRACE };
    provider.duringCancel = async () => {
      await sendCallback(intent, { status: "succeeded", amount: "1050", currency: "BRL" });
      while ((await applyDueCallbacks(10, 0)) > 0);
    };
    expect((await pollAt(0)).status).toBe("succeeded");
  });

  it.each([
    ["no answer", UNKNOWN],
    ["the instructions", SHOWN],
  ])(
    "stays open after %s to the cancel call, for a minute, and is cancelled again every 15 s",
    async (_what, answer) => {
      provider.answerToCancel = answer;
      const open = await pollAt(0);
      expect(open.status).toBe("requires_action");
      expect(open.dueAt?.getTime()).toBeLessThan(intent.expiresAt.getTime() + 16 * SECOND);
      expect((await pollAt(59 * SECOND)).status).toBe("requires_action");
      expect((await pollAt(60 * SECOND)).status).toBe("expired");
      expect(provider.cancelled).toHaveLength(3);
    },
  );

  it("expires at once when its provider cannot cancel, or does not know it", async () => {
    expect((await pollAt(0)).status).toBe("expired");
    ({ intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency()));
    provider.answerToCancel = { kind: "never_accepted", detail: "unknown reference" };
    expect((await pollAt(0)).status).toBe("expired");
  });

  it("does not expire while its provider cannot be reached, and is not cancelled then", async () => {
    provider.answerToCancel = CLOSED;
    provider.answer = UNKNOWN;
    expect((await pollAt(WINDOW)).status).toBe("requires_action");
    expect(provider.cancelled).toEqual([]);
  });
});

describe("a top-up whose quote has run out", () => {
  async function runOut(answer: TopupOutcome) {
    const test = await makeMerchant();
    const sandbox = sandboxGateway as { readonly cancelTopup: NonNullable<Gateway["cancelTopup"]> };
    const cancel = vi.spyOn(sandbox, "cancelTopup").mockResolvedValue(answer);
    const command = {
      destination: { amount: "50000", currency: "BRL" },
      source: { type: "provider_gateway", provider: null, currency: "USDT", network: "tron" } as const,
      country: "BR",
      merchantReference: null,
    };
    const { intent: topup } = await createTopupIntent(test.context, command, withoutIdempotency());
    await followUp(TOPUPS, topup, () => new Date(topup.expiresAt));
    expect(cancel).toHaveBeenCalledOnce();
    return getIntent(TOPUPS, test.scope, topup.id);
  }

  it("is closed at its provider, and then expires", async () => {
    expect(await runOut({ kind: "expired", ...TRACE })).toMatchObject({ status: "expired" });
  });

  it("goes on when the cancel call is answered with its funds", async () => {
    const funds = { kind: "funds_seen", amount: 1_000_000_000n, currency: "USDT", confirmed: false } as const;
    expect(await runOut({ ...funds, ...TRACE })).toMatchObject({ status: "processing" });
  });

  it("stays open for a moment when the cancel call is not answered", async () => {
    expect(await runOut({ kind: "unknown", detail: "time-out" })).toMatchObject({ status: "requires_payment" });
  });
});
