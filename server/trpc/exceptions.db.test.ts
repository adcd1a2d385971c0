// Deciding on several exceptions: each by itself, with an audit entry of its own and a result that says what failed.
import { afterAll, beforeEach, expect, it } from "vitest";
import { disconnect, query } from "@/server/db/client";
import { openException } from "@/server/db/exceptions";
import { stuckException } from "@/server/domain/exceptions";
import { newId } from "@/server/platform/ids";
import { withoutIdempotency } from "@/server/services/idempotency/completion";
import { createPaymentIntent } from "@/server/services/payments/create";
import { simulate } from "@/server/services/sandbox/simulate";
import { makeMember, makeMerchant, payment, type TestMerchant } from "@/server/testing/merchant";
import { createCaller } from "./router";

let merchant: TestMerchant;
let memberId: string;
let exceptions: ReturnType<typeof createCaller>["exceptions"];
beforeEach(async () => {
  merchant = await makeMerchant();
  memberId = await makeMember(merchant.merchantId, `${merchant.merchantId}@shop.example`, "finance");
  const member = { id: memberId, email: "a@shop.example", roles: ["finance"], testRoles: null, name: null };
  const merchantOf = { merchantId: merchant.merchantId, merchantName: "M" };
  const session = {
    ...merchantOf,
    sessionId: newId("session"),
    member: { ...member, ...merchantOf },
    mustEnrol: false,
  };
  exceptions = createCaller({ session, requestId: newId("request"), address: null }).exceptions;
});
afterAll(disconnect);

const openIds = async (scope = merchant.scope) => {
  const rows = await query<{ id: string }>(
    "SELECT id FROM exception WHERE merchant_id = $1 ORDER BY id",
    scope.merchantId,
  );
  return rows.map(({ id }) => id);
};

/** Opens an exception without money in suspense; returns its id. */
async function opened(scope = merchant.scope): Promise<string> {
  const before = await openIds(scope);
  await openException(
    { ...stuckException(newId("paymentIntent"), "standstill", "A test says so."), scope },
    new Date(),
  );
  return (await openIds(scope)).find((id) => !before.includes(id)) ?? "";
}

/** A payment paid after its end: its money is in suspense; returns its exception. */
async function suspended(): Promise<string> {
  const before = await openIds();
  const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
  for (const outcome of ["expired", "succeeded"] as const) await simulate(merchant.context, intent.id, outcome);
  return (await openIds()).find((id) => !before.includes(id)) ?? "";
}

const audited = async (action: string) => {
  const rows = await query<{ object_id: string }>(
    "SELECT object_id FROM audit_entry WHERE merchant_id = $1 AND actor_id = $2 AND action = $3",
    merchant.merchantId,
    memberId,
    action,
  );
  return rows.map(({ object_id: id }) => id).sort();
};

it("a mixed result names what failed and why; every decided exception has an audit entry of its own", async () => {
  const [one, two, money] = [await opened(), await opened(), await suspended()];
  const theirs = await opened((await makeMerchant()).scope);
  await exceptions.resolve({ environment: "test", id: two, resolution: "Before." });
  const ids = [one, two, money, theirs, one];
  const results = await exceptions.resolveMany({ environment: "test", ids, resolution: "Corrected." });
  expect(results).toEqual([
    { id: one, done: true, message: null },
    { id: two, done: false, message: "This exception is already resolved" },
    { id: money, done: false, message: "This exception's money is in suspense; settle it instead" },
    { id: theirs, done: false, message: "There is no such exception." },
  ]);
  expect(await audited("exception.resolve")).toEqual([one, two].sort());
});

it("assigns each to the caller, also those with money in suspense", async () => {
  const ids = [await opened(), await suspended()];
  expect(await exceptions.takeMany({ environment: "test", ids })).toEqual(
    ids.map((id) => ({ id, done: true, message: null })),
  );
  expect(await audited("exception.take")).toEqual([...ids].sort());
  const { data } = await exceptions.list({ environment: "test" });
  expect(data.map(({ owner }) => owner?.id)).toEqual([memberId, memberId]);
});

it("of two who resolve the same at once, each exception is resolved once", async () => {
  const ids = await Promise.all([1, 2, 3].map(() => opened())).then(() => openIds());
  const input = { environment: "test" as const, ids };
  const both = await Promise.all(
    ["Mine.", "Yours."].map((resolution) => exceptions.resolveMany({ ...input, resolution })),
  );
  for (const id of ids) expect(both.flat().filter((result) => result.id === id && result.done)).toHaveLength(1);
  expect(await audited("exception.resolve")).toEqual([...ids].sort());
});

it("at most 50 at once", async () => {
  const ids = Array.from({ length: 51 }, () => newId("exception"));
  await expect(exceptions.takeMany({ environment: "test", ids })).rejects.toMatchObject({ code: "BAD_REQUEST" });
});
