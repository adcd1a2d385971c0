// Every path to a provider uses the stored reference, also beside older workers.

import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { query } from "@/server/db/client";
import { deriveDispatchReference } from "@/server/platform/dispatch-reference";
import { env, provideRuntime } from "@/server/platform/env";
import { acceptCallbacks, sendCallback } from "@/server/testing/callbacks";
import { countRows, ONE_REFERENCE_FOR_ALL, requireInvariantsExcept } from "@/server/testing/invariants";
import { makeLiveMerchant, payment, payout, type TestMerchant, topup } from "@/server/testing/merchant";
import { queryAsOwner, tamper } from "@/server/testing/owner";
import { installScriptedProvider, type ScriptedProvider } from "@/server/testing/scripted-provider";
import { loadTwice } from "@/server/testing/second-copy";
import { applyDueCallbacks } from "../callbacks/receive-callback";
import { workOnDueIntents } from "../due-intents";
import { withoutIdempotency } from "../idempotency/completion";
import { getIntent } from "../intents/read";
import { forgetMerchantSettings } from "../merchants/settings";
import { createPaymentIntent } from "../payments/create";
import { createPayoutIntent } from "../payouts/create";
import { PAYOUTS } from "../payouts/kind";
import { reconcile } from "../reconciliation/reconcile";
import { createTopupIntent } from "../topups/create";
import { deriveReferences, prepareReferences, showReferences } from "./prepare";

const KEY = randomBytes(32);

function giveKey(referenceKey: Buffer | null): void {
  delete process.env.REFERENCE_KEY;
  provideRuntime({ databaseUrl: env().databaseUrl ?? "", ...(referenceKey && { referenceKey }) });
}

/** Resets the database to one that never derived references, bypassing the guard that prevents that. */
async function neverDerived(): Promise<void> {
  await tamper("installation", "UPDATE installation SET reference_key_id = NULL, references_derived_at = NULL");
}

let merchant: TestMerchant;
let provider: ScriptedProvider;
beforeEach(async () => {
  giveKey(KEY);
  await neverDerived();
  await query(
    "UPDATE payout_intent SET due_at = now() - interval '1 second' + interval '1 hour' WHERE due_at IS NOT NULL",
  );
  merchant = await makeLiveMerchant();
  provider = installScriptedProvider();
});
afterEach(() => requireInvariantsExcept(ONE_REFERENCE_FOR_ALL));

async function derive(): Promise<void> {
  await deriveReferences();
  forgetMerchantSettings(merchant.merchantId);
}

const settled = { kind: "settled", amount: 25_000n, currency: "BRL", providerReference: "psp-1" } as const;
const createPayout = async (command = payout()) =>
  (await createPayoutIntent(merchant.context, command, withoutIdempotency())).intent;
const work = () => workOnDueIntents("payout_intent", 50, 30_000);
const attempts = () =>
  query<{ reference: string | null }>(
    "SELECT reference FROM provider_attempt WHERE merchant_id = $1 ORDER BY ordinal",
    merchant.merchantId,
  );

describe("references are derived", () => {
  it("from the first start of a database without merchants, if there is a key", async () => {
    await queryAsOwner(`ALTER TABLE merchant RENAME TO merchant_away;
      CREATE VIEW merchant AS SELECT * FROM merchant_away WHERE false;
      GRANT SELECT ON merchant TO sluice_app`);
    try {
      await prepareReferences();
    } finally {
      await queryAsOwner("DROP VIEW merchant; ALTER TABLE merchant_away RENAME TO merchant");
    }
    expect((await showReferences()).referencesDerivedAt).toBeInstanceOf(Date);
  });

  it("in a database with merchants only after the operator's command", async () => {
    await prepareReferences();
    expect(await showReferences()).toEqual({ referenceKeyId: null, referencesDerivedAt: null });
    const before = await createPayout();
    await derive();
    const after = await createPayout();
    expect(before.dispatchReference).toBe(before.id);
    expect(after.dispatchReference).toBe(
      deriveDispatchReference(KEY, { ...after, kind: "payoutIntent", merchantReference: after.merchantReference }),
    );
    expect(await getIntent(PAYOUTS, merchant.scope, after.id)).toEqual(after);
  });

  it("by one key permanently: without it, or with another, no process starts and nothing is created", async () => {
    giveKey(null);
    await expect(deriveReferences()).rejects.toThrow(/REFERENCE_KEY is missing/);
    await prepareReferences();
    giveKey(KEY);
    await derive();
    for (const [key, fault] of [
      [null, /REFERENCE_KEY is missing/],
      [randomBytes(32), /REFERENCE_KEY differs from the key/],
    ] as const) {
      giveKey(key);
      await expect(prepareReferences()).rejects.toThrow(fault);
      await expect(createPayout()).rejects.toMatchObject({ code: "service_unavailable" });
    }
    expect(await countRows("payout_intent", merchant.merchantId)).toBe(0);
    await expect(query("UPDATE installation SET reference_key_id = 'other'")).rejects.toThrow(
      /installation_reference_key_is_fixed/,
    );
  });
});

describe("a provider knows an intent by its derived reference", () => {
  beforeEach(derive);

  it("when a payout is sent, polled and reported by callback", async () => {
    acceptCallbacks();
    const intent = await createPayout();
    await work();
    expect(provider.sent).toEqual([intent.dispatchReference]);
    expect(await attempts()).toEqual([{ reference: intent.dispatchReference }]);
    await query("UPDATE payout_intent SET due_at = now() - interval '1 second' WHERE id = $1", intent.id);
    await work();
    expect(provider.queries).toEqual([intent.dispatchReference]);
    const news = { status: "settled", amount: "25000", currency: "BRL" };
    await sendCallback({ ...intent, dispatchReference: intent.id }, news);
    await applyDueCallbacks(10, 30_000);
    expect((await getIntent(PAYOUTS, merchant.scope, intent.id)).status).toBe("processing");
    await sendCallback(intent, news);
    await applyDueCallbacks(10, 30_000);
    expect((await getIntent(PAYOUTS, merchant.scope, intent.id)).status).toBe("succeeded");
  });

  it("when a payment is sent", async () => {
    const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
    expect(provider.sent).toEqual([intent.dispatchReference]);
    expect(intent.dispatchReference).toMatch(/^dord_[0-9a-z]{8}_[0-9a-z]{26}$/);
    expect(await attempts()).toEqual([{ reference: intent.dispatchReference }]);
  });

  it("when its settlement file names it; fees are booked for the intent itself", async () => {
    const [intent, lost] = [await createPayout(), await createPayout()];
    provider.answer = settled;
    await work();
    const lines = [
      "line_id,kind,reference,provider_reference,amount,currency,fee,settled_at",
      `l1,payout,${intent.dispatchReference},psp-1,25000,BRL,40,${new Date().toISOString()}`,
      `l2,payout,${lost.id},psp-2,25000,BRL,0,${new Date().toISOString()}`,
    ];
    const bytes = Buffer.from(lines.join("\n"));
    const scope = { provider: "scripted", environment: "live" as const };
    const found = await reconcile({ ...scope, name: "f.csv", bytes, from: null, to: null });
    expect(found.lines.map(({ verdict, intentId }) => [verdict, intentId])).toEqual([
      ["matched", intent.id],
      ["missing_internal", null],
    ]);
    expect(found.feesBooked).toBe(1);
  });

  it("for a top-up too; without a merchant reference that is its id", async () => {
    const test = { ...merchant.context, scope: { ...merchant.scope, environment: "test" as const } };
    const named = await createTopupIntent(test, topup(), withoutIdempotency());
    const free = await createTopupIntent(test, topup({ merchantReference: null }), withoutIdempotency());
    expect(named.intent.dispatchReference).toMatch(/^tuin_[0-9a-z]{8}_/);
    expect(free.intent.dispatchReference).toBe(free.intent.id);
  });

  it("also after 60 simultaneous creations by two processes", async () => {
    const copies = await loadTwice();
    const command = payout();
    const done = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        (copies[n % 2] ?? copies[0]).createPayoutIntent(merchant.context, command, withoutIdempotency()),
      ),
    );
    expect(new Set(done.map(({ intent }) => intent.id)).size).toBe(1);
    expect(done.filter(({ completion }) => completion === "created")).toHaveLength(1);
  });
});

/** Announces a call as the previous release did: without a reference, sending the intent's id. */
const announceAsBefore = (intentId: string, ordinal: number) =>
  query(
    `INSERT INTO provider_attempt (merchant_id, id, environment, intent_id, ordinal, provider, state, started_at)
     VALUES ($1, $2, 'live', $3, $4, 'scripted', 'started', now())`,
    merchant.merchantId,
    `att_before_${intentId}_${ordinal}`,
    intentId,
    ordinal,
  );

describe("beside a worker of the previous release", () => {
  it("a payout that either of them dispatches has one reference: the id, before references are derived", async () => {
    const intent = await createPayout();
    await announceAsBefore(intent.id, 1);
    await query("UPDATE provider_attempt SET started_at = now() - interval '1 minute' WHERE intent_id = $1", intent.id);
    provider.answer = settled;
    await work();
    expect([provider.sent, provider.queries]).toEqual([[], [intent.id]]);
    expect((await getIntent(PAYOUTS, merchant.scope, intent.id)).status).toBe("succeeded");
  });

  it("an intent that older code inserts keeps its id, also after references are derived", async () => {
    const model = await createPayout();
    await derive();
    await query(
      `INSERT INTO payout_intent SELECT (jsonb_populate_record(p, jsonb_build_object('id', 'word_' || repeat('0', 26),
         'merchant_reference', 'older'))).* FROM payout_intent p WHERE id = $1`,
      model.id,
    );
    const older = await getIntent(PAYOUTS, merchant.scope, `word_${"0".repeat(26)}`);
    expect(older.dispatchReference).toBe(older.id);
    await queryAsOwner("DELETE FROM payout_intent WHERE merchant_reference = 'older'");
  });

  it("such a worker cannot announce a call about a derived reference, and so cannot send the id", async () => {
    await derive();
    const intent = await createPayout();
    await expect(announceAsBefore(intent.id, 1)).rejects.toThrow(/provider_attempt_names_reference/);
    provider.answer = settled;
    await work();
    expect(provider.sent).toEqual([intent.dispatchReference]);
  });
});
