// A payout which comes back is given back once, never beyond its sum, with an exception in the commit.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { query } from "@/server/db/client";
import type { PayoutOutcome } from "@/server/domain/outcome";
import type { PayoutIntent } from "@/server/domain/payout-intent";
import { signedHeaders } from "@/server/psp/http/signature";
import { configureGateways } from "@/server/psp/registry";
import { countRows, requireInvariants } from "@/server/testing/invariants";
import {
  approvedPayout,
  balanceOf,
  makeMerchant,
  OPENING,
  payment,
  type TestMerchant,
} from "@/server/testing/merchant";
import { applyUpdate } from "../callbacks/apply-update";
import { applyDueCallbacks, receiveCallback } from "../callbacks/receive-callback";
import { withoutIdempotency } from "../idempotency/completion";
import { getIntent } from "../intents/read";
import { checkInvariants } from "../invariants/check";
import { createPaymentIntent } from "../payments/create";
import { PAYOUTS } from "../payouts/kind";
import { simulate } from "../sandbox/simulate";
import { fundWallet } from "../wallets";

let merchant: TestMerchant;
beforeEach(async () => {
  merchant = await makeMerchant();
});
afterEach(requireInvariants);

const SETTLED: PayoutOutcome = { kind: "settled", amount: 25_000n, currency: "BRL", providerReference: "px-1" };
const returned = (providerReference: string, amount = 25_000n, currency = "BRL"): PayoutOutcome => ({
  kind: "returned",
  amount,
  currency,
  providerReference,
});

async function tell(intent: PayoutIntent, ...news: PayoutOutcome[]): Promise<PayoutIntent> {
  await applyUpdate(merchant.context, { kind: "payout_intent", intent }, news);
  return getIntent(PAYOUTS, merchant.scope, intent.id);
}

const exceptions = () =>
  query<{ kind: string; object_id: string; detail: object }>(
    "SELECT kind, object_id, detail FROM exception WHERE merchant_id = $1 ORDER BY opened_at, id",
    merchant.merchantId,
  );

describe("a bank return", () => {
  it("gives the money back to the wallet, opens an exception, and leaves status, event and revision alone", async () => {
    const settled = await tell(await approvedPayout(merchant), SETTLED);
    expect(await balanceOf(merchant)).toEqual([OPENING - 25_000n, 0n]);
    expect(await tell(settled, returned("ret-1"))).toEqual(settled);
    expect(await balanceOf(merchant)).toEqual([OPENING, 0n]);
    expect(await countRows("event", merchant.merchantId)).toBe(1);
    expect(await exceptions()).toEqual([
      {
        kind: "bank_return",
        object_id: settled.id,
        detail: { booked_to: "available", amount: "25000", currency: "BRL" },
      },
    ]);
  });

  it("that is told fifty times at once counts once", async () => {
    const settled = await tell(await approvedPayout(merchant), SETTLED);
    await Promise.all(Array.from({ length: 50 }, () => tell(settled, returned("ret-1"))));
    expect(await balanceOf(merchant)).toEqual([OPENING, 0n]);
    expect(await exceptions()).toHaveLength(1);
  });

  it("in parts is given back in parts", async () => {
    const settled = await tell(await approvedPayout(merchant), SETTLED, returned("ret-1", 10_000n));
    expect(await balanceOf(merchant)).toEqual([OPENING - 15_000n, 0n]);
    await tell(settled, returned("ret-2", 15_000n));
    expect(await balanceOf(merchant)).toEqual([OPENING, 0n]);
    expect((await exceptions()).map(({ kind }) => kind)).toEqual(["bank_return", "bank_return"]);
  });

  it("under ever new references never gives back more than had left: the rest is in suspense", async () => {
    const settled = await tell(await approvedPayout(merchant), SETTLED);
    await Promise.all(Array.from({ length: 12 }, (_, n) => tell(settled, returned(`ret-${n}`, 10_000n))));
    expect(await balanceOf(merchant)).toEqual([OPENING - 5_000n, 0n]);
    const kinds = (await exceptions()).map(({ kind }) => kind).sort();
    expect(kinds).toEqual([...Array<string>(10).fill("amount_mismatch"), "bank_return", "bank_return"]);
    const [suspense] = await query<{ balance: string }>(
      "SELECT balance::text FROM ledger_account WHERE merchant_id = $1 AND environment = 'test' AND kind = 'suspense'",
      merchant.merchantId,
    );
    expect(suspense?.balance).toBe("100000");
    expect((await checkInvariants()).violations).toBe(0);
  });

  it("comes to the same before and after its settlement", async () => {
    const early = await tell(await approvedPayout(merchant), returned("ret-1"), SETTLED);
    expect(early).toMatchObject({ status: "succeeded", failure: null });
    expect(await balanceOf(merchant)).toEqual([OPENING, 0n]);
    expect(await exceptions()).toHaveLength(1);
    expect((await checkInvariants()).violations).toBe(0);
  });

  it("can be let happen in the simulator, once", async () => {
    const { id } = await approvedPayout(merchant);
    for (const outcome of ["settled", "returned"]) await simulate(merchant.context, id, outcome);
    expect(await balanceOf(merchant)).toEqual([OPENING, 0n]);
    await expect(simulate(merchant.context, id, "returned")).rejects.toMatchObject({ code: "validation_failed" });
  });
});

it("told by a provider's signed callbacks, twice and before the settlement, comes to the same", async () => {
  const secret = "a secret of at least thirty-two characters";
  const acme = { name: "acme", url: "http://127.0.0.1:9", secret, payout_currencies: "all" };
  configureGateways(JSON.stringify([acme]));
  const scope = { ...merchant.scope, environment: "live" as const };
  const byMember = () => ({ ...merchant.byMember(), scope });
  const inLive = { ...merchant, scope, context: { ...merchant.context, scope }, byMember };
  await fundWallet(inLive.context, { currency: "BRL", amount: 100_000n });
  const { id } = await approvedPayout(inLive);
  const call = async (callbackId: string, status: string, reference: string) => {
    const sum = { amount: "25000", currency: "BRL" };
    const core = {
      callback_id: callbackId,
      merchant_id: merchant.merchantId,
      reference: id,
      provider_reference: reference,
    };
    const body = JSON.stringify({ ...core, status, ...sum });
    const message = { method: "POST", path: "/providers/acme/callbacks", body };
    await receiveCallback("acme", new Headers(signedHeaders(secret, message, new Date())), body);
    await applyDueCallbacks(10, 30_000);
  };
  await call(`${id}-1`, "returned", "ret-1");
  await call(`${id}-1`, "returned", "ret-1");
  await call(`${id}-2`, "settled", "px-1");
  await call(`${id}-3`, "returned", "ret-1");
  expect((await getIntent(PAYOUTS, scope, id)).status).toBe("succeeded");
  expect(await balanceOf(inLive)).toEqual([100_000n, 0n]);
  expect((await exceptions()).map(({ kind }) => kind)).toEqual(["bank_return"]);
});

describe("stray money", () => {
  it("opens its exception with the booking, the same news once, another payment once more", async () => {
    const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
    await simulate(merchant.context, intent.id, "expired");
    const late = (providerReference: string) =>
      applyUpdate(merchant.context, { kind: "payment_intent", intent }, [
        { kind: "succeeded", receiptId: providerReference, amount: 1050n, currency: "BRL", providerReference },
      ]);
    const results = await Promise.all(["px-1", "px-1", "px-1", "px-2"].map(late));
    expect(results.filter(({ hadEffect }) => hadEffect)).toHaveLength(2);
    const detail = { booked_to: "suspense", amount: "1050", currency: "BRL" };
    const expected = ["px-1", "px-2"].map((id) => ({
      kind: "late_money",
      object_id: intent.id,
      detail: { ...detail, provider_reference: id, receipt_id: id },
    }));
    const opened = await exceptions();
    expect(opened).toHaveLength(2);
    expect(opened).toEqual(expect.arrayContaining(expected));
  });

  it("in a currency that the merchant does not have is kept all the same", async () => {
    const settled = await tell(await approvedPayout(merchant), SETTLED, returned("ret-1", 5_000n, "USD"));
    expect(settled.status).toBe("succeeded");
    expect(await exceptions()).toMatchObject([
      { kind: "amount_mismatch", detail: { booked_to: "suspense", amount: "5000", currency: "USD" } },
    ]);
  });
});
