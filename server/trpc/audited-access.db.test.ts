// What is audited of members who read or try things: denied acts and exports.
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { sealToken, sessionSecret } from "@/server/auth/session-token";
import { disconnect, query } from "@/server/db/client";
import type { CallContext } from "@/server/domain/scope";
import { declareFront } from "@/server/http/client-address";
import { withoutIdempotency } from "@/server/services/idempotency/completion";
import { createPayoutIntent } from "@/server/services/payouts/create";
import { enterAs } from "@/server/services/sign-in/testing/sessions";
import { makeMerchant, payout, type TestMerchant } from "@/server/testing/merchant";
import { exportAnswer } from "./export/answer";
import { createCaller } from "./router";

const inEnglish = () => Promise.resolve("en" as const);

let merchant: TestMerchant;
let person: CallContext;
beforeAll(declareFront);
beforeEach(async () => {
  merchant = await makeMerchant();
  person = merchant.byMember();
});
afterAll(disconnect);

function entries(action: string) {
  return query<{ after: Record<string, unknown>; address: string | null; object_id: string; actor_id: string }>(
    `SELECT after, address, object_id, actor_id FROM audit_entry
     WHERE merchant_id = $1 AND action = $2 ORDER BY id`,
    merchant.merchantId,
    action,
  );
}

async function exportAsMember(kind: string, filters: string): Promise<Response> {
  const { merchantId } = merchant;
  const sid = await enterAs({ id: person.actor.id, merchantId }, "192.0.2.1");
  const token = await sealToken({ token: { sub: person.actor.id, merchantId, sid }, secret: sessionSecret() });
  const request = new Request(`http://localhost/api/export/test/${kind}${filters}`, {
    headers: { cookie: `sluice.session=${token}`, "x-forwarded-for": "192.0.2.1" },
  });
  return exportAnswer(request, "test", kind);
}

it("denied acts of a member are audited, one per act and minute", async () => {
  const { merchantId } = merchant;
  const { id } = person.actor;
  const member = {
    id,
    email: "a@shop.example",
    roles: ["finance"],
    testRoles: null,
    name: null,
    merchantId,
    merchantName: "M",
  };
  const session = { merchantId, sessionId: `ses_${id}`, member, mustEnrol: false };
  const dashboard = createCaller({ session, requestId: "req_denied", address: "192.0.2.1", language: inEnglish });
  const environment = "test" as const;
  for (let n = 0; n < 20; n += 1) {
    await expect(dashboard.apiKeys.create({ environment, name: "mine" })).rejects.toMatchObject({ code: "FORBIDDEN" });
    await expect(dashboard.members.list({ environment })).rejects.toMatchObject({ code: "FORBIDDEN" });
  }
  const entry = { address: "192.0.2.1", object_id: id, actor_id: id };
  expect(await entries("member.act_denied")).toEqual([
    { ...entry, after: { act: "apiKeys.create", times: 1 } },
    { ...entry, after: { act: "members.list", times: 1 } },
  ]);
});

it("an export is audited with its kind and filters before the first row, and with its rows at the end", async () => {
  for (let n = 0; n < 3; n += 1) await createPayoutIntent(merchant.context, payout(), withoutIdempotency());
  const answer = await exportAsMember("payouts", "?currency=BRL");
  expect(answer.status).toBe(200);
  const { id } = person.actor;
  const entry = { object_id: id, actor_id: id };
  expect(await entries("export.begin")).toMatchObject([
    { ...entry, address: "192.0.2.1", after: { kind: "payouts", filters: { currency: "BRL" } } },
  ]);
  expect((await answer.text()).trim().split("\r\n")).toHaveLength(4);
  expect(await entries("export.end")).toMatchObject([
    { ...entry, after: { kind: "payouts", rows: 3, complete: true } },
  ]);
});

it("an export that its reader leaves is audited with the rows sent", async () => {
  await createPayoutIntent(merchant.context, payout(), withoutIdempotency());
  const answer = await exportAsMember("payouts", "");
  await answer.body?.cancel();
  expect(await entries("export.end")).toMatchObject([{ after: { kind: "payouts", complete: false } }]);
});

it("a denied export is audited", async () => {
  await query(
    "UPDATE member SET roles = '{developer}' WHERE merchant_id = $1 AND id = $2",
    merchant.merchantId,
    person.actor.id,
  );
  expect((await exportAsMember("payouts", "")).status).toBe(403);
  expect(await entries("member.act_denied")).toMatchObject([{ after: { act: "export.payouts", times: 1 } }]);
});

it("the audit log is exported with its filters, to those who may see it", async () => {
  await exportAsMember("payouts", "");
  const lines = (await (await exportAsMember("audit", `?group=exports&actor_id=${person.actor.id}`)).text()).split(
    "\r\n",
  );
  expect(lines[0]).toBe(
    "id,at,environment,action,object_id,actor_type,actor_id,actor_name,reason,before,after,request_id,address",
  );
  expect(lines[1]).toContain(",export.begin,");
  expect((await exportAsMember("audit", "?group=everything")).status).toBe(400);
  await query(
    "UPDATE member SET roles = '{approver}' WHERE merchant_id = $1 AND id = $2",
    merchant.merchantId,
    person.actor.id,
  );
  expect((await exportAsMember("audit", "")).status).toBe(403);
});
