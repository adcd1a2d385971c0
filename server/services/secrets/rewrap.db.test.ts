// Moving stored values to a new secret, so that the old one can be removed.
import { randomBytes } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { disconnect, inTransaction, query } from "@/server/db/client";
import { isFirstTimeRecipient } from "@/server/db/payout-facts";
import { ACCOUNT_NUMBERS, storeResealedAcrossMerchants } from "@/server/db/secrets/sealed-values";
import type { Transaction } from "@/server/db/transaction";
import { env } from "@/server/platform/env";
import { createKeyRing } from "@/server/platform/key-ring";
import { keyRing } from "@/server/platform/keys";
import { acrossMerchants, EVERY_MERCHANT } from "@/server/platform/reach";
import { ONE_REFERENCE_FOR_ALL, requireInvariantsExcept } from "@/server/testing/invariants";
import { makeLiveMerchant, makeMember, payout, type TestMerchant } from "@/server/testing/merchant";
import { installScriptedProvider } from "@/server/testing/scripted-provider";
import { accountDigests, openAccount } from "../account-numbers";
import { authenticate } from "../api-keys/authenticate";
import { createApiKey } from "../api-keys/create";
import { linkAuditEntries } from "../audit/link-entries";
import { verifyAuditChains } from "../audit/verify-chains";
import { workOnDueIntents } from "../due-intents";
import { withoutIdempotency } from "../idempotency/completion";
import { getIntent } from "../intents/read";
import { operatorAct, operatorContext } from "../merchants/operator";
import { setRecipientCoolOff } from "../merchants/recipient-cool-off";
import { openDestination } from "../notifications/destination";
import { registerForNotifications } from "../notifications/registrations";
import { createPayoutIntent } from "../payouts/create";
import { createPayoutToRecipient } from "../payouts/create-to-recipient";
import { PAYOUTS } from "../payouts/kind";
import { saveRecipient } from "../recipients/save";
import { beginTotp, confirmTotp } from "../sign-in/totp";
import { createWebhookEndpoint } from "../webhooks/create-endpoint";
import { openSecret } from "../webhooks/secrets";
import { rewrapSecrets } from "./rewrap";
import { secretsStatus } from "./status";

process.env.WEBHOOK_ALLOW_LOOPBACK = "true";

const NUMBER = "0001-123456789";

let secrets: readonly Buffer[] = env().secrets;
let merchant: TestMerchant;

function setRing(ring: readonly Buffer[]): void {
  vi.stubGlobal("sluiceKeyRing", createKeyRing(ring));
}

/** Puts a new secret in front, as an operator does. */
function rotate(): void {
  secrets = [randomBytes(32), ...secrets];
  setRing(secrets);
}

/** Removes every secret but the newest. */
function removeOldSecrets(): void {
  setRing(secrets.slice(0, 1));
}

beforeEach(async () => {
  setRing(secrets);
  merchant = await makeLiveMerchant();
  const answer = {
    kind: "settled",
    amount: 25_000n,
    currency: "BRL",
    providerReference: randomBytes(8).toString("hex"),
  };
  installScriptedProvider().answer = answer as never;
});
afterEach(() => vi.unstubAllGlobals());
afterAll(disconnect);

async function createPayout(changes = {}) {
  const { intent } = await createPayoutIntent(merchant.context, payout(changes), withoutIdempotency());
  return intent;
}

async function settledPayout() {
  const { id } = await createPayout();
  await workOnDueIntents("payout_intent", 50, 30_000);
  const intent = await getIntent(PAYOUTS, merchant.scope, id);
  expect(intent.status).toBe("succeeded");
  return intent;
}

/** Sessions that wait for a row. */
const WAITING = "SELECT pid FROM pg_locks WHERE NOT granted";

const storedPayout = (id: string) => getIntent(PAYOUTS, merchant.scope, id);

it("account numbers of open and ended payouts can be read without the old secret", async () => {
  const payouts = [await settledPayout(), await createPayout()];
  rotate();
  expect(await rewrapSecrets()).toContainEqual({ column: "payout_intent.account_sealed", rows: 2, unreadable: 0 });
  removeOldSecrets();
  for (const { id } of payouts) expect(openAccount(await storedPayout(id))).toBe(NUMBER);
});

it("the account of a saved recipient can be paid without the old secret", async () => {
  const { merchantId, scope } = merchant;
  await setRecipientCoolOff(scope, 0);
  const byOwner = merchant.byMember();
  const bakery = { holderName: "Padaria", accountNumber: NUMBER, bankCode: "001", country: "BR", currency: "BRL" };
  const { id } = await saveRecipient(byOwner, bakery);
  rotate();
  expect(await rewrapSecrets()).toContainEqual({ column: "payout_recipient.account_sealed", rows: 1, unreadable: 0 });
  removeOldSecrets();
  const paid = { recipientId: id, amount: "25000", merchantReference: "invoice-8" };
  const { intent } = await createPayoutToRecipient(byOwner, paid);
  expect([intent.merchantId, openAccount(intent)]).toEqual([merchantId, NUMBER]);
});

it("a repeated payout and a paid recipient are recognized without the old secret", async () => {
  const merchantReference = "invoice-7";
  const { id } = await createPayout({ merchantReference });
  await workOnDueIntents("payout_intent", 50, 30_000);
  rotate();
  await rewrapSecrets();
  removeOldSecrets();
  expect((await createPayout({ merchantReference })).id).toBe(id);
  const known = {
    accountDigests: accountDigests(merchant.merchantId, NUMBER),
    bankCode: "001",
    holderName: "Ana Souza",
  };
  expect(await isFirstTimeRecipient(merchant.scope, known)).toBe(false);
});

it("webhook secrets and one-time codes work without the old secret", async () => {
  const { merchantId, context } = merchant;
  const endpoint = { url: "http://127.0.0.1:9/hook", description: "", eventTypes: null };
  const test = { ...context, scope: { merchantId, environment: "test" as const } };
  const { intent: created } = await createWebhookEndpoint(test, endpoint, withoutIdempotency());
  const memberId = await makeMember(merchantId, "eva@shop.example", "approver");
  const codes = await beginTotp({ merchantId, memberId }, "eva@shop.example", "");
  rotate();
  await rewrapSecrets();
  removeOldSecrets();
  const [row] = await query<{ sealed: string }>(
    "SELECT secret_sealed AS sealed FROM webhook_endpoint WHERE id = $1",
    created.endpoint.id,
  );
  expect(openSecret(merchantId, created.endpoint.id, row?.sealed ?? "")).toBe(created.secret);
  const code = new TOTP({ secret: Secret.fromBase32(codes.secret) }).generate();
  const byEva = { ...test, actor: { type: "member" as const, id: memberId } };
  expect((await confirmTotp(byEva, code, "")).recoveryCodes).toHaveLength(10);
});

it("notifications reach their chat channel, and are signed, without the old secret", async () => {
  const { byMember } = merchant;
  const schedule = { pace: "immediate", timeZone: "UTC", dailyAt: 540, quiet: null } as const;
  const command = {
    channel: "webhook",
    url: "https://9.9.9.9/x",
    address: null,
    types: ["security"],
    schedule,
  } as const;
  const { registration } = await registerForNotifications(byMember(), command);
  rotate();
  const rewrapped = await rewrapSecrets();
  for (const column of ["url_sealed", "secret_sealed"])
    expect(rewrapped).toContainEqual({ column: `notification_registration.${column}`, rows: 1, unreadable: 0 });
  removeOldSecrets();
  const place = { merchantId: merchant.merchantId, id: registration.id };
  const [row] = await query<{ url: string; secret: string }>(
    "SELECT url_sealed AS url, secret_sealed AS secret FROM notification_registration WHERE id = $1",
    registration.id,
  );
  expect(openDestination(place, "url", row?.url ?? "")).toBe("https://9.9.9.9/x");
  expect(openDestination(place, "secret", row?.secret ?? "")).toMatch(/^whsec_/);
});

it("an API key moves to the current pepper with its next use, and then works without the old secret", async () => {
  const pair = await createApiKey(operatorContext(merchant.merchantId, "live"), "Shop");
  const other = await createApiKey(operatorContext(merchant.merchantId, "live"), "Another");
  rotate();
  // As in a web process, where work that belongs to no merchant reaches no rows.
  vi.stubGlobal("sluiceProcessReach", undefined);
  await authenticate(pair);
  const pepper = keyRing().current("api-key-pepper").id;
  await vi.waitFor(async () => {
    const read = "SELECT pepper_id AS id FROM api_key WHERE id = $1";
    const [row] = await acrossMerchants(() => query<{ id: string }>(read, pair.id));
    expect(row?.id).toBe(pepper);
  }, 30_000);
  vi.stubGlobal("sluiceProcessReach", EVERY_MERCHANT);
  removeOldSecrets();
  await vi.waitFor(async () => expect(await authenticate(pair)).toMatchObject({ apiKeyId: pair.id }), 30_000);
  await expect(authenticate({ ...pair, secretKey: other.secretKey })).rejects.toMatchObject({ code: "unauthorized" });
});

describe("a rewrap", () => {
  it("leaves only records, values in use and expiring ones under the old key", async () => {
    await settledPayout();
    rotate();
    await rewrapSecrets();
    const { stored } = await secretsStatus();
    expect(stored.filter(({ ends, state }) => ends === "rewrap" && state !== "current")).toEqual([]);
    const { old } = await secretsStatus();
    expect(old[0]?.neededBy).toContain("audit_entry.after");
    expect(old[0]?.neededBy).not.toContain("payout_intent.account_sealed");
  });

  it("makes an old secret removable, once records have secrets of their own", async () => {
    const { id } = await settledPayout();
    // Unused keys and recovery codes of other tests need their secrets until they end.
    await query("UPDATE api_key SET revoked_at = now() WHERE revoked_at IS NULL");
    await query("UPDATE member_totp SET recovery_hashes = '{}'");
    while ((await linkAuditEntries()).isBehind);
    const former = secrets;
    rotate();
    vi.stubGlobal("sluiceKeyRing", createKeyRing(secrets, [randomBytes(32), ...former]));
    await rewrapSecrets();
    const { old } = await secretsStatus();
    const isOfRecords = ({ variable }: { variable: string }) => variable === "SLUICE_RECORD_SECRETS";
    expect(old.filter((key) => !isOfRecords(key)).flatMap(({ neededBy }) => neededBy)).toEqual([]);
    expect(old.find(isOfRecords)?.neededBy).toContain("audit_link.key_id");
    vi.stubGlobal("sluiceKeyRing", createKeyRing(secrets.slice(0, 1), [randomBytes(32), ...former]));
    while ((await linkAuditEntries()).isBehind);
    const [report] = await verifyAuditChains(merchant.merchantId);
    expect(report?.broken).toBeNull();
    expect(openAccount(await storedPayout(id))).toBe(NUMBER);
    removeOldSecrets();
    const [unverified] = await verifyAuditChains(merchant.merchantId);
    expect(new Set(unverified?.faults.shown.map(({ fault }) => fault))).toEqual(new Set(["key_unknown"]));
  });

  it("does nothing the second time", async () => {
    await settledPayout();
    rotate();
    await rewrapSecrets();
    expect((await rewrapSecrets()).map(({ rows }) => rows)).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  });

  it("is audited as the operator's, and leaves a valid chain and books", async () => {
    await settledPayout();
    rotate();
    await rewrapSecrets();
    const entries = await query(
      `SELECT actor_type, actor_id, object_id, after FROM audit_entry
       WHERE merchant_id = $1 AND action = 'secrets.rewrap'`,
      merchant.merchantId,
    );
    const after = { key_id: keyRing().current("account-encryption").id, rows: 1 };
    const operator = { actor_type: "operator", actor_id: "cli" };
    expect(entries).toEqual([{ ...operator, object_id: "payout_intent.account_sealed", after }]);
    while ((await linkAuditEntries()).isBehind);
    const [report] = await verifyAuditChains(merchant.merchantId);
    expect(report?.broken).toBeNull();
    await requireInvariantsExcept(ONE_REFERENCE_FOR_ALL);
  });

  it("leaves a value alone that changed since it was read", async () => {
    const { id, account } = await createPayout();
    const stale = { merchantId: merchant.merchantId, id, sealed: `${account.sealed}x`, resealed: "00000000.other" };
    expect(await storeResealedAcrossMerchants(ACCOUNT_NUMBERS, [stale], "00000000", operatorAct())).toBe(0);
    expect((await storedPayout(id)).account.sealed).toBe(account.sealed);
  });

  it("counts values whose secret is gone, and leaves them as they are", async () => {
    const { id, account } = await createPayout();
    rotate();
    removeOldSecrets();
    const done = (await rewrapSecrets()).find(({ column }) => column === "payout_intent.account_sealed");
    expect(done).toMatchObject({ rows: 0, unreadable: expect.any(Number) });
    expect(done?.unreadable).toBeGreaterThan(0);
    expect((await storedPayout(id)).account.sealed).toBe(account.sealed);
  });

  it("survives a deadlock with work that locks the same rows in another order", async () => {
    const [first, second] = [await createPayout(), await createPayout()];
    rotate();
    const touch = (within: Transaction, id: string) =>
      within.query("UPDATE payout_intent SET due_at = due_at WHERE id = $1", id);
    let rewrapping: Promise<unknown> = Promise.resolve();
    await inTransaction(async (within) => {
      await touch(within, second.id);
      rewrapping = rewrapSecrets();
      // Whoever waits longest finds the deadlock and gives way: the rewrap must wait first.
      await vi.waitFor(async () => expect(await query(WAITING)).not.toEqual([]), { timeout: 10_000 });
      await touch(within, first.id);
    });
    await rewrapping;
    removeOldSecrets();
    for (const { id } of [first, second]) expect(openAccount(await storedPayout(id))).toBe(NUMBER);
  });

  it("runs beside dispatch: every payout is still sent once, to its account", async () => {
    await workOnDueIntents("payout_intent", 50, 30_000);
    const { sent } = installScriptedProvider();
    const ids: string[] = [];
    for (let n = 0; n < 20; n += 1) ids.push((await createPayout()).id);
    rotate();
    await Promise.all([rewrapSecrets(), workOnDueIntents("payout_intent", 50, 30_000)]);
    // A claim that deadlocks with a rewrap takes nothing, and the next round of the worker takes its payouts.
    await workOnDueIntents("payout_intent", 50, 30_000);
    await rewrapSecrets();
    removeOldSecrets();
    expect(sent).toHaveLength(20);
    for (const id of ids) expect(openAccount(await storedPayout(id))).toBe(NUMBER);
  });
});

describe("the row of an ended payout", () => {
  const update = (id: string, assignment: string) =>
    query(`UPDATE payout_intent SET ${assignment} WHERE id = $1`, id).then(
      () => "changed",
      (error: { constraint?: string }) => error.constraint,
    );

  it("takes the sealed number under another key, and no other change", async () => {
    const { id } = await settledPayout();
    const rule = "payout_intent_terminal_is_final";
    expect(await update(id, "account_sealed = 'x' || substr(account_sealed, 2)")).toBe("changed");
    expect(await update(id, "account_sealed = account_sealed || 'x'")).toBe(rule);
    expect(await update(id, "account_sealed = '00000000.x', revision = revision + 1")).toBe(rule);
    expect(await update(id, "account_sealed = '00000000.x', due_at = now()")).toBe(rule);
    expect(await update(id, "account_digest = 'x'")).toBe(rule);
  });
});
