// Tests that only the right people decide on payouts, and that an address and a payout identify the member.
import { afterAll, beforeAll, expect, it } from "vitest";
import { disconnect, query } from "@/server/db/client";
import type { Actor } from "@/server/domain/scope";
import { createApiKey } from "@/server/services/api-keys/create";
import { withoutIdempotency } from "@/server/services/idempotency/completion";
import { createMerchant } from "@/server/services/merchants/create";
import { operatorContext } from "@/server/services/merchants/operator";
import { createPayoutIntent } from "@/server/services/payouts/create";
import { makeMember, payout } from "@/server/testing/merchant";
import { runCommand } from "./testing/run-command";

const APPROVER = "approver@shop.example";

let merchantId: string;
let otherMerchantId: string;
let keyId: string;

async function createPayout(actor: Actor = { type: "api_key", id: keyId }): Promise<string> {
  const context = { scope: { merchantId, environment: "test" }, actor, requestId: null, address: null } as const;
  return (await createPayoutIntent(context, payout(), withoutIdempotency())).intent.id;
}

function decide(verb: "approve" | "cancel", email: string, id: string, ...more: readonly string[]) {
  return runCommand("payouts", verb, "--id", id, "--as", email, ...more);
}
const approve = (email: string, id: string, ...more: readonly string[]) => decide("approve", email, id, ...more);
const cancel = (email: string, id: string, ...more: readonly string[]) => decide("cancel", email, id, ...more);

async function statusOf(payoutId: string): Promise<string | undefined> {
  const [row] = await query<{ status: string }>("SELECT status FROM payout_intent WHERE id = $1", payoutId);
  return row?.status;
}

beforeAll(async () => {
  merchantId = await createMerchant("Shop", ["BRL"]);
  otherMerchantId = await createMerchant("Other", ["BRL"]);
  keyId = (await createApiKey(operatorContext(merchantId, "test"), "The shop's")).id;
  await Promise.all([
    makeMember(merchantId, APPROVER, "approver", "finance"),
    makeMember(otherMerchantId, APPROVER, "approver"),
    makeMember(merchantId, "owner@shop.example", "owner"),
    makeMember(merchantId, "admin@shop.example", "admin"),
    makeMember(merchantId, "finance@shop.example", "finance", "developer"),
    makeMember(merchantId, "gone@shop.example", "owner"),
    makeMember(otherMerchantId, "stranger@other.example", "owner"),
  ]);
  await query("UPDATE member SET disabled_at = now() WHERE email = 'gone@shop.example'");
});

afterAll(disconnect);

it.each([APPROVER, "owner@shop.example", "admin@shop.example", " Approver@Shop.example "])(
  "the operator approves as %s, and the audit log names the operator with that address",
  async (email) => {
    const id = await createPayout();
    expect(await approve(email, id)).toMatchObject({ id, status: "processing" });
    const entries = await query<{ actor_type: string; actor_id: string }>(
      "SELECT actor_type, actor_id FROM audit_entry WHERE object_id = $1 AND action = 'payout_intent.approve'",
      id,
    );
    expect(entries).toEqual([{ actor_type: "operator", actor_id: email.trim().toLowerCase() }]);
  },
);

it("finance staff, developers and disabled members decide nothing", async () => {
  const id = await createPayout();
  for (const email of ["finance@shop.example", "gone@shop.example"]) {
    expect(await approve(email, id)).toMatchObject({ code: "forbidden", exitStatus: 1 });
    expect(await cancel(email, id)).toMatchObject({ code: "forbidden", exitStatus: 1 });
  }
  expect(await statusOf(id)).toBe("requires_approval");
});

it("a member of another merchant does not find the payout, whatever their role", async () => {
  const id = await createPayout();
  expect(await approve("stranger@other.example", id)).toMatchObject({ code: "not_found" });
  expect(await approve(APPROVER, id, "--merchant", otherMerchantId)).toMatchObject({ code: "not_found" });
  expect(await approve("nobody@shop.example", id)).toMatchObject({ code: "not_found" });
  expect(await approve(APPROVER, "word_nonsense")).toMatchObject({ code: "not_found" });
  expect(await statusOf(id)).toBe("requires_approval");
});

it("the maker of a payout cannot approve it, and may cancel it", async () => {
  const maker = await makeMember(merchantId, "maker@shop.example", "approver", "finance");
  const id = await createPayout({ type: "member", id: maker });
  expect(await approve("maker@shop.example", id)).toMatchObject({ code: "approval_required" });
  expect(await cancel("maker@shop.example", id, "--reason", "a slip")).toMatchObject({
    status: "cancelled",
    failure_code: "cancelled",
    failure_message: "a slip",
  });
});

it("a payout that has left the gate is neither approved nor cancelled again", async () => {
  const id = await createPayout();
  await approve(APPROVER, id);
  expect(await approve(APPROVER, id)).toMatchObject({ code: "approval_required" });
  expect(await cancel(APPROVER, id)).toMatchObject({ code: "approval_required" });
});

it("the merchant must be named only if both the address and the payout id exist for several merchants", async () => {
  const id = await createPayout();
  await query(
    `INSERT INTO payout_intent
     SELECT (jsonb_populate_record(p, jsonb_build_object('merchant_id', $2::text))).* FROM payout_intent p WHERE id = $1`,
    id,
    otherMerchantId,
  );
  expect(await approve(APPROVER, id)).toMatchObject({
    code: "validation_failed",
    message: expect.stringContaining("merchant") as string,
  });
  expect(await approve(APPROVER, id, "--merchant", merchantId)).toMatchObject({ id, status: "processing" });
  const rows = await query("SELECT status FROM payout_intent WHERE id = $1 AND merchant_id = $2", id, merchantId);
  expect(rows).toEqual([{ status: "processing" }]);
});
