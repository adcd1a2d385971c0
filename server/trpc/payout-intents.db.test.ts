// Tests what the dashboard shows a member about payouts: the queue, the obstacles, the counts, changes.
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { disconnect } from "@/server/db/client";
import type { CallContext } from "@/server/domain/scope";
import { newId } from "@/server/platform/ids";
import { withoutIdempotency } from "@/server/services/idempotency/completion";
import { cancelPayoutIntent } from "@/server/services/payouts/cancel";
import { createPayoutIntent } from "@/server/services/payouts/create";
import { makeMerchant, payout, type TestMerchant } from "@/server/testing/merchant";
import { createCaller } from "./router";

const inEnglish = () => Promise.resolve("en" as const);

let merchant: TestMerchant;
beforeAll(async () => {
  merchant = await makeMerchant();
});
afterAll(() => disconnect());

/** The dashboard's procedures, called as the member of the context. */
function dashboardOf({ scope, actor }: CallContext) {
  const { merchantId } = scope;
  const member = {
    id: actor.id,
    email: "a@shop.example",
    roles: ["owner"],
    testRoles: null,
    name: null,
    merchantId,
    merchantName: "M",
  };
  const session = { merchantId, sessionId: newId("session"), member, mustEnrol: false };
  return createCaller({ session, requestId: newId("request"), address: null, language: inEnglish }).payoutIntents;
}

const TEST = { environment: "test" } as const;
const create = async (context: CallContext) =>
  (await createPayoutIntent(context, payout(), withoutIdempotency())).intent;

describe("the queue of a member", () => {
  it("contains payouts that await them, but neither their own nor decided ones", async () => {
    const [maker, other] = [merchant.byMember(), merchant.byMember()];
    const [made, given, ended] = [await create(maker), await create(merchant.context), await create(merchant.context)];
    await cancelPayoutIntent(other, { id: ended.id, reason: null }, withoutIdempotency());
    const idsFor = async (context: CallContext) => {
      const { data } = await dashboardOf(context).list({ ...TEST, waiting_for_me: true });
      return data.map(({ id }) => id);
    };
    expect(await idsFor(maker)).toEqual([given.id]);
    expect(new Set(await idsFor(other))).toEqual(new Set([given.id, made.id]));
    expect(await dashboardOf(maker).waiting(TEST)).toEqual({ waiting: 1, cap: 1_000 });
    expect(await dashboardOf(other).waiting(TEST)).toEqual({ waiting: 2, cap: 1_000 });
  });
});

describe("a payout", () => {
  it("shows its maker why they cannot approve it, and the procedure rejects them", async () => {
    const maker = merchant.byMember();
    const { id } = await create(maker);
    const dashboard = dashboardOf(maker);
    const { payout: shown } = await dashboard.get({ ...TEST, id });
    expect(shown).toMatchObject({
      obstacle: "made_by_you",
      made_by: { type: "member", address: `${maker.actor.id}@shop.example` },
    });
    const approval = dashboard.approve({ ...TEST, id, digest: shown.digest });
    await expect(approval).rejects.toMatchObject({ code: "UNPROCESSABLE_CONTENT" });
    const [result] = await dashboard.approveMany({ ...TEST, payouts: [{ id, digest: shown.digest }] });
    expect(result).toMatchObject({ id, approved: false, reason: "approval_required" });
  });

  it("is not approved if it differs from what was shown", async () => {
    const { id } = await create(merchant.context);
    const approval = dashboardOf(merchant.byMember()).approve({ ...TEST, id, digest: "0".repeat(64) });
    await expect(approval).rejects.toMatchObject({
      message: expect.stringContaining("has changed since it was shown"),
    });
  });

  it("has a history: who did what, in order, and what was booked", async () => {
    const { id } = await create(merchant.context);
    const member = merchant.byMember();
    await dashboardOf(member).cancel({ ...TEST, id, reason: "Twice" });
    const { history } = await dashboardOf(member).get({ ...TEST, id });
    expect(history.audit.map(({ action, actor, reason }) => [action, actor.id, reason])).toEqual([
      ["payout_intent.create", merchant.context.actor.id, null],
      ["payout_intent.cancel", member.actor.id, "Twice"],
    ]);
    expect(history.event).toMatchObject({ type: "payout_intent.cancelled", failure_message: "Twice" });
    expect(history.entries.map(({ reason, account, amount }) => [reason, account, amount])).toEqual([
      ["payout_hold", "available", "-25000"],
      ["payout_hold", "held", "25000"],
      ["payout_release", "held", "-25000"],
      ["payout_release", "available", "25000"],
    ]);
  });
});

it("a watched list counts per status and newer rows, and returns the shown rows as they are now", async () => {
  const own = await makeMerchant();
  const dashboard = dashboardOf(own.byMember());
  const [first, second] = [await create(own.context), await create(own.context)];
  const { data } = await dashboard.list(TEST);
  const [newest] = data;
  // Within one millisecond the order is that of the ids, which is random.
  await vi.waitUntil(() => Date.now() > second.createdAt.getTime(), { timeout: 20_000, interval: 1 });
  const third = await create(own.context);
  await cancelPayoutIntent(own.byMember(), { id: first.id, reason: null }, withoutIdempotency());
  const shown = {
    newest: newest ? { id: newest.id, created_at: newest.created_at } : null,
    ids: data.map(({ id }) => id),
  };
  const watched = await dashboard.watch({ ...TEST, shown });
  expect(watched.counts).toEqual({ requires_approval: 2, processing: 0, succeeded: 0, failed: 0, cancelled: 1 });
  expect(watched.newer).toBe(1);
  const states = new Map(watched.intents.map(({ id, status }) => [id, status]));
  expect(states).toEqual(
    new Map([
      [first.id, "cancelled"],
      [second.id, "requires_approval"],
    ]),
  );
  const filtered = await dashboard.watch({ ...TEST, status: ["cancelled"], shown: { newest: null, ids: [third.id] } });
  expect([filtered.newer, filtered.counts?.requires_approval]).toEqual([1, 2]);
});
