// Only two people can end an intent by hand, once, and its money moves exactly once.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { asMember, asOperator } from "@/server/cli/acting-as";
import { announceAttempt } from "@/server/db/attempts";
import { query } from "@/server/db/client";
import type { StoredResolution } from "@/server/db/manual-resolutions";
import type { PaymentOutcome, PayoutOutcome, TopupOutcome } from "@/server/domain/outcome";
import type { PayoutIntent } from "@/server/domain/payout-intent";
import type { CallContext } from "@/server/domain/scope";
import { newId } from "@/server/platform/ids";
import { countRows, requireInvariants } from "@/server/testing/invariants";
import {
  approvedPayout,
  balanceOf,
  makeMember,
  makeMerchant,
  OPENING,
  payment,
  payout,
  type TestMerchant,
} from "@/server/testing/merchant";
import { tamper } from "@/server/testing/owner";
import { applyUpdate } from "../callbacks/apply-update";
import { listExceptionsAcrossMerchants } from "../exceptions/list";
import { resolveEndedStuck } from "../exceptions/stuck";
import { withoutIdempotency } from "../idempotency/completion";
import { findAnyIntent } from "../intent-kinds";
import { getIntent } from "../intents/read";
import { namedOperator, operatorContext } from "../merchants/operator";
import { createPaymentIntent } from "../payments/create";
import { PAYMENTS } from "../payments/kind";
import { createPayoutIntent } from "../payouts/create";
import { PAYOUTS } from "../payouts/kind";
import { advanceSandboxClock } from "../sandbox/clock";
import { simulate } from "../sandbox/simulate";
import { createTopupIntent } from "../topups/create";
import { TOPUPS } from "../topups/kind";
import { confirmResolution } from "./confirm";
import type { FindingInput } from "./finding";
import { listResolutions } from "./list";
import { supersedeOvertaken } from "./overtaken";
import { proposeResolution } from "./propose";
import { rejectResolution } from "./reject";

const AMOUNT = 25_000n;
const FINANCE = "finance@shop.example";
const LETTER = "Letter of the provider of 2026-11-20, their reference 4711.";
const FAILED = { outcome: "failed", amount: null, providerReference: null, evidence: LETTER } as const;
const SETTLED = { ...FAILED, outcome: "settled" } as const;
const SUCCEEDED = { ...FAILED, outcome: "succeeded" } as const;

let merchant: TestMerchant;
beforeEach(async () => {
  merchant = await makeMerchant();
  const { merchantId } = merchant;
  await makeMember(merchantId, FINANCE, "finance");
});
afterEach(async () => {
  await requireInvariants();
});

const propose = async (
  id: string,
  finding: FindingInput,
  person: CallContext | Promise<CallContext> = asOperator(merchant.scope, "Maria Lopez"),
) => proposeResolution(await person, id, finding);

/** Proposes as one operator, confirms as another. */
async function resolve(id: string, finding: FindingInput): Promise<StoredResolution> {
  return confirmResolution((await propose(id, finding)).id, namedOperator("Jan Novak"));
}

async function tell(id: string, ...news: (PaymentOutcome | PayoutOutcome | TopupOutcome)[]): Promise<void> {
  const subject = await findAnyIntent(merchant.merchantId, id);
  if (subject) await applyUpdate(merchant.context, subject, news);
}

const settledBy = (amount: bigint, providerReference = "px-1"): PayoutOutcome => ({
  kind: "settled",
  amount,
  currency: "BRL",
  providerReference,
});
const statusOf = async ({ id }: Pick<PayoutIntent, "id">) => (await getIntent(PAYOUTS, merchant.scope, id)).status;

/** Returns the balances of the accounts other than the wallet. */
async function accounts(): Promise<Record<string, string>> {
  const rows = await query<{ kind: string; balance: string }>(
    `SELECT split_part(kind, ':', 1) AS kind, balance::text FROM ledger_account WHERE merchant_id = $1 AND environment = 'test' AND balance <> 0
       AND (kind = 'suspense' OR starts_with(kind, 'provider_clearing'))`,
    merchant.merchantId,
  );
  return Object.fromEntries(rows.map(({ kind, balance }) => [kind, balance]));
}

const openExceptions = async () =>
  (await listExceptionsAcrossMerchants({ merchantId: merchant.merchantId, openOnly: true })).exceptions.map(
    ({ kind }) => kind,
  );

describe("a payout", () => {
  it("settled by hand debits its hold once, with one event, and the evidence in the audit log", async () => {
    const intent = await approvedPayout(merchant);
    const proposed = await propose(intent.id, SETTLED, asMember(merchant.scope, FINANCE));
    expect(proposed).toMatchObject({ state: "proposed", amount: AMOUNT, currency: "BRL", intentRevision: 1 });
    expect(await statusOf(intent)).toBe("processing");
    const confirmed = await confirmResolution(proposed.id, namedOperator("Jan Novak"));
    expect(confirmed).toMatchObject({ state: "confirmed", decidedBy: { type: "operator", id: "jan novak" } });
    expect(await statusOf(intent)).toBe("succeeded");
    expect(await balanceOf(merchant)).toEqual([OPENING - AMOUNT, 0n]);
    expect(await accounts()).toEqual({ provider_clearing: "25000" });
    const audit = await query(
      `SELECT actor_type, actor_id, reason FROM audit_entry
       WHERE object_id = $1 AND action = 'payout_intent.resolved_settled'`,
      intent.id,
    );
    expect(audit).toEqual([{ actor_type: "operator", actor_id: "jan novak", reason: LETTER }]);
    await tell(intent.id, settledBy(AMOUNT));
    expect(await balanceOf(merchant)).toEqual([OPENING - AMOUNT, 0n]);
    expect(await openExceptions()).toEqual([]);
  });

  it("failed by hand releases its hold, and a later settlement opens an exception", async () => {
    const intent = await approvedPayout(merchant);
    await resolve(intent.id, FAILED);
    const { status, failure } = await getIntent(PAYOUTS, merchant.scope, intent.id);
    expect([status, failure?.code]).toEqual(["failed", "provider_declined"]);
    expect(await balanceOf(merchant)).toEqual([OPENING, 0n]);
    await tell(intent.id, settledBy(AMOUNT), settledBy(AMOUNT));
    expect(await balanceOf(merchant)).toEqual([OPENING, 0n]);
    expect(await accounts()).toEqual({ provider_clearing: "25000", suspense: "-25000" });
    expect(await openExceptions()).toEqual(["late_money"]);
  });

  it("settled for less releases the rest to the wallet, and its bank can return at most the settled amount", async () => {
    const intent = await approvedPayout(merchant);
    await resolve(intent.id, { ...SETTLED, amount: "24000" });
    expect(await balanceOf(merchant)).toEqual([OPENING - 24_000n, 0n]);
    expect(await accounts()).toEqual({ provider_clearing: "24000" });
    const back = (amount: bigint, providerReference: string) =>
      tell(intent.id, { kind: "returned", amount, currency: "BRL", providerReference });
    await back(AMOUNT, "ret-1");
    expect(await balanceOf(merchant)).toEqual([OPENING - 24_000n, 0n]);
    await back(24_000n, "ret-2");
    expect(await balanceOf(merchant)).toEqual([OPENING, 0n]);
    expect(await openExceptions()).toEqual(["amount_mismatch", "bank_return"]);
  });

  it("settled for more debits the hold, and the excess from suspense with an exception", async () => {
    const intent = await approvedPayout(merchant);
    await resolve(intent.id, { ...SETTLED, amount: "26000" });
    expect(await balanceOf(merchant)).toEqual([OPENING - AMOUNT, 0n]);
    expect(await accounts()).toEqual({ provider_clearing: "26000", suspense: "-1000" });
    expect(await openExceptions()).toEqual(["amount_mismatch"]);
  });

  it.each([
    ["a resolution", (id: string) => resolve(id, { ...SETTLED, amount: "24000" }), OPENING - 24_000n, []],
    // In either order, a person determines which of the two amounts left.
    ["the corrected report", (id: string) => tell(id, settledBy(AMOUNT)), OPENING - AMOUNT, ["contradiction"]],
  ])("reported with another amount moves no money until %s ends it, and then once", async (_what, end, left, open) => {
    const intent = await approvedPayout(merchant);
    await tell(intent.id, settledBy(24_000n), settledBy(24_000n));
    expect([await balanceOf(merchant), await accounts()]).toEqual([[OPENING - AMOUNT, AMOUNT], {}]);
    expect(await openExceptions()).toEqual(["contradiction"]);
    await tell(intent.id, { kind: "declined", message: null, providerReference: null });
    expect(await statusOf(intent)).toBe("processing");
    await end(intent.id);
    expect([await statusOf(intent), await balanceOf(merchant)]).toEqual(["succeeded", [left, 0n]]);
    await resolveEndedStuck();
    expect(await openExceptions()).toEqual(open);
  });

  it("failed by hand despite a reported settlement releases its hold", async () => {
    const intent = await approvedPayout(merchant);
    await tell(intent.id, settledBy(24_000n));
    await resolve(intent.id, FAILED);
    expect([await statusOf(intent), await balanceOf(merchant)]).toEqual(["failed", [OPENING, 0n]]);
  });

  it("cannot be failed by hand while a call that may have been accepted can still be in flight", async () => {
    const intent = await approvedPayout(merchant);
    const { id } = await propose(intent.id, FAILED);
    const attempt = { id: newId("attempt"), ordinal: 1 };
    expect(await announceAttempt(intent, "payout_intent", attempt, intent.updatedAt)).toBe(true);
    await expect(confirmResolution(id, namedOperator("Jan Novak"))).rejects.toMatchObject({
      code: "validation_failed",
    });
    expect([await statusOf(intent), await balanceOf(merchant)]).toEqual(["processing", [OPENING - AMOUNT, AMOUNT]]);
    expect((await listResolutions({ merchantId: merchant.merchantId, openOnly: true })).resolutions).toHaveLength(1);
    await advanceSandboxClock(merchant.context, 11 * 60, withoutIdempotency());
    await confirmResolution(id, namedOperator("Jan Novak"));
    expect(await statusOf(intent)).toBe("failed");
  });

  it("cannot be resolved at the gate or after its end", async () => {
    const { intent } = await createPayoutIntent(merchant.context, payout(), withoutIdempotency());
    const refusal = { code: "validation_failed" };
    await expect(propose(intent.id, FAILED)).rejects.toMatchObject(refusal);
    const ended = await approvedPayout(merchant);
    await tell(ended.id, settledBy(AMOUNT));
    await expect(propose(ended.id, FAILED)).rejects.toMatchObject(refusal);
  });
});

describe("two people", () => {
  it.each(["Maria Lopez", "  MARIA   LOPEZ "])("the proposing operator cannot confirm as %j", async (name) => {
    const intent = await approvedPayout(merchant);
    const { id } = await propose(intent.id, SETTLED);
    await expect(confirmResolution(id, namedOperator(name))).rejects.toMatchObject({ code: "approval_required" });
    expect(await statusOf(intent)).toBe("processing");
  });

  it("an operator without a name neither proposes, confirms nor rejects", async () => {
    const intent = await approvedPayout(merchant);
    const unnamed = operatorContext(merchant.merchantId, "test");
    const refusal = { code: "validation_failed", message: expect.stringMatching(/^operator must/) as string };
    await expect(propose(intent.id, SETTLED, unnamed)).rejects.toMatchObject(refusal);
    const { id } = await propose(intent.id, SETTLED);
    await expect(confirmResolution(id, unnamed.actor)).rejects.toMatchObject(refusal);
    await expect(rejectResolution(unnamed, id)).rejects.toMatchObject(refusal);
    expect(await statusOf(intent)).toBe("processing");
  });

  it("the proposing member cannot confirm as an operator under their address", async () => {
    const intent = await approvedPayout(merchant);
    const { id } = await propose(intent.id, SETTLED, asMember(merchant.scope, FINANCE));
    await expect(confirmResolution(id, namedOperator("Finance@Shop.example"))).rejects.toMatchObject({
      code: "approval_required",
    });
    const confirmAs = (name: string) =>
      query(
        `UPDATE manual_resolution SET state = 'confirmed', decided_by_type = 'operator', decided_by_id = $2,
         decided_at = now() WHERE id = $1`,
        id,
        name,
      );
    await expect(confirmAs("FINANCE@shop.example")).rejects.toThrow("manual_resolution_two_people");
  });

  it("a member without the role cannot propose", async () => {
    const intent = await approvedPayout(merchant);
    const { merchantId } = merchant;
    const email = "dev@shop.example";
    await makeMember(merchantId, email, "developer");
    await expect(propose(intent.id, SETTLED, asMember(merchant.scope, email))).rejects.toMatchObject({
      code: "forbidden",
    });
  });

  it("the database does not let one person end an intent by hand", async () => {
    const intent = await approvedPayout(merchant);
    const audit = (revision: number) =>
      query(
        `INSERT INTO audit_entry (merchant_id, id, environment, actor_type, actor_id, action, object_id, before, created_at)
         VALUES ($1, $2, 'test', 'operator', 'maria lopez', 'payout_intent.resolved_settled', $3, $4::jsonb, now())`,
        merchant.merchantId,
        newId("audit"),
        intent.id,
        JSON.stringify({ revision }),
      );
    await propose(intent.id, SETTLED);
    await expect(audit(intent.revision)).rejects.toThrow("manual_end_is_confirmed");
    const confirmBy = (type: string, name: string) =>
      query(
        `UPDATE manual_resolution SET state = 'confirmed', decided_by_type = $2, decided_by_id = $3, decided_at = now()
         WHERE intent_id = $1`,
        intent.id,
        type,
        name,
      );
    await expect(confirmBy("operator", " MARIA Lopez")).rejects.toThrow("manual_resolution_two_people");
    await expect(confirmBy("member", "mem_1")).rejects.toThrow("manual_resolution_operator_confirms");
    expect(await statusOf(intent)).toBe("processing");
  });
});

describe("a proposal", () => {
  it("is open once per intent, and can be rejected by anyone who could have created it", async () => {
    const intent = await approvedPayout(merchant);
    const first = await propose(intent.id, SETTLED);
    await expect(propose(intent.id, FAILED)).rejects.toMatchObject({ code: "validation_failed" });
    const stranger = (await makeMerchant()).byMember();
    await expect(rejectResolution(stranger, first.id)).rejects.toMatchObject({ code: "not_found" });
    expect(await rejectResolution(await asMember(merchant.scope, FINANCE), first.id)).toMatchObject({
      state: "rejected",
    });
    await expect(confirmResolution(first.id, namedOperator("Jan Novak"))).rejects.toMatchObject({
      code: "validation_failed",
    });
    await resolve(intent.id, FAILED);
    expect(await statusOf(intent)).toBe("failed");
  });

  it("about an intent that finished is superseded, and nothing happens twice", async () => {
    const [intent, other] = [await approvedPayout(merchant), await approvedPayout(merchant)];
    const [proposed, overtaken] = [await propose(intent.id, FAILED), await propose(other.id, FAILED)];
    await tell(intent.id, settledBy(AMOUNT, "px-1"));
    await tell(other.id, settledBy(AMOUNT, "px-2"));
    await expect(confirmResolution(proposed.id, namedOperator("Jan Novak"))).rejects.toMatchObject({
      code: "validation_failed",
    });
    expect(await supersedeOvertaken()).toBe(1);
    const { resolutions } = await listResolutions({ merchantId: merchant.merchantId, openOnly: false });
    expect(resolutions.map(({ id, state }) => [id, state])).toEqual([
      [proposed.id, "superseded"],
      [overtaken.id, "superseded"],
    ]);
    expect(await balanceOf(merchant)).toEqual([OPENING - 2n * AMOUNT, 0n]);
    expect(await countRows("event", merchant.merchantId)).toBe(2);
  });

  it("confirmed twice at once takes effect once", async () => {
    const intent = await approvedPayout(merchant);
    const { id } = await propose(intent.id, { ...SETTLED, amount: "24000" });
    const names = ["Jan Novak", "Eva Holm", "Jan Novak", "Ola Berg"];
    const results = await Promise.allSettled(names.map((name) => confirmResolution(id, namedOperator(name))));
    const codes = results.map((result) =>
      result.status === "rejected" ? (result.reason as { code: string }).code : "ok",
    );
    expect(codes.sort()).toEqual(["ok", ...Array<string>(3).fill("validation_failed")]);
    expect(await balanceOf(merchant)).toEqual([OPENING - 24_000n, 0n]);
    expect(await countRows("event", merchant.merchantId)).toBe(1);
  });

  it("confirmed while the provider reports the settlement ends the payout once, in either order", async () => {
    for (let trial = 0; trial < 20; trial += 1) {
      const [before] = await balanceOf(merchant);
      const intent = await approvedPayout(merchant);
      const { id } = await propose(intent.id, trial % 2 ? SETTLED : { ...SETTLED, amount: "24000" });
      const confirming = confirmResolution(id, namedOperator("Jan Novak")).then(
        () => true,
        () => false,
      );
      const acts = [confirming, tell(intent.id, settledBy(AMOUNT, `px-${trial}`))] as const;
      const [won] = await Promise.all(acts);
      const taken = won && trial % 2 === 0 ? 24_000n : AMOUNT;
      expect(await balanceOf(merchant)).toEqual([before - taken, 0n]);
      expect(await statusOf(intent)).toBe("succeeded");
    }
    expect(await countRows("event", merchant.merchantId)).toBe(20);
  });

  it("changed directly in the database cannot be confirmed", async () => {
    const intent = await approvedPayout(merchant);
    const { id } = await propose(intent.id, SETTLED);
    await tamper("manual_resolution", "UPDATE manual_resolution SET amount = 1 WHERE id = $1", id);
    await expect(confirmResolution(id, namedOperator("Jan Novak"))).rejects.toMatchObject({
      code: "validation_failed",
    });
    expect(await statusOf(intent)).toBe("processing");
  });

  it.each([
    ["evidence", { evidence: "  " }],
    ["evidence", { evidence: "x".repeat(2_001) }],
    ["outcome", { outcome: "succeeded" }],
    ["amount", { amount: "0" }],
    ["amount", { amount: "1.5" }],
    ["amount", { outcome: "failed", amount: "1" }],
    ["provider_reference", { providerReference: "" }],
  ] as const)("with unfit %s is refused", async (field, change) => {
    const intent = await approvedPayout(merchant);
    await expect(propose(intent.id, { ...SETTLED, ...change })).rejects.toMatchObject({
      code: "validation_failed",
      message: expect.stringContaining(field) as string,
    });
  });
});

describe("a payment", () => {
  const paid = (providerReference: string): PaymentOutcome => ({
    kind: "succeeded",
    receiptId: null,
    amount: 1050n,
    currency: "BRL",
    providerReference,
  });

  it("succeeded by hand is credited once; a later report under the same reference is the same money", async () => {
    const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
    await resolve(intent.id, { ...SUCCEEDED, providerReference: "px-9" });
    expect((await getIntent(PAYMENTS, merchant.scope, intent.id)).status).toBe("succeeded");
    await tell(intent.id, paid("px-9"));
    expect(await balanceOf(merchant)).toEqual([OPENING + 1050n, 0n]);
    expect(await openExceptions()).toEqual([]);
  });

  it("failed by hand credits nothing, and later money is in suspense", async () => {
    const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
    await resolve(intent.id, FAILED);
    await tell(intent.id, paid("px-9"));
    expect((await getIntent(PAYMENTS, merchant.scope, intent.id)).failure?.code).toBe("provider_declined");
    expect(await balanceOf(merchant)).toEqual([OPENING, 0n]);
    expect(await openExceptions()).toEqual(["late_money"]);
  });

  it("for which another amount arrived cannot be resolved as succeeded by it", async () => {
    const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
    const unfit = propose(intent.id, { ...SUCCEEDED, amount: "1049" });
    await expect(unfit).rejects.toMatchObject({ code: "validation_failed" });
  });
});

describe("a top-up", () => {
  async function topup() {
    const command = {
      destination: { amount: "100000", currency: "BRL" },
      source: { type: "provider_gateway", provider: null, currency: "USDT", network: null } as const,
      country: "BR",
      merchantReference: null,
    };
    return (await createTopupIntent(merchant.context, command, withoutIdempotency())).intent;
  }

  it("succeeded by hand is credited for the received total; the same total reported later changes nothing", async () => {
    const intent = await topup();
    await simulate(merchant.context, intent.id, "funds_seen");
    const received = String(intent.sourceAmount);
    await resolve(intent.id, { ...SUCCEEDED, amount: received });
    const ended = await getIntent(TOPUPS, merchant.scope, intent.id);
    expect([ended.status, ended.receivedAmount]).toEqual(["succeeded", intent.sourceAmount]);
    expect(await balanceOf(merchant)).toEqual([OPENING + ended.creditedAmount, 0n]);
    const { sourceCurrency: currency, sourceAmount: amount } = intent;
    await tell(intent.id, { kind: "funds_seen", amount, currency, confirmed: true, providerReference: "tx-1" });
    expect(await balanceOf(merchant)).toEqual([OPENING + ended.creditedAmount, 0n]);
    expect(await openExceptions()).toEqual([]);
  });

  it("failed by hand credits nothing", async () => {
    const intent = await topup();
    await resolve(intent.id, FAILED);
    expect((await getIntent(TOPUPS, merchant.scope, intent.id)).status).toBe("failed");
    expect(await balanceOf(merchant)).toEqual([OPENING, 0n]);
  });

  it.each([null, "1"])("cannot be resolved as succeeded by a total of %j", async (amount) => {
    const intent = await topup();
    const unfit = propose(intent.id, { ...SUCCEEDED, amount });
    await expect(unfit).rejects.toMatchObject({ code: "validation_failed" });
  });
});

it("operators state the name of a person", () => {
  for (const name of ["", " ", "cli", "x", "a\nb\u0000", "x".repeat(65)]) {
    expect(() => namedOperator(name)).toThrow("operator");
  }
  expect(namedOperator(" Ána  O\u2019Neil ")).toEqual({ type: "operator", id: "ána o\u2019neil" });
});
