// A suspended merchant: reads and cancellations work; nothing is created, approved or sent, whoever tries.
import { beforeEach, describe, expect, it } from "vitest";
import { announceAttempt } from "@/server/db/attempts";
import { query } from "@/server/db/client";
import { withinMerchant } from "@/server/platform/reach";
import { requireInvariants } from "@/server/testing/invariants";
import {
  adoptPolicy,
  balanceOf,
  makeLiveMerchant,
  payment,
  payout,
  type TestMerchant,
} from "@/server/testing/merchant";
import { installScriptedProvider, type ScriptedProvider } from "@/server/testing/scripted-provider";
import { workOnDueIntents } from "../due-intents";
import { withoutIdempotency } from "../idempotency/completion";
import { getIntent } from "../intents/read";
import { createPaymentIntent } from "../payments/create";
import { approvalDigest } from "../payouts/approval-digest";
import { approvePayoutIntent } from "../payouts/approve";
import { cancelPayoutIntent } from "../payouts/cancel";
import { createPayoutIntent } from "../payouts/create";
import { PAYOUTS } from "../payouts/kind";
import { createWebhookEndpoint } from "../webhooks/create-endpoint";
import { resumeMerchant, suspendMerchant } from "./suspend";

const SUSPENDED = { code: "merchant_suspended" };
const REASON = "Suspected fraud.";
const ENDPOINT = { url: "https://93.184.215.14/hooks", description: "", eventTypes: null };

let merchant: TestMerchant;
let provider: ScriptedProvider;
beforeEach(async () => {
  await query(
    "UPDATE payout_intent SET due_at = now() - interval '1 second' + interval '1 hour' WHERE due_at IS NOT NULL",
  );
  provider = installScriptedProvider();
  merchant = await makeLiveMerchant();
});

const suspend = () => suspendMerchant(merchant.merchantId, REASON);
const resume = () => resumeMerchant(merchant.merchantId, "Cleared.");
const createPayout = () => createPayoutIntent(merchant.context, payout(), withoutIdempotency());
const statusOf = async (id: string) => (await getIntent(PAYOUTS, merchant.scope, id)).status;
const work = () => workOnDueIntents("payout_intent", 50, 30_000);

it("creates no intent, approval or endpoint; a payout at the gate can be read and cancelled", async () => {
  await adoptPolicy(merchant, { defaultApprovals: 1, rules: [] });
  const { intent } = await createPayout();
  const [, held] = await balanceOf(merchant);
  await suspend();
  const attempts = [
    () => createPaymentIntent(merchant.context, payment(), withoutIdempotency()),
    createPayout,
    () => createWebhookEndpoint(merchant.byMember(), ENDPOINT, withoutIdempotency()),
    () => approvePayoutIntent(merchant.byMember(), { id: intent.id, digest: approvalDigest(intent) }),
  ];
  for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject(SUSPENDED);
  expect(await balanceOf(merchant)).toEqual([expect.any(BigInt), held]);
  expect(await statusOf(intent.id)).toBe("requires_approval");
  await cancelPayoutIntent(merchant.byMember(), { id: intent.id, reason: null }, withoutIdempotency());
  expect(await statusOf(intent.id)).toBe("cancelled");
  await resume();
  expect((await createPayout()).intent.status).toBe("requires_approval");
  await requireInvariants();
});

it("is refused by the database too, also to a statement that asks nothing else", async () => {
  const { intent } = await createPayout();
  await suspend();
  for (const table of ["payment_intent", "payout_intent", "topup_intent", "webhook_endpoint"]) {
    const insert = query(
      `INSERT INTO ${table} SELECT (jsonb_populate_record(NULL::${table}, jsonb_build_object('merchant_id', $1::text))).*`,
      merchant.merchantId,
    );
    await expect(insert).rejects.toMatchObject({ constraint: "merchant_is_active" });
  }
  expect(await statusOf(intent.id)).not.toBe("failed");
});

describe("a payout that needs no approval, or has it", () => {
  it("that was not sent yet waits, and is sent once after the suspension", async () => {
    const { intent } = await createPayout();
    await suspend();
    await work();
    expect([provider.sent, await statusOf(intent.id)]).toEqual([[], "processing"]);
    provider.answer = { kind: "settled", amount: 25_000n, currency: "BRL", providerReference: "psp-1" };
    await resume();
    await work();
    await work();
    expect([provider.sent, await statusOf(intent.id)]).toEqual([[intent.id], "succeeded"]);
    await requireInvariants();
  });

  it("is not announced by a worker that has not noticed the suspension", async () => {
    const { intent } = await createPayout();
    await query("UPDATE merchant SET suspended_at = now(), suspended_because = 'x' WHERE id = $1", merchant.merchantId);
    const attempt = { id: "att_00000000000000000000000001", ordinal: 1 };
    const announce = () => announceAttempt(intent, "payout_intent", attempt, new Date());
    expect(await withinMerchant(merchant.merchantId, announce)).toBe(false);
  });

  it("that was sent before is followed to its end", async () => {
    const { intent } = await createPayout();
    provider.answer = { kind: "pending", providerReference: "psp-1" };
    await work();
    await suspend();
    provider.answer = { kind: "settled", amount: 25_000n, currency: "BRL", providerReference: "psp-1" };
    await query("UPDATE payout_intent SET due_at = now() - interval '1 second' WHERE id = $1", intent.id);
    await work();
    expect(await statusOf(intent.id)).toBe("succeeded");
    expect(provider.sent).toEqual([intent.id]);
  });
});

it("is in the merchant's audit log as the operator's act, with its reason", async () => {
  await suspend();
  await resume();
  const entries = await query(
    `SELECT action, actor_type, after->>'reason' AS reason FROM audit_entry
     WHERE merchant_id = $1 AND action IN ('merchant.suspend', 'merchant.resume') ORDER BY id`,
    merchant.merchantId,
  );
  expect(entries).toEqual([
    { action: "merchant.suspend", actor_type: "operator", reason: REASON },
    { action: "merchant.resume", actor_type: "operator", reason: "Cleared." },
  ]);
});

it("needs a reason and a merchant in the other state", async () => {
  const invalid = { code: "validation_failed" };
  await expect(suspendMerchant(merchant.merchantId, " ")).rejects.toMatchObject(invalid);
  await expect(resume()).rejects.toMatchObject(invalid);
  await suspend();
  await expect(suspend()).rejects.toMatchObject(invalid);
  await expect(suspendMerchant("mer_none", REASON)).rejects.toMatchObject({ code: "not_found" });
});
