// What members see of their merchant's exceptions, and that they decide as the command line does.
import { afterAll, beforeEach, expect, it } from "vitest";
import { disconnect, query } from "@/server/db/client";
import { openException } from "@/server/db/exceptions";
import { now } from "@/server/platform/clock";
import { newId } from "@/server/platform/ids";
import { makeMerchant, payment, type TestMerchant } from "@/server/testing/merchant";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { simulate } from "../sandbox/simulate";
import { resolveException, takeException } from "./decide";
import { countExceptions, type ExceptionView, getException, listExceptions } from "./list";
import { settleException } from "./settle";

let merchant: TestMerchant;
beforeEach(async () => {
  merchant = await makeMerchant();
});
afterAll(() => disconnect());

async function openStuck(count: number, { scope } = merchant): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const objectId = newId("paymentIntent");
    await openException({ scope, kind: "stuck", objectId, fact: `stuck:${objectId}`, detail: {} }, now());
  }
}

async function openLate(): Promise<ExceptionView> {
  const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
  for (const outcome of ["expired", "succeeded"]) await simulate(merchant.context, intent.id, outcome);
  const { rows } = await listExceptions(merchant.scope, { objectId: intent.id }, null, 5);
  if (!rows[0]) throw new Error("no exception was opened");
  return rows[0];
}

it("pages hold each of the scope's once, newest first, and none of another merchant or environment", async () => {
  await openStuck(5);
  await openStuck(2, await makeMerchant());
  await openStuck(2, { ...merchant, scope: { ...merchant.scope, environment: "live" } });
  const seen: ExceptionView[] = [];
  for (let hasMore = true; hasMore; ) {
    const page = await listExceptions(merchant.scope, { kind: "stuck", state: "open" }, seen.at(-1) ?? null, 2);
    seen.push(...page.rows);
    hasMore = page.hasMore;
  }
  const expected = await query<{ id: string }>(
    `SELECT id FROM exception WHERE merchant_id = $1 AND environment = 'test' ORDER BY opened_at DESC, id DESC`,
    merchant.merchantId,
  );
  expect(seen.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
  expect(seen).toHaveLength(5);
  expect(await countExceptions(merchant.scope, {})).toEqual({ open: 5, resolved: 0 });
  expect(await countExceptions(merchant.scope, { kind: "late_money" })).toEqual({ open: 0, resolved: 0 });
});

it("money in suspense is told with the decisions there are, until one is made; who made it is named", async () => {
  const late = await openLate();
  expect(late).toMatchObject({ money: { amount: 1050n, currency: "BRL" }, settlements: ["credit", "refund"] });
  const member = { ...merchant.byMember(), requestId: "req_1", address: "203.0.113.7" };
  const settled = await settleException(member, late.id, "refund", "Sent back by the bank.");
  const after = await getException(settled, merchant.scope);
  const named = { name: null, address: `${member.actor.id}@shop.example` };
  expect([after.settlements, after.names.get(member.actor.id)]).toEqual([[], named]);
  const [entry] = await query<{ request_id: string; address: string }>(
    "SELECT request_id, address FROM audit_entry WHERE merchant_id = $1 AND object_id = $2 AND action = 'exception.resolve'",
    merchant.merchantId,
    late.id,
  );
  expect(entry).toEqual({ request_id: "req_1", address: "203.0.113.7" });
});

it("an exception of another merchant or environment is not found, and no key decides on any", async () => {
  await openStuck(1);
  const { rows } = await listExceptions(merchant.scope, {}, null, 1);
  const id = rows[0]?.id ?? "";
  const stranger = (await makeMerchant()).byMember();
  const live = { ...merchant.byMember(), scope: { ...merchant.scope, environment: "live" as const } };
  for (const context of [stranger, live]) {
    await expect(takeException(context, id)).rejects.toMatchObject({ code: "not_found" });
    await expect(resolveException(context, id, "Seen.")).rejects.toMatchObject({ code: "not_found" });
    await expect(settleException(context, id, "credit", "Seen.")).rejects.toMatchObject({ code: "not_found" });
  }
  await expect(resolveException(merchant.context, id, "Seen.")).rejects.toMatchObject({ code: "forbidden" });
  expect(await countExceptions(merchant.scope, {})).toEqual({ open: 1, resolved: 0 });
});
