// One approval for a batch: it signs each payout, and only as they were shown.
import { afterEach, beforeEach, expect, it } from "vitest";
import { query } from "@/server/db/client";
import type { Role } from "@/server/domain/permissions";
import type { CallContext } from "@/server/domain/scope";
import { newId } from "@/server/platform/ids";
import { requireInvariants } from "@/server/testing/invariants";
import { adoptPolicy, makeMember, makeMerchant, type TestMerchant } from "@/server/testing/merchant";
import { withoutIdempotency } from "../idempotency/completion";
import { approvalDigest } from "../payouts/approval-digest";
import { approvePayoutIntent } from "../payouts/approve";
import { cancelPayoutIntent } from "../payouts/cancel";
import { saveRecipient } from "../recipients/save";
import { approveBatch, batchDigest, batchStanding, getBatch } from "./approve";
import { createBatch } from "./create";
import { previewBatch } from "./preview";

let merchant: TestMerchant;
let maker: CallContext;
beforeEach(async () => {
  merchant = await makeMerchant();
  maker = await join("finance", "approver");
});
afterEach(requireInvariants);

async function join(...roles: readonly Role[]): Promise<CallContext> {
  const id = await makeMember(merchant.merchantId, `${newId("request")}@shop.example`, ...roles);
  return { ...merchant.context, actor: { type: "member", id } };
}

const HEADER = "account_number,bank_code,currency,amount,reference";

/** A batch of payouts of 1.00, 2.00, … BRL; returns its id. */
async function makeBatch(count: number, saver = maker): Promise<string> {
  const place = { holderName: "Ana Souza", bankCode: "001", country: "BR", currency: "BRL" };
  await saveRecipient(saver, { ...place, accountNumber: "0001-1111" });
  const lines = Array.from({ length: count }, (_, n) => `0001-1111,001,BRL,${n + 1}.00,INV-${n + 1}`);
  const text = [HEADER, ...lines].join("\n");
  const { digest } = await previewBatch(maker, text);
  return (await createBatch(maker, { text, name: "payouts.csv", digest })).id;
}

const shown = async (id: string) => batchDigest(await getBatch(merchant.scope, id));
const statuses = async (id: string) => (await getBatch(merchant.scope, id)).map(({ status }) => status);
const approve = async (context: CallContext, id: string) => approveBatch(context, { id, digest: await shown(id) });

it("one approval writes a signed approval of each payout, and they are sent", async () => {
  const approver = await join("approver");
  const id = await makeBatch(3);
  const results = await approve(approver, id);
  expect(results.map(({ status }) => status)).toEqual(["processing", "processing", "processing"]);
  const payouts = await getBatch(merchant.scope, id);
  const approvals = await query<{ payout_id: string; member_id: string; digest: string }>(
    "SELECT payout_id, member_id, digest FROM approval WHERE merchant_id = $1 ORDER BY payout_id",
    merchant.merchantId,
  );
  expect(approvals).toEqual(
    payouts.map((payout) => ({
      payout_id: payout.id,
      member_id: approver.actor.id,
      digest: approvalDigest(payout, 0),
    })),
  );
  await expect(approve(approver, id)).rejects.toMatchObject({ code: "approval_required" });
});

it("neither the maker nor the member who saved a recipient of it approves a batch, nor one of its payouts", async () => {
  const saver = await join("admin");
  const id = await makeBatch(2, saver);
  const [first] = await getBatch(merchant.scope, id);
  for (const member of [maker, saver]) {
    await expect(approve(member, id)).rejects.toMatchObject({ code: "approval_required" });
    const alone = approvePayoutIntent(member, { id: first?.id ?? "" });
    await expect(alone).rejects.toMatchObject({ code: "approval_required" });
    const { obstacle } = await batchStanding(merchant.merchantId, await getBatch(merchant.scope, id), member.actor.id);
    expect(obstacle).toBe("made_by_you");
  }
  await expect(approve(await join("finance"), id)).rejects.toMatchObject({ code: "forbidden" });
  await expect(approve(merchant.context, id)).rejects.toMatchObject({ code: "approval_required" });
  expect(await statuses(id)).toEqual(["requires_approval", "requires_approval"]);
});

it("a cancelled line makes what others have on their screen worthless, and leaves approvals given as they are", async () => {
  await adoptPolicy(merchant, { defaultApprovals: 2, rules: [] });
  const [one, two, three] = [await join("approver"), await join("approver"), await join("admin")];
  const id = await makeBatch(3);
  const before = await shown(id);
  await approve(one, id);
  expect(await shown(id)).toBe(before);
  const [first] = await getBatch(merchant.scope, id);
  await cancelPayoutIntent(three, { id: first?.id ?? "", reason: "Wrong amount" }, withoutIdempotency());
  await expect(approveBatch(two, { id, digest: before })).rejects.toMatchObject({ code: "approval_required" });
  expect(await statuses(id)).toEqual(["cancelled", "requires_approval", "requires_approval"]);
  await approve(two, id);
  expect(await statuses(id)).toEqual(["cancelled", "processing", "processing"]);
});

it("after an interruption, the same member approves the rest", async () => {
  await adoptPolicy(merchant, { defaultApprovals: 2, rules: [] });
  const [one, two] = [await join("approver"), await join("approver")];
  const id = await makeBatch(3);
  const [first] = await getBatch(merchant.scope, id);
  await approvePayoutIntent(one, { id: first?.id ?? "" });
  expect(await approve(one, id)).toHaveLength(2);
  await expect(approve(one, id)).rejects.toMatchObject({ message: "No payout of the batch awaits your approval." });
  expect(await approve(two, id)).toHaveLength(3);
  expect(await statuses(id)).toEqual(["processing", "processing", "processing"]);
});

it("two members at once sign each payout once each", async () => {
  await adoptPolicy(merchant, { defaultApprovals: 2, rules: [] });
  const [one, two] = [await join("approver"), await join("approver")];
  const id = await makeBatch(4);
  await Promise.all([approve(one, id), approve(two, id)]);
  expect(await statuses(id)).toEqual(Array(4).fill("processing"));
});

it("a batch belongs to its merchant and environment", async () => {
  const id = await makeBatch(1);
  await expect(getBatch({ ...merchant.scope, environment: "live" }, id)).rejects.toMatchObject({ code: "not_found" });
  await expect(getBatch((await makeMerchant()).scope, id)).rejects.toMatchObject({ code: "not_found" });
  await expect(getBatch(merchant.scope, "pbt_unknown")).rejects.toMatchObject({ code: "not_found" });
});
