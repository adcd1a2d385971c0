// Proves on Postgres that a payout's reports are booked once each, and that sums which do not fit stay with a person.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { asOperator } from "@/server/cli/acting-as";
import { query } from "@/server/db/client";
import type { PayoutIntent } from "@/server/domain/payout-intent";
import { now } from "@/server/platform/clock";
import { acceptCallbacks, sendCallback } from "@/server/testing/callbacks";
import { requireInvariants } from "@/server/testing/invariants";
import { balanceOf, makeLiveMerchant, payout, type TestMerchant } from "@/server/testing/merchant";
import { installScriptedProviders, type ScriptedProvider } from "@/server/testing/scripted-provider";
import { applyUpdate } from "../callbacks/apply-update";
import { applyDueCallbacks } from "../callbacks/receive-callback";
import { listExceptionsAcrossMerchants } from "../exceptions/list";
import { resolveEndedStuck } from "../exceptions/stuck";
import { withoutIdempotency } from "../idempotency/completion";
import { namedOperator } from "../merchants/operator";
import { createPayoutIntent } from "../payouts/create";
import { PAYOUTS } from "../payouts/kind";
import { confirmResolution } from "../resolutions/confirm";
import { proposeResolution } from "../resolutions/propose";
import { followUp } from "./follow-up";
import { getIntent } from "./read";

const AMOUNT = 25_000n;
const PENDING = { kind: "pending", providerReference: null } as const;
const NEVER = { kind: "never_accepted", detail: "unknown reference" } as const;

let merchant: TestMerchant;
let provider: ScriptedProvider;
let other: ScriptedProvider;
let opening: bigint;
beforeEach(async () => {
  ({ scripted: provider, other } = installScriptedProviders("scripted", "other"));
  acceptCallbacks();
  provider.answer = PENDING;
  merchant = await makeLiveMerchant();
  [opening] = await balanceOf(merchant);
});
afterEach(async () => {
  await requireInvariants();
});

const create = async () => (await createPayoutIntent(merchant.context, payout(), withoutIdempotency())).intent;

type Sent = readonly [status: string, amount?: bigint, reference?: string];

/** Receives callbacks one after the other. Without a third member, a report has no reference of the provider. */
async function receive(intent: PayoutIntent, ...reports: readonly Sent[]): Promise<void> {
  for (const [status, amount, reference] of reports) {
    // A reference of the provider names one intent.
    const provider_reference = reference && `${reference}-${intent.id}`;
    const sum = amount === undefined ? {} : { amount: amount.toString(), currency: "BRL" };
    await sendCallback(intent, { status, ...sum, provider_reference });
    await applyDueCallbacks(1_000, 30_000);
  }
}

const statusOf = async ({ id }: PayoutIntent) => (await getIntent(PAYOUTS, merchant.scope, id)).status;

/** Kind and sum of each open exception, after the worker has closed what is over. */
async function waiting(): Promise<(string | null | undefined)[][]> {
  await resolveEndedStuck();
  const { exceptions } = await listExceptionsAcrossMerchants({ merchantId: merchant.merchantId, openOnly: true });
  return exceptions.map(({ kind, detail }) => [kind, detail.reported_amount ?? detail.amount]).sort();
}

async function suspense(): Promise<bigint> {
  const [row] = await query<{ sum: string }>(
    "SELECT sum(amount)::text AS sum FROM ledger_entry WHERE merchant_id = $1 AND kind = 'suspense'",
    merchant.merchantId,
  );
  return BigInt(row?.sum ?? 0);
}

/** Wallet and suspense, compared with before the payout. */
async function books(): Promise<readonly bigint[]> {
  const [available, held] = await balanceOf(merchant);
  return [available - opening, held, await suspense()];
}

describe("a settlement of another sum", () => {
  it.each([
    [
      "after the success",
      [
        ["settled", AMOUNT],
        ["settled", 20_000n],
      ],
    ],
    [
      "before the success",
      [
        ["settled", 20_000n],
        ["settled", AMOUNT],
      ],
    ],
  ] as const)("%s stays with a person, who sees both sums", async (_when, reports) => {
    const intent = await create();
    await receive(intent, ...reports);
    expect(await statusOf(intent)).toBe("succeeded");
    expect(await waiting()).toEqual([["contradiction", "20000"]]);
    expect(await books()).toEqual([-AMOUNT, 0n, 0n]);
  });

  it("that is returned leaves its difference with a person", async () => {
    const intent = await create();
    await receive(intent, ["settled", 20_000n, "s"], ["returned", 20_000n, "r"]);
    expect(await waiting()).toEqual([
      ["bank_return", "20000"],
      ["contradiction", "20000"],
    ]);
    expect(await books()).toEqual([20_000n - AMOUNT, 0n, 0n]);
  });

  it("of more, that is returned, is in suspense until a person has ended the payout", async () => {
    const intent = await create();
    await receive(intent, ["settled", 30_000n, "s"], ["returned", 30_000n, "r"]);
    expect(await waiting()).toEqual([
      ["amount_mismatch", "30000"],
      ["contradiction", "30000"],
    ]);
    expect(await books()).toEqual([-AMOUNT, AMOUNT, 30_000n]);
  });

  it("is known where people have found it, and another is not", async () => {
    const intent = await create();
    const evidence = {
      outcome: "settled",
      amount: "20000",
      providerReference: null,
      evidence: "Letter 4711.",
    } as const;
    await query(
      "UPDATE provider_attempt SET started_at = started_at - interval '1 hour' WHERE intent_id = $1",
      intent.id,
    );
    const { id } = await proposeResolution(asOperator(intent, "Maria"), intent.id, evidence);
    await confirmResolution(id, namedOperator("Jan"));
    await receive(intent, ["settled", 20_000n]);
    expect(await waiting()).toEqual([]);
    await receive(intent, ["settled", AMOUNT]);
    expect(await waiting()).toEqual([["contradiction", "25000"]]);
    await receive(intent, ["returned", AMOUNT, "r"]);
    expect(await waiting()).toEqual([
      ["amount_mismatch", "25000"],
      ["contradiction", "25000"],
    ]);
    expect(await books()).toEqual([-20_000n, 0n, AMOUNT]);
  });
});

describe("one movement, reported with and without a reference", () => {
  it("after the release of the hold is booked once", async () => {
    const intent = await create();
    await receive(intent, ["declined"], ["settled", AMOUNT], ["settled", AMOUNT, "px"], ["settled", AMOUNT]);
    expect(await waiting()).toEqual([
      ["ambiguous_receipt", "-25000"],
      ["late_money", "-25000"],
    ]);
    expect(await books()).toEqual([0n, 0n, -AMOUNT]);
  });

  it("of a return, as earlier releases booked it, is booked once", async () => {
    const intent = await create();
    await receive(intent, ["settled", AMOUNT]);
    const old = { kind: "returned", amount: 10_000n, currency: "BRL", providerReference: null } as const;
    const subject = { kind: "payout_intent", intent: await getIntent(PAYOUTS, merchant.scope, intent.id) } as const;
    await applyUpdate(merchant.context, subject, [old]);
    await receive(intent, ["returned", 10_000n, "r"], ["returned", 10_000n, "r"]);
    expect(await waiting()).toEqual([
      ["ambiguous_receipt", "10000"],
      ["bank_return", "10000"],
    ]);
    expect(await books()).toEqual([10_000n - AMOUNT, 0n, 0n]);
    await receive(intent, ["returned", 5_000n, "r2"]);
    expect(await books()).toEqual([15_000n - AMOUNT, 0n, 0n]);
  });
});

it("what a former provider moved is booked once, however often it is reported", async () => {
  [provider.answer, other.answer] = [NEVER, PENDING];
  const intent = await create();
  await followUp(PAYOUTS, intent, now);
  expect((await getIntent(PAYOUTS, merchant.scope, intent.id)).provider).toBe("other");
  await receive(intent, ["settled", AMOUNT, "px"], ["settled", AMOUNT, "px"], ["settled", AMOUNT]);
  expect(await books()).toEqual([-AMOUNT, AMOUNT, -AMOUNT]);
  await receive(intent, ["returned", AMOUNT, "r"], ["returned", AMOUNT, "r"]);
  expect(await books()).toEqual([-AMOUNT, AMOUNT, 0n]);
  expect(await waiting()).toEqual([
    ["ambiguous_receipt", "-25000"],
    ["late_money", "-25000"],
    ["late_money", "25000"],
  ]);
});

it("what a former provider reports of another object is booked nowhere: a person decides", async () => {
  [provider.answer, other.answer] = [NEVER, PENDING];
  const intent = await create();
  await followUp(PAYOUTS, intent, now);
  const another = { intent_amount: "20000", intent_currency: "BRL" };
  const money = { amount: "20000", currency: "BRL", provider_reference: `px-${intent.id}` };
  for (const status of ["settled", "settled", "returned"]) {
    await sendCallback(intent, { status, ...money, ...another });
    await applyDueCallbacks(1_000, 30_000);
  }
  expect(await waiting()).toEqual([
    ["contradiction", "20000"],
    ["contradiction", "20000"],
  ]);
  expect(await books()).toEqual([-AMOUNT, AMOUNT, 0n]);
});

describe("two sums under one reference", () => {
  it("after the release of the hold are one movement until a person knows better", async () => {
    const intent = await create();
    await receive(intent, ["declined"], ["settled", 20_000n, "px"], ["settled", AMOUNT, "px"]);
    expect(await waiting()).toEqual([
      ["ambiguous_receipt", "-25000"],
      ["late_money", "-20000"],
    ]);
    expect(await books()).toEqual([0n, 0n, -20_000n]);
    await receive(intent, ["returned", 20_000n, "px"], ["returned", 5_000n, "px"], ["settled", AMOUNT, "py"]);
    expect(await books()).toEqual([0n, 0n, -AMOUNT]);
  });

  it("from a former provider are one movement until a person knows better", async () => {
    [provider.answer, other.answer] = [NEVER, PENDING];
    const intent = await create();
    await followUp(PAYOUTS, intent, now);
    await receive(intent, ["settled", 20_000n, "px"], ["settled", AMOUNT, "px"]);
    expect(await waiting()).toEqual([
      ["ambiguous_receipt", "-25000"],
      ["late_money", "-20000"],
    ]);
    expect(await books()).toEqual([-AMOUNT, AMOUNT, -20_000n]);
  });
});

it("a settlement of another sum, decided on before the payout failed, is owed after all", async () => {
  const intent = await create();
  const stale = { kind: "payout_intent", intent: await getIntent(PAYOUTS, merchant.scope, intent.id) } as const;
  await receive(intent, ["declined"]);
  const settled = { kind: "settled", amount: 20_000n, currency: "BRL", providerReference: "px" } as const;
  await applyUpdate(merchant.context, stale, [settled]);
  expect(await waiting()).toEqual([["late_money", "-20000"]]);
  expect(await books()).toEqual([0n, 0n, -20_000n]);
});
