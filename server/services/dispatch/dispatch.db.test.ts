// No worker sends paused intents; they continue after the pause.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { announceAttempt } from "@/server/db/attempts";
import { query } from "@/server/db/client";
import type { PauseScope } from "@/server/db/dispatch-pauses";
import { env, provideRuntime } from "@/server/platform/env";
import { newId } from "@/server/platform/ids";
import { withinMerchant } from "@/server/platform/reach";
import { countRows, ONE_REFERENCE_FOR_ALL, requireInvariantsExcept } from "@/server/testing/invariants";
import { makeLiveMerchant, payment, payout, type TestMerchant, topup } from "@/server/testing/merchant";
import { installScriptedProviders, type ScriptedProvider } from "@/server/testing/scripted-provider";
import { workOnDueIntents } from "../due-intents";
import { withoutIdempotency } from "../idempotency/completion";
import { getIntent } from "../intents/read";
import { createPaymentIntent } from "../payments/create";
import { PAYMENTS } from "../payments/kind";
import { createPayoutIntent } from "../payouts/create";
import { PAYOUTS } from "../payouts/kind";
import { createTopupIntent } from "../topups/create";
import { TOPUPS } from "../topups/kind";
import { pauseDispatch, resumeDispatch, showDispatch } from "./control";
import { forgetPauses } from "./paused";

const EVERYTHING: PauseScope = { provider: null, merchantId: null, currency: null };
const settled = { kind: "settled", amount: 25_000n, currency: "BRL", providerReference: "psp-1" } as const;

let merchant: TestMerchant;
let provider: ScriptedProvider;
let second: ScriptedProvider;
beforeEach(async () => {
  await query(
    "UPDATE payout_intent SET due_at = now() - interval '1 second' + interval '1 hour' WHERE due_at IS NOT NULL",
  );
  merchant = await makeLiveMerchant();
  const { scripted, other } = installScriptedProviders("scripted", "other");
  [provider, second] = [scripted, other];
});
afterEach(async () => {
  setDispatch("on");
  for (const { provider: name, merchantId, currency } of (await showDispatch()).open) {
    await resumeDispatch({ provider: name, merchantId, currency }, "The test is over.");
  }
  await requireInvariantsExcept(ONE_REFERENCE_FOR_ALL);
});

function setDispatch(value: "on" | "off"): void {
  vi.stubEnv("DISPATCH", value);
  provideRuntime({ databaseUrl: env().databaseUrl ?? "" });
}

const createPayout = async () => (await createPayoutIntent(merchant.context, payout(), withoutIdempotency())).intent;
const statusOf = async (id: string) => (await getIntent(PAYOUTS, merchant.scope, id)).status;
const work = () => workOnDueIntents("payout_intent", 50, 30_000);
const makeDue = (table: string) =>
  query(
    `UPDATE ${table} SET due_at = now() - interval '1 second' WHERE merchant_id = $1 AND due_at IS NOT NULL`,
    merchant.merchantId,
  );

describe("a paused payout", () => {
  it.each<[string, (merchantId: string) => PauseScope]>([
    ["with everything", () => EVERYTHING],
    ["with its provider", () => ({ ...EVERYTHING, provider: "scripted" })],
    ["with its merchant", (merchantId) => ({ ...EVERYTHING, merchantId })],
    ["with its currency", () => ({ ...EVERYTHING, currency: "BRL" })],
    ["with all three", (merchantId) => ({ provider: "scripted", merchantId, currency: "BRL" })],
  ])("%s waits, and is sent once after it is resumed", async (_what, scopeOf) => {
    const scope = scopeOf(merchant.merchantId);
    await pauseDispatch(scope, "An incident.");
    const intent = await createPayout();
    await work();
    expect([provider.sent, await statusOf(intent.id)]).toEqual([[], "processing"]);
    expect(await countRows("provider_attempt", merchant.merchantId)).toBe(0);
    expect(await countRows("exception", merchant.merchantId)).toBe(0);

    provider.answer = settled;
    await resumeDispatch(scope, "It is over.");
    await work();
    expect([provider.sent, await statusOf(intent.id)]).toEqual([[intent.id], "succeeded"]);
  });

  it.each<[string, PauseScope]>([
    ["another provider", { ...EVERYTHING, provider: "other" }],
    ["another currency", { ...EVERYTHING, currency: "MXN" }],
    ["its provider, but another currency", { ...EVERYTHING, provider: "scripted", currency: "MXN" }],
  ])("only with %s is sent", async (_what, scope) => {
    await pauseDispatch(scope, "An incident.");
    const intent = await createPayout();
    await work();
    expect(provider.sent).toEqual([intent.id]);
  });

  it("cannot be announced by a worker that has not noticed the pause yet", async () => {
    const intent = await createPayout();
    await createPayout();
    await query(
      `INSERT INTO dispatch_pause (id, currency, reason, paused_by, paused_at)
       VALUES ('dpz_elsewhere', 'BRL', 'Elsewhere.', 'operator:cli', now())`,
    );
    const attempt = { id: newId("attempt"), ordinal: 1 };
    const announce = () => announceAttempt(intent, "payout_intent", attempt, new Date());
    // As a worker does: the pause belongs to no merchant, and must be seen within the payout's.
    expect(await withinMerchant(merchant.merchantId, announce)).toBe(false);
    await work();
    expect(provider.sent).toEqual([]);
    forgetPauses();
  });

  it("is not rerouted to a paused provider when its own rejects it", async () => {
    await pauseDispatch({ ...EVERYTHING, provider: "other" }, "An incident.");
    const intent = await createPayout();
    provider.answer = { kind: "never_accepted", detail: "no" };
    await work();
    expect([provider.sent, second.sent]).toEqual([[intent.id], []]);
    expect((await getIntent(PAYOUTS, merchant.scope, intent.id)).provider).toBe("scripted");
  });

  it("is polled after it was sent, and its result is recorded", async () => {
    const intent = await createPayout();
    await work();
    await pauseDispatch(EVERYTHING, "An incident.");
    provider.answer = settled;
    await makeDue("payout_intent");
    await work();
    expect([provider.sent, provider.queries, await statusOf(intent.id)]).toEqual([
      [intent.id],
      [intent.id],
      "succeeded",
    ]);
  });
});

describe("while dispatch is paused", () => {
  it("a payment is created and waits in processing; it is sent after the pause", async () => {
    setDispatch("off");
    const { intent, completion } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
    expect([completion, intent.status, provider.sent]).toEqual(["created", "processing", []]);
    await workOnDueIntents("payment_intent", 50, 30_000);
    expect(provider.sent).toEqual([]);
    setDispatch("on");
    await resumeDispatch(EVERYTHING, "It is over.");
    await workOnDueIntents("payment_intent", 50, 30_000);
    expect(provider.sent).toEqual([intent.id]);
    expect((await getIntent(PAYMENTS, merchant.scope, intent.id)).status).toBe("processing");
  });

  it("a top-up is created without instructions, and gets them after the pause", async () => {
    const test = { ...merchant.context, scope: { ...merchant.scope, environment: "test" as const } };
    await pauseDispatch({ ...EVERYTHING, provider: "sandbox" }, "An incident.");
    const { intent, completion } = await createTopupIntent(test, topup(), withoutIdempotency());
    expect([completion, intent.status, intent.nextAction]).toEqual(["created", "requires_payment", null]);
    await resumeDispatch({ ...EVERYTHING, provider: "sandbox" }, "It is over.");
    await workOnDueIntents("topup_intent", 50, 30_000);
    expect((await getIntent(TOPUPS, test.scope, intent.id)).nextAction).not.toBeNull();
  });
});

describe("the operator's control", () => {
  it("stores every pause with its reasons; a pause of one merchant is in its audit log", async () => {
    const scope = { ...EVERYTHING, merchantId: merchant.merchantId };
    const { id } = await pauseDispatch(scope, "An incident.");
    expect((await showDispatch()).open).toMatchObject([{ id, ...scope, reason: "An incident." }]);
    expect(await resumeDispatch(scope, "It is over.")).toEqual([id]);
    const rows = await query("SELECT reason, resume_reason, resumed_by FROM dispatch_pause WHERE id = $1", id);
    expect(rows).toEqual([{ reason: "An incident.", resume_reason: "It is over.", resumed_by: "operator:cli" }]);
    const audited = await query<{ action: string }>(
      "SELECT action FROM audit_entry WHERE merchant_id = $1 AND object_id = $2 ORDER BY created_at",
      merchant.merchantId,
      id,
    );
    expect(audited.map(({ action }) => action)).toEqual(["dispatch.pause", "dispatch.resume"]);
  });

  it("rejects a pause without a reason or of an unknown merchant, and resuming without a pause", async () => {
    await expect(pauseDispatch(EVERYTHING, "")).rejects.toMatchObject({ code: "validation_failed" });
    const unknown = { ...EVERYTHING, merchantId: newId("merchant") };
    await expect(pauseDispatch(unknown, "Why.")).rejects.toMatchObject({ code: "not_found" });
    const narrow = { ...EVERYTHING, currency: "MXN" };
    const answer = { code: "not_found", message: expect.stringContaining("dispatch show") };
    await expect(resumeDispatch(narrow, "Why.")).rejects.toMatchObject(answer);
    await expect(resumeDispatch({ ...EVERYTHING, currency: "mxn" }, "Why.")).rejects.toMatchObject(answer);
  });

  it.each<[string, Partial<PauseScope>]>([
    ["provider", { provider: "scriptd" }],
    ["currency", { currency: "BRX" }],
    ["currency", { currency: "brl" }],
  ])("rejects a pause that matches nothing because its %s is unknown", async (field, change) => {
    const refused = pauseDispatch({ ...EVERYTHING, ...change }, "Why.");
    await expect(refused).rejects.toMatchObject({
      code: "validation_failed",
      message: expect.stringMatching(`^${field} `),
    });
    expect((await showDispatch()).open).toEqual([]);
  });

  it("pauses a provider that is no longer configured while it has open intents", async () => {
    const intent = await createPayout();
    installScriptedProviders("other");
    await pauseDispatch({ ...EVERYTHING, provider: intent.provider }, "An incident.");
    expect((await showDispatch()).open).toMatchObject([{ provider: "scripted" }]);
  });
});

it("every role can read the database's identity, so that the service's own role notices a restore too", async () => {
  const [row] = await query<{ identity: string; allowed: boolean }>(
    `SELECT current_database_identity() AS identity,
            has_function_privilege('public', 'pg_control_system()', 'EXECUTE') AS allowed`,
  );
  expect(row?.identity).toMatch(/^\d+\/[0-9A-F]{8}\/\d+\/\d+\.\d+\.\d+$/);
  expect(row?.allowed).toBe(true);
});
