// Limits of payouts hold in the write: exactly, however many payouts are created at once.
import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { query } from "@/server/db/client";
import type { LimitSubject } from "@/server/domain/payout-limits";
import type { CallContext } from "@/server/domain/scope";
import { env } from "@/server/platform/env";
import { createKeyRing } from "@/server/platform/key-ring";
import { keyRing } from "@/server/platform/keys";
import { createApiKey } from "@/server/services/api-keys/create";
import { rollApiKey } from "@/server/services/api-keys/roll";
import { withoutIdempotency } from "@/server/services/idempotency/completion";
import { operatorContext } from "@/server/services/merchants/operator";
import { cancelPayoutIntent } from "@/server/services/payouts/cancel";
import { type CreatePayout, createPayoutIntent } from "@/server/services/payouts/create";
import { reindexAccounts } from "@/server/services/payouts/reindex-accounts";
import { advanceSandboxClock } from "@/server/services/sandbox/clock";
import { countRows, requireInvariants } from "@/server/testing/invariants";
import { balanceOf, keyed, makeMerchant, OPENING, once, payout, type TestMerchant } from "@/server/testing/merchant";
import { setPayoutLimits, showPayoutLimits, type TypedLimits } from "./limits";

let merchant: TestMerchant;
let operator: CallContext;
beforeEach(async () => {
  merchant = await makeMerchant(["BRL", "MXN"]);
  operator = operatorContext(merchant.merchantId, "test");
});
afterEach(requireInvariants);

const NONE = { currency: "BRL", amountAtMost: null, dayAtMost: null, recipientDayAtMost: null };
const limit = (subject: LimitSubject, limits: Partial<TypedLimits>, by = operator) =>
  setPayoutLimits(by, { subject, ...NONE, ...limits });

function outcomeOf(changes: Partial<CreatePayout> = {}, context = merchant.context): Promise<string> {
  return createPayoutIntent(context, payout(changes), withoutIdempotency()).then(
    () => "created",
    (error: unknown) => (error as { code: string }).code,
  );
}

async function tally(count: number, changes: (n: number) => Partial<CreatePayout>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const outcomes = await Promise.all(Array.from({ length: count }, (_, n) => outcomeOf(changes(n))));
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

const to = (accountNumber: string) => ({ ...payout().recipient, accountNumber });

describe("of 100 payouts created at once against a limit for 10, exactly 10 are created", () => {
  it.each<[string, () => LimitSubject, Partial<TypedLimits>]>([
    ["of a key", () => ({ apiKeyId: merchant.context.actor.id }), { dayAtMost: "10999" }],
    ["of a recipient", () => "merchant", { recipientDayAtMost: "10000" }],
    ["of the merchant", () => "merchant", { dayAtMost: "10000" }],
  ])("%s", async (_whose, subject, limits) => {
    await limit(subject(), limits);
    expect(await tally(100, () => ({ amount: "1000" }))).toEqual({ created: 10, payout_limit_exceeded: 90 });
    expect(await countRows("payout_intent", merchant.merchantId)).toBe(10);
    expect(await balanceOf(merchant)).toEqual([OPENING - 10_000n, 10_000n]);
  });
});

it("a payout above the largest amount of its key or merchant leaves no row; the amount itself is allowed", async () => {
  for (const subject of ["merchant", { apiKeyId: merchant.context.actor.id }] as const) {
    await limit(subject, { amountAtMost: "5000" });
    expect(await outcomeOf({ amount: "5001" })).toBe("payout_limit_exceeded");
    expect(await outcomeOf({ amount: "5000" })).toBe("created");
    await limit(subject, {});
    expect(await outcomeOf({ amount: "5001" })).toBe("created");
  }
  expect(await countRows("payout_intent", merchant.merchantId)).toBe(4);
});

it("a refused payout gives the same answer under its key, and the key's next request works", async () => {
  await limit("merchant", { amountAtMost: "5000" });
  const create = (key: string, amount: string) =>
    once(keyed(merchant, key), (idempotency) =>
      createPayoutIntent(merchant.context, payout({ amount, merchantReference: key }), idempotency),
    ).catch((error: unknown) => error as { code: string });
  expect(await create("a", "5001")).toMatchObject({ code: "payout_limit_exceeded" });
  await limit("merchant", {});
  expect(await create("a", "5001")).toMatchObject({ status: 422, replayed: true });
  expect(await create("b", "5001")).toMatchObject({ status: 201 });
});

it("a limit is one of its currency, environment and key", async () => {
  const other = await createApiKey(merchant.byMember(), "Other");
  const byOther: CallContext = { ...merchant.context, actor: { type: "api_key", id: other.id } };
  await limit({ apiKeyId: merchant.context.actor.id }, { dayAtMost: "1" });
  expect(await outcomeOf()).toBe("payout_limit_exceeded");
  expect(await outcomeOf({}, byOther)).toBe("created");
  expect(await outcomeOf({}, merchant.byMember())).toBe("created");
  expect(await outcomeOf({ currency: "MXN", country: "MX" })).toBe("created");
  await limit("merchant", { dayAtMost: "1" });
  expect(await outcomeOf({}, merchant.byMember())).toBe("payout_limit_exceeded");
});

it("each recipient has a limit of their own, however their account is written", async () => {
  await limit("merchant", { recipientDayAtMost: "1500" });
  const pay = (account: string) => outcomeOf({ amount: "1000", recipient: to(account) });
  expect(await pay("0001-123456789")).toBe("created");
  expect(await pay("0001-987654321")).toBe("created");
  expect(await pay("0001 1234 56789")).toBe("payout_limit_exceeded");
});

it("a cancelled payout counts no longer, and each UTC day begins at zero", async () => {
  await limit("merchant", { dayAtMost: "1000", recipientDayAtMost: "1000" });
  const { intent } = await createPayoutIntent(merchant.context, payout({ amount: "1000" }), withoutIdempotency());
  expect(await outcomeOf({ amount: "1" })).toBe("payout_limit_exceeded");
  await cancelPayoutIntent(merchant.context, { id: intent.id, reason: null }, withoutIdempotency());
  expect(await outcomeOf({ amount: "1000" })).toBe("created");
  expect(await outcomeOf({ amount: "1000" })).toBe("payout_limit_exceeded");
  await advanceSandboxClock(merchant.context, 24 * 3_600, withoutIdempotency());
  expect(await outcomeOf({ amount: "1000" })).toBe("created");
});

it("a key that replaces another has the same limits", async () => {
  const maker = merchant.byMember();
  const old = await createApiKey(maker, "Limited");
  await limit({ apiKeyId: old.id }, { amountAtMost: "5000" });
  const rolled = await rollApiKey(maker, { id: old.id, graceSeconds: 0 });
  const byNew: CallContext = { ...merchant.context, actor: { type: "api_key", id: rolled.id } };
  expect(await outcomeOf({ amount: "5001" }, byNew)).toBe("payout_limit_exceeded");
});

it("setting limits is audited with what was and is, and only where it changes something", async () => {
  const member = merchant.byMember();
  for (let n = 0; n < 2; n += 1) await limit("merchant", { amountAtMost: "5000", dayAtMost: "9000" }, member);
  expect(await showPayoutLimits(merchant.scope)).toEqual([
    {
      subject: "merchant",
      currency: "BRL",
      limits: { amountAtMost: 5_000n, dayAtMost: 9_000n, recipientDayAtMost: null },
    },
  ]);
  await limit("merchant", {}, member);
  expect(await showPayoutLimits(merchant.scope)).toEqual([]);
  const entries = await query(
    `SELECT actor_id, object_id, before, after FROM audit_entry
     WHERE merchant_id = $1 AND action = 'payout_limits.set' ORDER BY id`,
    merchant.merchantId,
  );
  const none = { currency: "BRL", amount_at_most: null, day_at_most: null, recipient_day_at_most: null };
  const some = { ...none, amount_at_most: "5000", day_at_most: "9000" };
  const entry = { actor_id: member.actor.id, object_id: merchant.merchantId };
  expect(entries).toEqual([
    { ...entry, before: none, after: some },
    { ...entry, before: some, after: none },
  ]);
});

it.each<[string, () => LimitSubject, Partial<TypedLimits>, string]>([
  ["an amount of zero", () => "merchant", { amountAtMost: "0" }, "validation_failed"],
  ["a currency that is not enabled", () => "merchant", { currency: "USDT", amountAtMost: "1" }, "validation_failed"],
  [
    "recipients of a key",
    () => ({ apiKeyId: merchant.context.actor.id }),
    { recipientDayAtMost: "1" },
    "validation_failed",
  ],
  ["an unknown key", () => ({ apiKeyId: "key_unknown" }), { amountAtMost: "1" }, "not_found"],
])("limits are refused for %s", async (_what, subject, limits, code) => {
  await expect(limit(subject(), limits)).rejects.toMatchObject({ code });
  expect(await showPayoutLimits(merchant.scope)).toEqual([]);
});

describe("a recipient stays the same, however they are written", () => {
  const base = payout().recipient;
  beforeEach(() => limit("merchant", { recipientDayAtMost: "1500" }));

  it.each<[string, Partial<typeof base>]>([
    ["dots", { accountNumber: "0001.123.456789" }],
    ["a slash", { accountNumber: "0001/123456789" }],
    ["a separator after each digit", { accountNumber: "0.0.0.1.1.2.3.4.5.6.7.8.9" }],
    ["full-width digits", { accountNumber: "０００１１２３４５６７８９" }],
    ["a space in the bank's code", { bankCode: `${base.bankCode} ` }],
    ["a character in it that nobody sees", { bankCode: `${base.bankCode}\u200b` }],
    ["hyphens in it", { bankCode: base.bankCode.split("").join("-") }],
  ])("with %s", async (_how, changes) => {
    const first = { ...base, accountNumber: "0001-123456789" };
    expect(await outcomeOf({ amount: "1000", recipient: first })).toBe("created");
    expect(await outcomeOf({ amount: "1000", recipient: { ...first, ...changes } })).toBe("payout_limit_exceeded");
  });

  it("and after a rotation of secrets, once stored values were moved", async () => {
    expect(await outcomeOf({ amount: "1000" })).toBe("created");
    keyRing();
    vi.stubGlobal("sluiceKeyRing", createKeyRing([randomBytes(32), ...env().secrets]));
    expect((await reindexAccounts()).indexed).toBeGreaterThan(0);
    expect(await outcomeOf({ amount: "1000" })).toBe("payout_limit_exceeded");
    vi.unstubAllGlobals();
  });
});
