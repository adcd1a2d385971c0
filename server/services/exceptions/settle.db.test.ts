// Money leaves suspense by a person's decision, once, with its exception, and never to below zero.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { asMember } from "@/server/cli/acting-as";
import { query } from "@/server/db/client";
import { book } from "@/server/db/commit/commit";
import { bookedException } from "@/server/domain/exceptions";
import { toSuspense } from "@/server/domain/ledger";
import type { TopupOutcome } from "@/server/domain/outcome";
import type { Settlement } from "@/server/domain/suspense";
import { now } from "@/server/platform/clock";
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
import { applyUpdate } from "../callbacks/apply-update";
import { withoutIdempotency } from "../idempotency/completion";
import { getIntent } from "../intents/read";
import { namedOperator } from "../merchants/operator";
import { setTopupTerms } from "../merchants/topup-terms";
import { createPaymentIntent } from "../payments/create";
import { createPayoutIntent } from "../payouts/create";
import { confirmResolution } from "../resolutions/confirm";
import { proposeResolution } from "../resolutions/propose";
import { simulate } from "../sandbox/simulate";
import { createTopupIntent } from "../topups/create";
import { TOPUPS } from "../topups/kind";
import { resolveException } from "./decide";
import { listExceptions, listExceptionsAcrossMerchants } from "./list";
import { settleException } from "./settle";

const FINANCE = "finance@shop.example";
const HOLD = { overpayment: "hold", underpayment: "hold", latePayment: "hold", spreadBasisPoints: null, feeMode: null };

let merchant: TestMerchant;
beforeEach(async () => {
  merchant = await makeMerchant();
  const { merchantId } = merchant;
  await makeMember(merchantId, FINANCE, "finance");
});
afterEach(async () => {
  await requireInvariants();
});

/** The one open exception's id. */
async function opened(): Promise<string> {
  const { exceptions } = await listExceptionsAcrossMerchants({ merchantId: merchant.merchantId, openOnly: true });
  expect(exceptions).toHaveLength(1);
  return exceptions[0]?.id ?? "";
}

async function topup(...outcomes: string[]): Promise<string> {
  await setTopupTerms(merchant.scope, HOLD);
  const command = {
    destination: { amount: "100000", currency: "BRL" },
    source: { type: "provider_gateway", provider: null, currency: "USDT", network: null } as const,
    country: "BR",
    merchantReference: null,
  };
  const { intent } = await createTopupIntent(merchant.context, command, withoutIdempotency());
  for (const outcome of outcomes) await simulate(merchant.context, intent.id, outcome);
  return intent.id;
}

async function lateMoney(): Promise<string> {
  const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
  for (const outcome of ["expired", "succeeded"]) await simulate(merchant.context, intent.id, outcome);
  return opened();
}

/** Settles as the operator does in the name of a member. */
const settle = async (id: string, as: Settlement) =>
  settleException(await asMember(merchant.scope, FINANCE), id, as, "Agreed with the merchant.");

const balances = async () => {
  const rows = await query<{ kind: string; balance: string }>(
    `SELECT kind, balance::text FROM ledger_account WHERE merchant_id = $1 AND environment = 'test' AND currency = 'BRL'
     AND kind IN ('suspense', 'provider_clearing:sandbox', 'fees', 'fx_spread')`,
    merchant.merchantId,
  );
  return Object.fromEntries(rows.map(({ kind, balance }) => [kind, BigInt(balance)]));
};
const gained = async () => (await balanceOf(merchant))[0] - OPENING;

describe("money in suspense", () => {
  it("of a payment is credited whole, with audit entries of the decision and of the booking", async () => {
    const id = await lateMoney();
    const settled = await settle(id, "credit");
    expect(settled).toMatchObject({
      settledAs: "credit",
      resolution: "Agreed with the merchant.",
      resolvedBy: { type: "operator", id: FINANCE },
    });
    expect(await gained()).toBe(1050n);
    expect(await balances()).toEqual({ suspense: 0n, "provider_clearing:sandbox": -1050n, fees: 0n, fx_spread: 0n });
    const audit = await query<{ action: string; actor_id: string }>(
      "SELECT action, actor_id FROM audit_entry WHERE merchant_id = $1 ORDER BY id DESC LIMIT 2",
      merchant.merchantId,
    );
    expect(new Set(audit.map(({ action, actor_id }) => `${action} ${actor_id}`))).toEqual(
      new Set([`exception.resolve ${FINANCE}`, `suspense.credit ${FINANCE}`]),
    );
  });

  it("that was sent back leaves the books as if it had never come", async () => {
    await settle(await lateMoney(), "refund");
    expect(await gained()).toBe(0n);
    expect(await balances()).toEqual({ suspense: 0n, "provider_clearing:sandbox": 0n, fees: 0n, fx_spread: 0n });
  });

  it("of an overpaid top-up is credited on its terms, as credit_actual would have to the unit or one less", async () => {
    await topup("overpaid");
    expect(await gained()).toBe(100_000n);
    await settle(await opened(), "credit");
    expect([109_998n, 109_999n, 110_000n]).toContain(await gained());
    expect((await balances()).suspense).toBe(0n);
  });

  it("of an underpaid top-up is credited or sent back; the top-up stays failed", async () => {
    await topup("underpaid", "expired");
    await settle(await opened(), "credit");
    expect([49_998n, 49_999n, 50_000n]).toContain(await gained());
    await topup("underpaid", "expired");
    const before = await gained();
    await settle(await opened(), "refund");
    expect([await gained(), (await balances()).suspense]).toEqual([before, 0n]);
  });

  it("in a token that the merchant has no wallet for can only be sent back", async () => {
    const id = await topup();
    const news: TopupOutcome = {
      kind: "funds_seen",
      amount: 500n,
      confirmed: true,
      currency: "USDC",
      providerReference: "x",
    };
    const intent = await getIntent(TOPUPS, merchant.scope, id);
    await applyUpdate(merchant.context, { kind: "topup_intent", intent }, [news]);
    const exception = await opened();
    await expect(settle(exception, "credit")).rejects.toMatchObject({ code: "validation_failed" });
    expect(await settle(exception, "refund")).toMatchObject({ settledAs: "refund" });
  });
});

describe("money that is missing", () => {
  it.each([
    ["recover", { available: -100_400n, fees: 0n }],
    ["absorb", { available: 0n, fees: -100_400n }],
    ["restore", { available: 0n, fees: 0n }],
  ] as const)("is made good by %s", async (as, change) => {
    await topup("succeeded", "funds_dropped");
    const [available, before] = [await gained(), await balances()];
    expect(before.suspense).toBe(-100_400n);
    await settle(await opened(), as);
    const after = await balances();
    expect(after.suspense).toBe(0n);
    expect((await gained()) - available).toBe(change.available);
    expect((after.fees ?? 0n) - (before.fees ?? 0n)).toBe(change.fees);
  });

  it("is not recovered from a wallet that does not hold it; the exception stays open", async () => {
    await topup("succeeded", "funds_dropped");
    const [available] = await balanceOf(merchant);
    await createPayoutIntent(merchant.context, payout({ amount: String(available - 100n) }), withoutIdempotency());
    const id = await opened();
    await expect(settle(id, "recover")).rejects.toMatchObject({ code: "insufficient_balance" });
    expect(await opened()).toBe(id);
    expect((await balances()).suspense).toBe(-100_400n);
    await settle(id, "absorb");
  });
});

describe("a decision", () => {
  it("by twenty at once moves the money once, and the same again changes nothing", async () => {
    const id = await lateMoney();
    const all = await Promise.all(Array.from({ length: 20 }, () => settle(id, "credit")));
    expect(new Set(all.map(({ resolvedAt }) => resolvedAt?.getTime())).size).toBe(1);
    expect(await gained()).toBe(1050n);
    const entries = await countRows("audit_entry", merchant.merchantId);
    expect(await settle(id, "credit")).toEqual(all[0]);
    await expect(settle(id, "refund")).rejects.toMatchObject({ code: "validation_failed" });
    expect([await gained(), await countRows("audit_entry", merchant.merchantId)]).toEqual([1050n, entries]);
  });

  it("for and against, at once, ends in one of them", async () => {
    const id = await lateMoney();
    const all = await Promise.allSettled([
      settle(id, "credit"),
      settle(id, "refund"),
      settle(id, "credit"),
      settle(id, "refund"),
    ]);
    const ways = all.flatMap((one) => (one.status === "fulfilled" ? one.value.settledAs : []));
    expect(new Set(ways).size).toBe(1);
    expect(await gained()).toBe(ways[0] === "credit" ? 1050n : 0n);
  });

  it("is refused where it does not fit, to who may not, of what is not there; resolving without one as well", async () => {
    const id = await lateMoney();
    for (const as of ["recover", "absorb", "restore"] as const) {
      await expect(settle(id, as)).rejects.toMatchObject({ code: "validation_failed" });
    }
    await expect(settle(newId("exception"), "credit")).rejects.toMatchObject({ code: "not_found" });
    const other = await makeMerchant();
    const email = "foreign@shop.example";
    await makeMember(other.merchantId, email, "owner");
    const foreign = settleException(await asMember(other.scope, email), id, "credit", "Mine.");
    await expect(foreign).rejects.toMatchObject({ code: "not_found" });
    const byFinance = await asMember(merchant.scope, FINANCE);
    await expect(resolveException(byFinance, id, "Done.")).rejects.toMatchObject({
      code: "validation_failed",
      message: expect.stringContaining("settle") as string,
    });
    expect(await opened()).toBe(id);
    expect(await gained()).toBe(0n);
  });
});

it("what an earlier release booked of a payout with another sum is restored, never taken beside its hold", async () => {
  const { context } = merchant;
  const intent = await approvedPayout(merchant);
  const left = { intentId: intent.id, reference: "px-1", currency: "BRL", amount: -24_000n };
  const transaction = { ...toSuspense("amount_mismatch", left), provider: intent.provider };
  const exception = bookedException("amount_mismatch", transaction);
  await book(transaction, intent.id, now(), { context, action: "suspense.amount_mismatch", exception });
  const id = await opened();
  await expect(settle(id, "recover")).rejects.toMatchObject({ code: "validation_failed" });
  const finding = { outcome: "settled", amount: "24000", providerReference: null, evidence: "Letter." } as const;
  const proposed = await proposeResolution(await asMember(merchant.scope, FINANCE), intent.id, finding);
  await confirmResolution(proposed.id, namedOperator("Jan Novak"));
  await expect(settle(id, "recover")).rejects.toMatchObject({ code: "validation_failed" });
  await settle(id, "restore");
  expect(await balances()).toMatchObject({ suspense: 0n, "provider_clearing:sandbox": 24_000n });
  expect(await balanceOf(merchant)).toEqual([OPENING - 24_000n, 0n]);
});

describe("a member cannot decide that the operator pays", () => {
  const memberSettles = (id: string, as: Settlement) => settleException(merchant.byMember(), id, as, "Ours.");
  const allowed = async () =>
    (await listExceptions(merchant.scope, {}, null, 10)).rows.map((row) => [row.settlements, row.operatorSettlements]);

  it.each(["absorb", "restore"] as const)(
    "by %s of missing money; they may have it taken from the wallet",
    async (as) => {
      await topup("succeeded", "funds_dropped");
      const id = await opened();
      await expect(memberSettles(id, as)).rejects.toMatchObject({ code: "forbidden" });
      expect(await allowed()).toEqual([[["recover"], ["absorb", "restore"]]]);
      await memberSettles(id, "recover");
    },
  );

  it("by a credit of what the top-up's terms withheld; they may note its return", async () => {
    await topup("overpaid");
    const id = await opened();
    await expect(memberSettles(id, "credit")).rejects.toMatchObject({ code: "forbidden" });
    expect(await allowed()).toEqual([[["refund"], ["credit"]]]);
    await memberSettles(id, "refund");
  });

  it("a payment's late money is the merchant's own", async () => {
    const id = await lateMoney();
    expect(await allowed()).toEqual([[["credit", "refund"], []]]);
    await memberSettles(id, "credit");
  });
});
