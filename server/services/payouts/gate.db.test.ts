// The approval gate under races: one winner, one event, approval only by another person.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { query } from "@/server/db/client";
import { Forbidden, ServiceError } from "@/server/domain/errors";
import type { PayoutIntent } from "@/server/domain/payout-intent";
import { countRows, requireInvariants } from "@/server/testing/invariants";
import { balanceOf, makeMerchant, OPENING, payout, type TestMerchant } from "@/server/testing/merchant";
import { withoutIdempotency } from "../idempotency/completion";
import { getIntent } from "../intents/read";
import { approvePayoutIntent } from "./approve";
import { cancelPayoutIntent } from "./cancel";
import { createPayoutIntent } from "./create";
import { PAYOUTS } from "./kind";

const ROUNDS = 50;

let merchant: TestMerchant;
beforeEach(async () => {
  merchant = await makeMerchant();
});
afterEach(requireInvariants);

async function create(context = merchant.context): Promise<PayoutIntent> {
  return (await createPayoutIntent(context, payout(), withoutIdempotency())).intent;
}
const cancel = (id: string, reason: string | null = "why") =>
  cancelPayoutIntent(merchant.context, { id, reason }, withoutIdempotency());
const approve = (id: string) => approvePayoutIntent(merchant.byMember(), { id });

/** Returns the indexes of the winners; all others must have been rejected for the status. */
async function winners(attempts: readonly Promise<unknown>[]): Promise<number[]> {
  const results = await Promise.allSettled(attempts);
  return results.flatMap((result, n) => {
    if (result.status === "fulfilled") return [n];
    if (result.reason instanceof ServiceError && result.reason.code === "approval_required") return [];
    throw result.reason;
  });
}

describe("a race", () => {
  it("of four cancellations has one winner and leaves one event, each of 50 times", async () => {
    const intents = await Promise.all(Array.from({ length: ROUNDS }, () => create()));
    const rounds = await Promise.all(intents.map(({ id }) => winners([1, 2, 3, 4].map((n) => cancel(id, `by ${n}`)))));
    for (const [n, won] of rounds.entries()) {
      expect(won).toHaveLength(1);
      const ended = await getIntent(PAYOUTS, merchant.scope, intents[n]?.id ?? "");
      expect(ended).toMatchObject({
        status: "cancelled",
        failure: { message: `by ${(won[0] ?? 0) + 1}` },
        revision: 1,
      });
    }
    expect(await countRows("event", merchant.merchantId)).toBe(ROUNDS);
    expect(await balanceOf(merchant)).toEqual([OPENING, 0n]);
  });
});

describe("approval", () => {
  it("by an API key, the worker or an operator is rejected", async () => {
    const { id } = await create();
    for (const type of ["api_key", "worker", "operator", "provider", "payer"] as const) {
      const context = { ...merchant.context, actor: { type, id: "x" } };
      await expect(approvePayoutIntent(context, { id })).rejects.toMatchObject({ code: "approval_required" });
    }
    expect((await getIntent(PAYOUTS, merchant.scope, id)).status).toBe("requires_approval");
  });

  it("by the payout's maker is rejected, by another member accepted", async () => {
    const maker = merchant.byMember();
    const { id } = await create(maker);
    await expect(approvePayoutIntent(maker, { id })).rejects.toMatchObject({ code: "approval_required" });
    expect((await approve(id)).status).toBe("processing");
  });

  it("in another merchant or environment finds nothing", async () => {
    const { id } = await create();
    const other = await makeMerchant();
    const live = { ...merchant.byMember(), scope: { ...merchant.scope, environment: "live" as const } };
    await expect(approvePayoutIntent(other.byMember(), { id })).rejects.toMatchObject({ code: "not_found" });
    await expect(approvePayoutIntent(live, { id })).rejects.toMatchObject({ code: "not_found" });
  });

  it("is recorded with the approver and the digest of the shown payout, which differs by payout", async () => {
    const [first, second] = [await create(), await create()];
    const member = merchant.byMember();
    await approvePayoutIntent(member, { id: first.id });
    await approvePayoutIntent(member, { id: second.id });
    const rows = await query<{ member_id: string; digest: string }>(
      "SELECT member_id, digest FROM approval WHERE merchant_id = $1",
      merchant.merchantId,
    );
    expect(rows.map(({ member_id }) => member_id)).toEqual([member.actor.id, member.actor.id]);
    expect(new Set(rows.map(({ digest }) => digest)).size).toBe(2);
  });
});

describe("cancellation", () => {
  it("stores the reason in the payout, its event and its audit entry, or null", async () => {
    for (const reason of ["Duplicate \u{1F48E}", null]) {
      const { id } = await create();
      const { intent, completion } = await cancel(id, reason);
      expect([completion, intent.failure]).toEqual(["accepted", { code: "cancelled", message: reason }]);
      const [told] = await query(
        `SELECT v.failure_message, a.reason, a.actor_type FROM event v JOIN audit_entry a
         ON a.merchant_id = v.merchant_id AND a.object_id = v.intent_id AND a.action = 'payout_intent.cancel'
         WHERE v.intent_id = $1`,
        id,
      );
      expect(told).toEqual({ failure_message: reason, reason, actor_type: "api_key" });
    }
  });

  it("by a member requires the role at the time of the cancellation", async () => {
    const { id } = await create();
    const member = merchant.byMember();
    const attempt = () => cancelPayoutIntent(member, { id, reason: null }, withoutIdempotency());
    for (const state of ["roles = ARRAY['finance','developer']", "roles = ARRAY['owner'], disabled_at = now()"]) {
      await query(`UPDATE member SET ${state} WHERE id = $1`, member.actor.id);
      await expect(attempt()).rejects.toThrow(Forbidden);
    }
    await query("UPDATE member SET roles = ARRAY['approver'], disabled_at = NULL WHERE id = $1", member.actor.id);
    expect((await attempt()).intent.status).toBe("cancelled");
  });

  it.each(["cancelled", "processing"])(
    "of a payout that is %s changes nothing and names the status",
    async (status) => {
      const { id } = await create();
      await (status === "cancelled" ? cancel(id) : approve(id));
      const before = await getIntent(PAYOUTS, merchant.scope, id);
      await expect(cancel(id)).rejects.toMatchObject({
        code: "approval_required",
        message: expect.stringContaining(` ${status};`),
      });
      expect(await getIntent(PAYOUTS, merchant.scope, id)).toEqual(before);
    },
  );

  it("of another merchant's or environment's payout finds nothing", async () => {
    const { id } = await create();
    const other = await makeMerchant();
    const live = { ...merchant.context, scope: { ...merchant.scope, environment: "live" as const } };
    for (const context of [other.context, live]) {
      await expect(cancelPayoutIntent(context, { id, reason: null }, withoutIdempotency())).rejects.toMatchObject({
        code: "not_found",
      });
    }
    expect((await getIntent(PAYOUTS, merchant.scope, id)).status).toBe("requires_approval");
  });
});
