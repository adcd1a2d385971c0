// Proves on Postgres that a payout which its provider settles under two references waits for a person, and that nothing else does.

import { afterEach, beforeEach, expect, it } from "vitest";
import type { PayoutOutcome } from "@/server/domain/outcome";
import type { PayoutIntent } from "@/server/domain/payout-intent";
import { now } from "@/server/platform/clock";
import { acceptCallbacks, sendCallback } from "@/server/testing/callbacks";
import { requireInvariants } from "@/server/testing/invariants";
import { balanceOf, makeLiveMerchant, payout, type TestMerchant } from "@/server/testing/merchant";
import { installScriptedProvider, type ScriptedProvider } from "@/server/testing/scripted-provider";
import { linkAuditEntries } from "../audit/link-entries";
import { verifyAuditChains } from "../audit/verify-chains";
import { applyDueCallbacks } from "../callbacks/receive-callback";
import { listExceptionsAcrossMerchants } from "../exceptions/list";
import { resolveEndedStuck } from "../exceptions/stuck";
import { withoutIdempotency } from "../idempotency/completion";
import { createPayoutIntent } from "../payouts/create";
import { PAYOUTS } from "../payouts/kind";
import { followUp } from "./follow-up";
import { getIntent } from "./read";

const AMOUNT = 25_000n;

let merchant: TestMerchant;
let provider: ScriptedProvider;
let opening: bigint;
beforeEach(async () => {
  provider = installScriptedProvider();
  acceptCallbacks();
  merchant = await makeLiveMerchant();
  [opening] = await balanceOf(merchant);
});
afterEach(async () => {
  await linkAuditEntries();
  const [report] = await verifyAuditChains(merchant.merchantId);
  if (report?.broken !== null) throw new Error(`the audit chain has a fault: ${JSON.stringify(report?.broken)}`);
  await requireInvariants();
});

type Sent = readonly [status: "pending" | "settled", reference: string | null];

/** A reference of the provider names one intent. */
const named = ({ id }: PayoutIntent, reference: string | null) => reference && `${reference}-${id}`;

function outcomeOf(intent: PayoutIntent, [kind, reference]: Sent): PayoutOutcome {
  const providerReference = named(intent, reference);
  return kind === "settled"
    ? { kind, amount: AMOUNT, currency: "BRL", providerReference }
    : { kind, providerReference };
}

async function receive(intent: PayoutIntent, ...reports: readonly Sent[]): Promise<void> {
  for (const [status, reference] of reports) {
    const sum = status === "settled" ? { amount: AMOUNT.toString(), currency: "BRL" } : {};
    await sendCallback(intent, { status, ...sum, provider_reference: named(intent, reference) ?? undefined });
    await applyDueCallbacks(1_000, 30_000);
  }
}

/** A payout that was sent, and what its provider answered. */
async function sent(answer: Sent): Promise<PayoutIntent> {
  provider.answer = { kind: "unknown", detail: "time-out" };
  const { intent } = await createPayoutIntent(merchant.context, payout(), withoutIdempotency());
  provider.answer = outcomeOf(intent, answer);
  await followUp(PAYOUTS, intent, now);
  return intent;
}

/** Both references of each open exception, after the worker has closed what is over. */
async function waiting(): Promise<(string | null | undefined)[][]> {
  await resolveEndedStuck();
  const { exceptions } = await listExceptionsAcrossMerchants({ merchantId: merchant.merchantId, openOnly: true });
  return exceptions.map(({ kind, detail }) => [kind, detail.earlier_reference, detail.provider_reference]);
}

async function expectSettledOnce({ id }: PayoutIntent): Promise<void> {
  expect((await getIntent(PAYOUTS, merchant.scope, id)).status).toBe("succeeded");
  const [available, held] = await balanceOf(merchant);
  expect([available - opening, held]).toEqual([-AMOUNT, 0n]);
}

it.each([
  ["by callbacks", ["pending", null], [["settled", "px"]]],
  ["by the answer to a call", ["settled", "px"], []],
  [
    "by a callback, after other references while it was pending",
    ["pending", "p0"],
    [
      ["pending", "p1"],
      ["settled", "px"],
    ],
  ],
] as const)(
  "a payout settled %s, and again under another reference, waits for a person",
  async (_how, answer, first) => {
    const intent = await sent(answer);
    await receive(intent, ...first, ["settled", "px"], ["settled", null]);
    expect(await waiting()).toEqual([]);
    await receive(intent, ["settled", "py"], ["settled", "py"], ["settled", "px"]);
    expect(await waiting()).toEqual([["contradiction", named(intent, "px"), named(intent, "py")]]);
    await expectSettledOnce(intent);
  },
);

it.each([
  [
    "the same reference",
    ["pending", "p0"],
    [
      ["settled", "px"],
      ["settled", "px"],
    ],
  ],
  [
    "a reference after none",
    ["pending", "p0"],
    [
      ["settled", null],
      ["settled", "px"],
    ],
  ],
  ["no reference after one", ["settled", "px"], [["settled", null]]],
] as const)("a payout settled again under %s is settled once", async (_what, answer, reports) => {
  const intent = await sent(answer);
  await receive(intent, ...reports);
  expect(await waiting()).toEqual([]);
  await expectSettledOnce(intent);
});
