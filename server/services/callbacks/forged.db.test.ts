// Tests that a callback is applied only as its provider sent it, not after a direct insert or edit in the database.

import { beforeEach, describe, expect, it, vi } from "vitest";
import { query } from "@/server/db/client";
import { NOW_MS } from "@/server/db/now-ms";
import type { PaymentIntent } from "@/server/domain/payment-intent";
import { newId } from "@/server/platform/ids";
import { createKeyRing } from "@/server/platform/key-ring";
import { signedHeaders } from "@/server/psp/http/signature";
import { configureGateways } from "@/server/psp/registry";
import { balanceOf, makeLiveMerchant, payment, type TestMerchant } from "@/server/testing/merchant";
import { listExceptionsAcrossMerchants } from "../exceptions/list";
import { withoutIdempotency } from "../idempotency/completion";
import { getIntent } from "../intents/read";
import { createPaymentIntent } from "../payments/create";
import { PAYMENTS } from "../payments/kind";
import { applyCallbackAgain } from "./apply-again";
import { applyDueCallbacks, receiveCallback } from "./receive-callback";

const SECRET = "a secret of at least thirty-two characters";
const ACME = { name: "acme", url: "http://127.0.0.1:9", secret: SECRET, payment_methods: "all" };

let merchant: TestMerchant;
let intent: PaymentIntent;
beforeEach(async () => {
  configureGateways(JSON.stringify([ACME]));
  merchant = await makeLiveMerchant();
  intent = (await createPaymentIntent(merchant.context, payment(), withoutIdempotency())).intent;
});

const bodyOf = (callbackId: string) =>
  JSON.stringify({
    callback_id: callbackId,
    merchant_id: merchant.merchantId,
    reference: intent.id,
    provider_reference: "psp-1",
    status: "succeeded",
    amount: "1050",
    currency: "BRL",
  });

/** Delivers a callback that reports the payment paid; returns its id. */
async function send(body = bodyOf(newId("event"))): Promise<string> {
  const message = { method: "POST", path: "/providers/acme/callbacks", body };
  await receiveCallback("acme", new Headers(signedHeaders(SECRET, message, new Date())), body);
  return (JSON.parse(body) as { callback_id: string }).callback_id;
}

/** Inserts the same callback directly into the database, as an older release stored it. */
async function forge(digest: string | null = null): Promise<string> {
  const callbackId = newId("event");
  await query(
    `INSERT INTO provider_callback (provider, callback_id, body, digest, due_at) VALUES ('acme', $1, $2, $3, ${NOW_MS})`,
    callbackId,
    bodyOf(callbackId),
    digest,
  );
  return callbackId;
}

const edit = (callbackId: string, assignment: string) =>
  query(`UPDATE provider_callback SET ${assignment} WHERE callback_id = $1`, callbackId);
const apply = () => applyDueCallbacks(1_000, 30_000);
const status = async () => (await getIntent(PAYMENTS, merchant.scope, intent.id)).status;

async function resultOf(callbackId: string): Promise<string | null | undefined> {
  const rows = await query<{ result: string | null }>(
    "SELECT result FROM provider_callback WHERE callback_id = $1",
    callbackId,
  );
  return rows[0]?.result;
}

async function openAbout(callbackId: string) {
  const { exceptions } = await listExceptionsAcrossMerchants({ merchantId: null, openOnly: true });
  return exceptions.filter(({ detail }) => detail.callback === `acme/${callbackId}`);
}

describe("a callback inserted or edited directly in the database", () => {
  it.each<[string, () => Promise<string>]>([
    ["inserted without a digest", () => forge()],
    ["inserted with an invented digest", () => forge(`00000000.${"0".repeat(64)}`)],
    [
      "inserted with the digest of another callback",
      async () => {
        const sent = await send(bodyOf(newId("event")).replace("succeeded", "processing"));
        const [row] = await query<{ digest: string }>(
          "SELECT digest FROM provider_callback WHERE callback_id = $1",
          sent,
        );
        return forge(row?.digest ?? null);
      },
    ],
    [
      "edited",
      async () => {
        const sent = await send(bodyOf(newId("event")).replace("1050", "1"));
        await edit(sent, `body = replace(body, '"amount":"1"', '"amount":"1050"')`);
        return sent;
      },
    ],
    [
      "dated back",
      async () => {
        const sent = await send();
        await edit(sent, "received_at = received_at - interval '1 hour'");
        return sent;
      },
    ],
  ])("is not applied after it was %s, and opens an exception without a merchant", async (_what, plant) => {
    const callbackId = await plant();
    await apply();
    expect([await status(), await resultOf(callbackId)]).toEqual(["processing", "unverified"]);
    expect(await openAbout(callbackId)).toMatchObject([
      { merchantId: null, objectId: `acme/${callbackId}`, detail: { reason: "unverified" } },
    ]);
  });

  it("cannot be applied by a person if its digest is wrong", async () => {
    const callbackId = await send();
    await edit(callbackId, "received_at = received_at - interval '1 hour'");
    await apply();
    for (const acceptsUnverified of [false, true]) {
      const tried = await applyCallbackAgain(`acme/${callbackId}`, { acceptsUnverified });
      expect(tried).toMatchObject({
        callback: { result: "unverified" },
        why: expect.stringContaining("digest") as string,
      });
    }
    expect(await status()).toBe("processing");
    expect(await openAbout(callbackId)).toHaveLength(1);
  });

  it("is applied by a person, too, only as it was received", async () => {
    const callbackId = await send();
    configureGateways("[]");
    await apply();
    configureGateways(JSON.stringify([ACME]));
    await edit(callbackId, "body = replace(body, '1050', '1051')");
    await applyCallbackAgain(`acme/${callbackId}`);
    expect([await status(), await resultOf(callbackId)]).toEqual(["processing", "unverified"]);
  });
});

describe("a callback without a digest, as older releases stored them", () => {
  it("is applied by an operator who accepts that, with an audit entry that records it", async () => {
    const callbackId = await forge();
    await apply();
    const before = await balanceOf(merchant);
    expect(await applyCallbackAgain(`acme/${callbackId}`)).toMatchObject({ callback: { result: "unverified" } });
    expect(await applyCallbackAgain(`acme/${callbackId}`, { acceptsUnverified: true })).toMatchObject({
      callback: { result: "applied" },
      why: null,
    });
    expect((await balanceOf(merchant))[0] - before[0]).toBe(1050n);
    expect(await openAbout(callbackId)).toEqual([]);
    const audited = await query<{ after: object }>(
      "SELECT after FROM audit_entry WHERE action = 'callback.apply' AND object_id = $1 ORDER BY id",
      `acme/${callbackId}`,
    );
    expect(audited.map(({ after }) => after)).toEqual([
      { result: "unverified" },
      { result: "applied", accepted_unverified: true },
    ]);
  });
});

describe("a genuine callback", () => {
  it("is applied after a secret rotation as long as its own secret is configured", async () => {
    const callbackId = await send();
    const { secrets } = (await import("@/server/platform/env")).env();
    vi.stubGlobal("sluiceKeyRing", createKeyRing([Buffer.alloc(32, 7), ...secrets]));
    await apply();
    vi.unstubAllGlobals();
    expect([await status(), await resultOf(callbackId)]).toEqual(["succeeded", "applied"]);
  });

  it("is applied with a NUL in its body", async () => {
    const body = `{"callback_id": "${newId("event")}"`;
    const message = { method: "POST", path: "/providers/acme/callbacks", body: `${body}\0` };
    await receiveCallback("acme", new Headers(signedHeaders(SECRET, message, new Date())), message.body);
    await apply();
    const rows = await query<{ result: string }>(
      "SELECT result FROM provider_callback WHERE starts_with(body, $1)",
      body,
    );
    expect(rows).toEqual([{ result: "unreadable" }]);
  });
});
