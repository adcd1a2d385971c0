// Exceptions: opened once per fact, closed by whoever may, final and audited from then on.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { asMember } from "@/server/cli/acting-as";
import { query } from "@/server/db/client";
import { openException, type StoredException } from "@/server/db/exceptions";
import { NOBODY, stuckException } from "@/server/domain/exceptions";
import { now } from "@/server/platform/clock";
import { newId } from "@/server/platform/ids";
import { approvedPayout, makeMember, makeMerchant, type TestMerchant } from "@/server/testing/merchant";
import { installScriptedProvider } from "@/server/testing/scripted-provider";
import { linkAuditEntries } from "../audit/link-entries";
import { verifyAuditChains } from "../audit/verify-chains";
import { workOnDueIntents } from "../due-intents";
import { followUp } from "../intents/follow-up";
import { getIntent } from "../intents/read";
import { operatorContext } from "../merchants/operator";
import { PAYOUTS } from "../payouts/kind";
import { fundWallet } from "../wallets";
import { resolveException, takeException } from "./decide";
import { listExceptionsAcrossMerchants } from "./list";
import { settleException } from "./settle";
import { openStuck, resolveEndedStuck } from "./stuck";

// The time these tests set is what the service takes for the database's.
vi.mock("@/server/platform/clock", async (original) => ({ ...(await original<object>()), now: () => new Date() }));

const AT = new Date("2026-11-21T09:00:00.000Z");
const FINANCE = "finance@shop.example";

let merchant: TestMerchant;
beforeEach(async () => {
  merchant = await makeMerchant();
});
afterEach(() => {
  vi.useRealTimers();
});

const open = async (merchantId: string | null = merchant.merchantId) =>
  (await listExceptionsAcrossMerchants({ merchantId, openOnly: true })).exceptions;
const member = (email: string, role: string, merchantId = merchant.merchantId) => makeMember(merchantId, email, role);

/** Resolves as the operator does in the name of a member. */
async function resolveAs(email: string, id: string, resolution: string): Promise<StoredException> {
  return resolveException(await asMember(merchant.scope, email), id, resolution);
}

async function opened(merchantId = merchant.merchantId): Promise<StoredException> {
  const objectId = newId("paymentIntent");
  const kind = merchantId === NOBODY ? "missing_internal" : "stuck";
  const detail = { why: "for the test" };
  await openException(
    { kind, objectId, fact: `${kind}:${objectId}`, detail, scope: { ...merchant.scope, merchantId } },
    AT,
  );
  const { exceptions } = await listExceptionsAcrossMerchants({ merchantId, openOnly: true });
  const exception = exceptions.find((one) => one.objectId === objectId);
  if (!exception) throw new Error("no exception was opened");
  return exception;
}

const auditOf = (id: string) =>
  query<{ action: string; actor_id: string; merchant_id: string; before: object; after: object }>(
    "SELECT action, actor_id, merchant_id, before, after FROM audit_entry WHERE object_id = $1 ORDER BY id",
    id,
  );

it("a fact opens one exception, however many hear of it at once, and none again after its resolution", async () => {
  const fact = { kind: "stuck", objectId: "dord_x", fact: "stuck:dord_x", detail: {}, scope: merchant.scope } as const;
  const results = await Promise.all(Array.from({ length: 30 }, () => openException(fact, AT)));
  expect(results.filter(Boolean)).toHaveLength(1);
  await member(FINANCE, "finance");
  const [exception] = await open();
  await resolveAs(FINANCE, exception?.id ?? "", "Seen.");
  expect(await openException(fact, AT)).toBe(false);
  expect(await openException({ ...fact, scope: { ...merchant.scope, environment: "live" } }, AT)).toBe(true);
});

describe("resolving", () => {
  it("by the operator as a member who may is final, audited as the operator's, and makes the member the owner", async () => {
    const [id, exception] = [await member(FINANCE, "finance"), await opened()];
    const resolved = await resolveAs(" Finance@shop.example", exception.id, " Refunded. ");
    expect(resolved).toMatchObject({
      resolution: "Refunded.",
      ownerId: id,
      resolvedBy: { type: "operator", id: FINANCE },
    });
    expect(await auditOf(exception.id)).toEqual([
      {
        action: "exception.resolve",
        actor_id: FINANCE,
        merchant_id: merchant.merchantId,
        before: { kind: "stuck", object_id: exception.objectId, owner_id: null },
        after: { resolution: "Refunded." },
      },
    ]);
    await expect(resolveAs(FINANCE, exception.id, "Again.")).rejects.toMatchObject({
      code: "validation_failed",
    });
    expect(await open()).toEqual([]);
  });

  it("by ten at once leaves one resolution and one audit entry", async () => {
    await member(FINANCE, "owner");
    const { id } = await opened();
    const all = await Promise.allSettled(Array.from({ length: 10 }, (_, n) => resolveAs(FINANCE, id, `Number ${n}.`)));
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await auditOf(id)).toHaveLength(1);
  });

  it("keeps the owner who took it on, and taking is audited", async () => {
    const [owner] = [await member("owner@shop.example", "owner"), await member(FINANCE, "finance")];
    const { id } = await opened();
    const byOwner = await asMember(merchant.scope, "owner@shop.example");
    expect(await takeException(byOwner, id)).toMatchObject({ ownerId: owner });
    expect(await resolveAs(FINANCE, id, "Done.")).toMatchObject({ ownerId: owner });
    expect((await auditOf(id)).map(({ action }) => action)).toEqual(["exception.take", "exception.resolve"]);
  });

  it("is refused to a member of another merchant, to a role that may not, without a word, and of what is not there", async () => {
    const other = await makeMerchant();
    await member("foreign@shop.example", "owner", other.merchantId);
    await member("approver@shop.example", "approver");
    await member(FINANCE, "finance");
    const { id: exceptionId } = await opened();
    const refusal = async (email: string, resolution = "Done.", id = exceptionId) =>
      resolveAs(email, id, resolution).then(
        () => "done",
        (error: { code: string }) => error.code,
      );
    expect(await refusal("foreign@shop.example")).toBe("not_found");
    expect(await refusal("approver@shop.example")).toBe("forbidden");
    for (const text of ["", "  ", "x".repeat(513), "\ud800", "a\0"])
      expect(await refusal(FINANCE, text)).toBe("validation_failed");
    for (const id of ["exc_x", newId("exception"), "'; --"])
      expect(await refusal(FINANCE, "Done.", id)).toBe("not_found");
    expect(await open()).toHaveLength(1);
    expect(await refusal(FINANCE, "é".repeat(512))).toBe("done");
  });

  it("of a merchant's exception is no operator's who names no member", async () => {
    const { id } = await opened();
    const operator = operatorContext(merchant.merchantId, "test");
    const refusal = { code: "validation_failed", message: expect.stringMatching(/^as must name a member/) as string };
    await expect(takeException(operator, id)).rejects.toMatchObject(refusal);
    await expect(resolveException(operator, id, "Done.")).rejects.toMatchObject(refusal);
    await expect(settleException(operator, id, "credit", "Done.")).rejects.toMatchObject(refusal);
    expect(await open()).toHaveLength(1);
  });

  it("of what is nobody's is the operator's, and no member's", async () => {
    const exception = await opened(NOBODY);
    expect(exception.merchantId).toBeNull();
    await member(FINANCE, "finance");
    const operator = operatorContext(NOBODY, exception.environment);
    await expect(resolveAs(FINANCE, exception.id, "Done.")).rejects.toMatchObject({ code: "not_found" });
    await expect(takeException(operator, exception.id)).rejects.toMatchObject({ code: "validation_failed" });
    const resolved = await resolveException(operator, exception.id, "Not ours.");
    expect(resolved).toMatchObject({ merchantId: null, ownerId: null, resolvedBy: { type: "operator", id: "cli" } });
    expect(await auditOf(exception.id)).toMatchObject([{ merchant_id: NOBODY, action: "exception.resolve" }]);
    await linkAuditEntries();
    const reports = await verifyAuditChains(null, new Map());
    const own = reports.filter(({ merchantId }) => merchantId === NOBODY);
    expect(own).toMatchObject([{ waiting: 0, unlinked: 0, broken: null, end: { sequence: 1n } }]);
  });
});

it("lists one merchant's or everyone's, open or all, the oldest first", async () => {
  await member(FINANCE, "finance");
  const [first, second] = [await opened(), await opened()];
  const other = await makeMerchant();
  await opened(other.merchantId);
  await resolveAs(FINANCE, first.id, "Done.");
  expect((await open()).map(({ id }) => id)).toEqual([second.id]);
  const all = await listExceptionsAcrossMerchants({ merchantId: merchant.merchantId, openOnly: false });
  expect(all.exceptions.map(({ id }) => id)).toEqual([first.id, second.id]);
  expect(all.hasMore).toBe(false);
  const everyone = await open(null);
  expect(new Set(everyone.map(({ merchantId }) => merchantId)).size).toBeGreaterThan(1);
});

describe("an intent that does not end", () => {
  const HOUR = 60 * 60_000;

  async function live() {
    const provider = installScriptedProvider();
    const scope = { ...merchant.scope, environment: "live" as const };
    const byMember = () => ({ ...merchant.byMember(), scope });
    const inLive = { ...merchant, scope, context: { ...merchant.context, scope }, byMember };
    await fundWallet(inLive.context, { currency: "BRL", amount: 1_000_000n });
    const intent = await approvedPayout(inLive);
    const look = async (afterMs: number) => {
      vi.setSystemTime(Date.now() + afterMs);
      await followUp(PAYOUTS, await getIntent(PAYOUTS, scope, intent.id), now);
    };
    return { provider, intent, look };
  }

  it("opens one exception after a day of silence, and it closes by itself once the intent has ended", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { provider, intent, look } = await live();
    provider.answer = { kind: "unknown", detail: "time-out" };
    for (const hours of [0, 1, 12]) await look(hours * HOUR);
    expect(await open()).toEqual([]);
    for (const hours of [12, 1, 1]) await look(hours * HOUR);
    expect(await open()).toMatchObject([
      { kind: "stuck", objectId: intent.id, detail: { why: expect.any(String) as string } },
    ]);
    expect(await resolveEndedStuck()).toBe(0);
    provider.answer = { kind: "settled", amount: 25_000n, currency: "BRL", providerReference: "px-1" };
    await look(HOUR);
    expect(await Promise.all([resolveEndedStuck(), resolveEndedStuck()])).toContain(1);
    expect(await open()).toEqual([]);
    const { exceptions } = await listExceptionsAcrossMerchants({ merchantId: merchant.merchantId, openOnly: false });
    expect(exceptions).toMatchObject([{ resolution: "It has ended: succeeded.", resolvedBy: { type: "worker" } }]);
  });

  it("opens again a day after a person has resolved it, while it still stands", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { provider, intent, look } = await live();
    await member(FINANCE, "finance");
    provider.answer = { kind: "unknown", detail: "time-out" };
    await look(0);
    await look(25 * HOUR);
    const [first] = await open();
    await resolveException(await asMember(intent, FINANCE), first?.id ?? "", "Asked the provider.");
    await look(23 * HOUR);
    expect(await open()).toEqual([]);
    await Promise.all([look(HOUR), look(0)]);
    const again = await open();
    expect(again).toMatchObject([{ kind: "stuck", objectId: first?.objectId }]);
    expect(again[0]?.id).not.toBe(first?.id);
    await look(48 * HOUR);
    expect(await open()).toEqual(again);
  });

  it("an exception of another reason is opened beside it, and one of an older release counts for every reason", async () => {
    const { intent } = await live();
    for (const reason of ["standstill", "impassable", "standstill"] as const)
      await openStuck(intent, stuckException(intent.id, reason, reason), AT);
    expect((await open()).map(({ detail }) => detail.why)).toEqual(["standstill", "impassable"]);
    const older = { ...intent, id: newId("payoutIntent") };
    const { merchantId, environment } = older;
    const fact = { ...stuckException(older.id, "standstill", "older"), fact: `stuck:${older.id}` };
    await openException({ ...fact, scope: { merchantId, environment } }, AT);
    expect(await openStuck(older, stuckException(older.id, "forgotten", "newer"), AT)).toBe(false);
  });

  it("opens one when its provider may have forgotten it", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { provider, look } = await live();
    provider.answer = { kind: "unknown", detail: "time-out" };
    await look(0);
    provider.answer = { kind: "never_accepted", detail: "unknown reference" };
    for (const hours of [23.5, 0.1]) await look(hours * HOUR);
    expect(await open()).toMatchObject([
      { kind: "stuck", detail: { why: expect.stringContaining("forgotten") as string } },
    ]);
  });

  it("opens one too when it cannot even be looked at", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 25 * HOUR });
    const { intent } = await live();
    Object.assign(globalThis, { sluiceProviders: [] });
    expect(await workOnDueIntents("payout_intent", 50, 1_000)).toBeGreaterThan(0);
    expect(await open()).toMatchObject([{ kind: "stuck", objectId: intent.id }]);
  });
});
