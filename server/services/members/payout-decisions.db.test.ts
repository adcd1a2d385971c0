// Owns the proof that only the right people decide on payouts, and that an address and a payout tell who is meant.

import { afterAll, beforeAll, expect, it } from "vitest";
import { disconnect, query } from "@/server/db/client";
import { Forbidden } from "@/server/domain/errors";
import type { CallContext } from "@/server/domain/scope";
import { newId } from "@/server/platform/ids";
import { unsealed } from "../idempotency/sealing";
import { createMerchant } from "../merchants/create";
import { createMember } from "../merchants/members";
import { createPayoutIntent } from "../payouts/create";
import { approvePayoutAs, cancelPayoutAs } from "./payout-decisions";

const APPROVER = "approver@shop.example";

let merchantId: string;
let otherMerchantId: string;

async function join(merchant: string, email: string, ...roles: string[]): Promise<string> {
  return createMember({ merchantId: merchant, email, password: "correct horse battery", roles });
}

async function createPayout(actor: CallContext["actor"] = { type: "api_key", id: "key_of_the_shop" }): Promise<string> {
  const context: CallContext = { scope: { merchantId, environment: "test" }, actor, requestId: null, address: null };
  const recipient = { type: "bank_account", accountNumber: "12345678", bankCode: "001", holderName: "Ana" } as const;
  const command = { amount: "1000", currency: "BRL", country: "BR", merchantReference: newId("request"), recipient };
  return (await createPayoutIntent(context, command, unsealed())).intent.id;
}

function decision(email: string, payoutId: string, merchant: string | null = null) {
  return { email, payoutId, merchantId: merchant };
}

async function statusOf(payoutId: string): Promise<string | undefined> {
  const [row] = await query<{ status: string }>("SELECT status FROM payout_intent WHERE id = $1", payoutId);
  return row?.status;
}

beforeAll(async () => {
  merchantId = await createMerchant("Shop", ["BRL"]);
  otherMerchantId = await createMerchant("Other", ["BRL"]);
  await Promise.all([
    join(merchantId, APPROVER, "approver", "finance"),
    join(otherMerchantId, APPROVER, "approver"),
    join(merchantId, "owner@shop.example", "owner"),
    join(merchantId, "admin@shop.example", "admin"),
    join(merchantId, "finance@shop.example", "finance", "developer"),
    join(merchantId, "gone@shop.example", "owner"),
    join(otherMerchantId, "stranger@other.example", "owner"),
  ]);
  await query("UPDATE member SET disabled_at = now() WHERE email = 'gone@shop.example'");
});

afterAll(disconnect);

it.each([APPROVER, "owner@shop.example", "admin@shop.example", " Approver@Shop.example "])(
  "the operator approves as %s, and the audit names the operator with that address",
  async (email) => {
    const id = await createPayout();
    expect(await approvePayoutAs(decision(email, id))).toMatchObject({ id, status: "processing" });
    const entries = await query<{ actor_type: string; actor_id: string }>(
      "SELECT actor_type, actor_id FROM audit_entry WHERE object_id = $1 AND action = 'payout_intent.approve'",
      id,
    );
    expect(entries).toEqual([{ actor_type: "operator", actor_id: email.trim().toLowerCase() }]);
  },
);

it("finance staff and developers decide nothing, nor does a disabled member", async () => {
  const id = await createPayout();
  for (const email of ["finance@shop.example", "gone@shop.example"]) {
    await expect(approvePayoutAs(decision(email, id))).rejects.toThrow(Forbidden);
    await expect(cancelPayoutAs(decision(email, id), null)).rejects.toThrow(Forbidden);
  }
  expect(await statusOf(id)).toBe("requires_approval");
});

it("a member of another merchant finds no such payout, whatever their role", async () => {
  const id = await createPayout();
  await expect(approvePayoutAs(decision("stranger@other.example", id))).rejects.toMatchObject({ code: "not_found" });
  await expect(approvePayoutAs(decision(APPROVER, id, otherMerchantId))).rejects.toMatchObject({ code: "not_found" });
  await expect(approvePayoutAs(decision("nobody@shop.example", id))).rejects.toMatchObject({ code: "not_found" });
  await expect(approvePayoutAs(decision(APPROVER, "word_nonsense"))).rejects.toMatchObject({ code: "not_found" });
  expect(await statusOf(id)).toBe("requires_approval");
});

it("who made a payout cannot approve it, and may cancel it", async () => {
  const maker = await join(merchantId, "maker@shop.example", "approver");
  const id = await createPayout({ type: "member", id: maker });
  await expect(approvePayoutAs(decision("maker@shop.example", id))).rejects.toMatchObject({
    code: "approval_required",
  });
  expect(await cancelPayoutAs(decision("maker@shop.example", id), "a slip")).toMatchObject({
    status: "cancelled",
    failure: { code: "cancelled", message: "a slip" },
  });
});

it("a payout that left the gate is neither approved nor cancelled again", async () => {
  const id = await createPayout();
  await approvePayoutAs(decision(APPROVER, id));
  await expect(approvePayoutAs(decision(APPROVER, id))).rejects.toMatchObject({ code: "approval_required" });
  await expect(cancelPayoutAs(decision(APPROVER, id), null)).rejects.toMatchObject({ code: "approval_required" });
});

it("only when both the address and the payout id are of several merchants must the merchant be named", async () => {
  const id = await createPayout();
  await query(
    `INSERT INTO payout_intent
     SELECT (jsonb_populate_record(p, jsonb_build_object('merchant_id', $2::text))).* FROM payout_intent p WHERE id = $1`,
    id,
    otherMerchantId,
  );
  await expect(approvePayoutAs(decision(APPROVER, id))).rejects.toMatchObject({
    code: "validation_failed",
    message: expect.stringContaining("merchant") as string,
  });
  expect(await approvePayoutAs(decision(APPROVER, id, merchantId))).toMatchObject({ merchantId, status: "processing" });
});
