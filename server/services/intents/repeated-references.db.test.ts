// A known merchant reference decides before configuration does.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { query } from "@/server/db/client";
import type { ServiceError } from "@/server/domain/errors";
import type { Gateway } from "@/server/psp/gateway";
import { countRows, ONE_REFERENCE_FOR_ALL, requireInvariantsExcept } from "@/server/testing/invariants";
import {
  adoptPolicy,
  keyed,
  makeLiveMerchant,
  once,
  payment,
  payout,
  type TestMerchant,
  topup,
} from "@/server/testing/merchant";
import { installScriptedProvider } from "@/server/testing/scripted-provider";
import type { Completed, Idempotency } from "../idempotency/completion";
import { withoutIdempotency } from "../idempotency/completion";
import { forgetMerchantSettings } from "../merchants/settings";
import { createPaymentIntent } from "../payments/create";
import { createPayoutIntent } from "../payouts/create";
import { createTopupIntent } from "../topups/create";

interface Found {
  readonly id: string;
  readonly status: string;
}

/** A creation of each kind, and the same with one economic field changed. */
interface Case {
  readonly table: string;
  create(idempotency: Idempotency<Found>): Promise<Completed<Found>>;
  createOther(idempotency: Idempotency<Found>): Promise<Completed<Found>>;
  readonly otherField: string;
}

const shared = globalThis as {
  sluiceProviders?: readonly { gateway: Gateway; topupEnvironments: readonly string[]; receiver: null }[];
};

let merchant: TestMerchant;
let quotes: number;

/** The scripted provider converts USDT into BRL in the live environment, and counts how often it is asked for a rate. */
function quoteTopups(quote: Gateway["quoteTopup"]): void {
  const counted: Gateway["quoteTopup"] = (...question) => {
    quotes += 1;
    return quote(...question);
  };
  shared.sluiceProviders = (shared.sluiceProviders ?? []).map((provider) => ({
    ...provider,
    gateway: { ...provider.gateway, quoteTopup: counted },
    topupEnvironments: ["live"],
  }));
}

beforeEach(async () => {
  quotes = 0;
  merchant = await makeLiveMerchant();
  installScriptedProvider();
  quoteTopups(async () => ({ rate: "5.430000", feeBasisPoints: 0, networks: ["tron"] }));
});
afterEach(() => requireInvariantsExcept(ONE_REFERENCE_FOR_ALL));

const disableCurrency = async () => {
  await query("DELETE FROM merchant_currency WHERE merchant_id = $1", merchant.merchantId);
  forgetMerchantSettings(merchant.merchantId);
};

function caseOf(kind: "payment" | "payout" | "topup"): Case {
  const [aPayment, aPayout, aTopup] = [payment(), payout(), topup()];
  const cases = {
    payment: {
      table: "payment_intent",
      create: (idempotency) => createPaymentIntent(merchant.context, aPayment, idempotency),
      createOther: (idempotency) =>
        createPaymentIntent(merchant.context, { ...aPayment, amount: "1000000001" }, idempotency),
      otherField: "amount",
    },
    payout: {
      table: "payout_intent",
      create: (idempotency) => createPayoutIntent(merchant.context, aPayout, idempotency),
      createOther: (idempotency) =>
        createPayoutIntent(merchant.context, { ...aPayout, amount: "1".repeat(16) }, idempotency),
      otherField: "amount",
    },
    topup: {
      table: "topup_intent",
      create: (idempotency) => createTopupIntent(merchant.context, aTopup, idempotency),
      createOther: (idempotency) =>
        createTopupIntent(merchant.context, { ...aTopup, destination: { amount: "7", currency: "BRL" } }, idempotency),
      otherField: "destination.amount",
    },
  } satisfies Record<string, Case>;
  return cases[kind];
}

const removals = [
  ["its provider was removed", async () => void (shared.sluiceProviders = [])],
  ["its currency was disabled", disableCurrency],
  [
    "its provider is away",
    async () => quoteTopups(() => Promise.reject(new Error("the repeat asked the provider for a rate"))),
  ],
] as const;

describe.each(["payment", "payout", "topup"] as const)("a repeated %s", (kind) => {
  it.each(removals)("is answered with the original after %s", async (_what, remove) => {
    const { create, table } = caseOf(kind);
    const first = await create(withoutIdempotency());
    await remove();
    const again = await create(withoutIdempotency());
    expect([first.completion, again.completion, again.intent.id]).toEqual(["created", "repeated", first.intent.id]);
    expect(await countRows(table, merchant.merchantId)).toBe(1);
  });

  it.each(removals)("that differs is a conflict naming the field, also after %s", async (_what, remove) => {
    const { create, createOther, otherField } = caseOf(kind);
    await create(withoutIdempotency());
    await remove();
    await expect(createOther(withoutIdempotency())).rejects.toMatchObject({
      code: "duplicate_merchant_reference",
      message: `merchant_reference was used with a different ${otherField}.`,
    });
  });

  it("that the present configuration refuses stores its answer under the key, and a refusal of new work does not", async () => {
    const { create, createOther, table } = caseOf(kind);
    const original = await create(withoutIdempotency());
    await disableCurrency();
    const first = await once(keyed(merchant, "repeat"), create);
    const replay = await once(keyed(merchant, "repeat"), create);
    expect(first).toMatchObject({ status: 200, replayed: false });
    expect(JSON.parse(first.body)).toMatchObject({ id: original.intent.id });
    expect(replay).toEqual({ ...first, replayed: true });

    await expect(once(keyed(merchant, "other", "other"), createOther)).rejects.toMatchObject({
      code: "duplicate_merchant_reference",
    });
    expect(await once(keyed(merchant, "other", "other"), createOther)).toMatchObject({ replayed: true });
    await expect(once(keyed(merchant, "repeat", "another request"), create)).rejects.toMatchObject({
      code: "idempotency_conflict",
    } satisfies Partial<ServiceError>);

    await expect(once(keyed(merchant, "new"), caseOf(kind).create)).rejects.toMatchObject({
      code: "validation_failed",
    });
    expect(await countRows("idempotency_key", merchant.merchantId)).toBe(2);
    expect(await countRows(table, merchant.merchantId)).toBe(1);
  });
});

it("a repeated top-up asks no provider for a rate", async () => {
  const { create, createOther } = caseOf("topup");
  await create(withoutIdempotency());
  await create(withoutIdempotency());
  await expect(createOther(withoutIdempotency())).rejects.toMatchObject({ code: "duplicate_merchant_reference" });
  expect(quotes).toBe(1);
});

it("a repeated payout is answered before the approval policy and the balance are asked", async () => {
  const command = payout({ amount: "1000000000" });
  const first = await createPayoutIntent(merchant.context, command, withoutIdempotency());
  await adoptPolicy(merchant, { rules: [], defaultApprovals: 2 });
  const again = await createPayoutIntent(merchant.context, command, withoutIdempotency());
  expect([again.completion, again.intent]).toEqual(["repeated", first.intent]);
});
