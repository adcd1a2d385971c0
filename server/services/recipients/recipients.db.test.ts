// Saved recipients: their cool-off, who may approve a payout to one, and what is stored of an account.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { query } from "@/server/db/client";
import type { Role } from "@/server/domain/permissions";
import type { CallContext } from "@/server/domain/scope";
import { newId } from "@/server/platform/ids";
import { requireInvariants } from "@/server/testing/invariants";
import { makeMember, makeMerchant, payout, type TestMerchant } from "@/server/testing/merchant";
import { openAccount } from "../account-numbers";
import { withoutIdempotency } from "../idempotency/completion";
import { getIntent } from "../intents/read";
import { setRecipientCoolOff } from "../merchants/recipient-cool-off";
import { approvePayoutIntent } from "../payouts/approve";
import { createPayoutIntent } from "../payouts/create";
import { createPayoutToRecipient } from "../payouts/create-to-recipient";
import { PAYOUTS } from "../payouts/kind";
import { countWaitingFor } from "../payouts/waiting";
import { advanceSandboxClock } from "../sandbox/clock";
import { savedRecipients } from "./list";
import { forgetRecipient, saveRecipient } from "./save";

let merchant: TestMerchant;
beforeEach(async () => {
  merchant = await makeMerchant(["BRL", "MXN"]);
});
afterEach(requireInvariants);

const BAKERY = {
  holderName: "Padaria Estrela Ltda",
  accountNumber: "0001-123456789",
  bankCode: "001",
  country: "BR",
  currency: "BRL",
};
const DAY_SECONDS = 86_400;

async function join(...roles: readonly Role[]): Promise<CallContext> {
  const id = await makeMember(merchant.merchantId, `${newId("request")}@shop.example`, ...roles);
  return { ...merchant.context, actor: { type: "member", id } };
}

const pay = (context: CallContext, recipientId: string, merchantReference = newId("request"), amount = "25000") =>
  createPayoutToRecipient(context, { recipientId, amount, merchantReference });

const auditOf = (id: string) =>
  query<{ action: string; entry: string }>(
    "SELECT action, a::text AS entry FROM audit_entry a WHERE object_id = $1 ORDER BY id",
    id,
  );

describe("a payout to a saved recipient", () => {
  it("has the recipient's details, and an account sealed for itself", async () => {
    const finance = await join("finance");
    const { id } = await saveRecipient(finance, BAKERY);
    const { intent, completion } = await pay(finance, id, "INV-1");
    expect(completion).toBe("created");
    expect(intent).toMatchObject({
      status: "requires_approval",
      country: "BR",
      currency: "BRL",
      recipient: { holderName: BAKERY.holderName, bankCode: "001", accountLast4: "6789" },
      recipientId: id,
    });
    expect(openAccount(intent)).toBe(BAKERY.accountNumber);
    const again = await pay(finance, id, "INV-1");
    expect([again.intent.id, again.completion]).toEqual([intent.id, "repeated"]);
    await expect(pay(finance, id, "INV-1", "25001")).rejects.toMatchObject({ code: "duplicate_merchant_reference" });
  });

  it("is approved neither by its maker nor by the member who saved the recipient", async () => {
    const [maker, saver, approver] = [await join("finance", "approver"), await join("admin"), await join("approver")];
    const { id } = await saveRecipient(saver, BAKERY);
    const { intent } = await pay(maker, id);
    for (const member of [maker, saver]) {
      await expect(approvePayoutIntent(member, { id: intent.id })).rejects.toMatchObject({ code: "approval_required" });
      expect(await countWaitingFor(merchant.scope, member.actor.id)).toBe(0);
      const approve = query(
        `INSERT INTO approval (merchant_id, payout_id, member_id, digest, created_at, revision, policy_version)
         VALUES ($1, $2, $3, 'digest', now(), 0, 1)`,
        merchant.merchantId,
        intent.id,
        member.actor.id,
      );
      await expect(approve).rejects.toMatchObject({ constraint: "approval_by_another_person" });
    }
    expect((await approvePayoutIntent(approver, { id: intent.id })).status).toBe("processing");
  });

  it("needs a role that creates payouts, as saving the recipient does", async () => {
    const [finance, approver] = [await join("finance"), await join("approver")];
    const { id } = await saveRecipient(finance, BAKERY);
    await expect(pay(approver, id)).rejects.toMatchObject({ code: "forbidden" });
    await expect(saveRecipient(approver, BAKERY)).rejects.toMatchObject({ code: "forbidden" });
    await expect(saveRecipient(merchant.context, BAKERY)).rejects.toMatchObject({ code: "forbidden" });
    await expect(forgetRecipient(approver, id)).rejects.toMatchObject({ code: "forbidden" });
  });
});

describe("the cool-off of a new recipient", () => {
  beforeEach(() => setRecipientCoolOff(merchant.scope, DAY_SECONDS));

  it("rejects payouts until it has ended, by the merchant's clock", async () => {
    const finance = await join("finance");
    const { id, usableFrom, createdAt } = await saveRecipient(finance, BAKERY);
    expect(usableFrom.getTime() - createdAt.getTime()).toBe(DAY_SECONDS * 1_000);
    await expect(pay(finance, id)).rejects.toMatchObject({ code: "validation_failed" });
    await advanceSandboxClock(merchant.context, DAY_SECONDS - 60, withoutIdempotency());
    await expect(pay(finance, id)).rejects.toMatchObject({ code: "validation_failed" });
    await advanceSandboxClock(merchant.context, 60, withoutIdempotency());
    expect((await pay(finance, id)).completion).toBe("created");
  });

  it("is not shortened for recipients saved before", async () => {
    const finance = await join("finance");
    const before = await saveRecipient(finance, BAKERY);
    await setRecipientCoolOff(merchant.scope, 0);
    await expect(pay(finance, before.id)).rejects.toMatchObject({ code: "validation_failed" });
    const after = await saveRecipient(finance, { ...BAKERY, accountNumber: "0002-999999999" });
    expect((await pay(finance, after.id)).completion).toBe("created");
  });

  it("holds in the database, whatever the service believes", async () => {
    const finance = await join("finance");
    const saved = await saveRecipient(finance, BAKERY);
    const believed = { ...saved, usableFrom: saved.createdAt };
    const { accountNumber, bankCode, holderName, ...place } = BAKERY;
    const recipient = { type: "bank_account", accountNumber, bankCode, holderName } as const;
    const command = payout({ ...place, recipient, saved: believed });
    const create = createPayoutIntent(finance, command, withoutIdempotency());
    await expect(create).rejects.toMatchObject({ code: "validation_failed" });
  });

  it("leaves payouts over the API alone", async () => {
    await saveRecipient(await join("finance"), BAKERY);
    const { intent } = await createPayoutIntent(merchant.context, payout(), withoutIdempotency());
    expect(intent).toMatchObject({ status: "requires_approval", recipientId: null });
  });

  it("is 24 hours in live and none in test, if the operator sets nothing", async () => {
    const { merchantId } = await makeMerchant();
    const [row] = await query(
      "SELECT recipient_cool_off_live_seconds AS live, recipient_cool_off_test_seconds AS test FROM merchant WHERE id = $1",
      merchantId,
    );
    expect(row).toEqual({ live: DAY_SECONDS, test: 0 });
  });
});

describe("a saved recipient", () => {
  it("shows its account nowhere in full", async () => {
    const finance = await join("finance");
    const { id } = await saveRecipient(finance, BAKERY);
    const [stored] = await query<{ row: string }>("SELECT r::text AS row FROM payout_recipient r WHERE id = $1", id);
    const entries = await auditOf(id);
    expect(entries.map(({ action }) => action)).toEqual(["payout_recipient.save"]);
    for (const text of [stored?.row ?? "", ...entries.map(({ entry }) => entry)]) expect(text).not.toContain("123456");
  });

  it("is saved once, also by several members at once, however its account is written", async () => {
    const members = [await join("finance"), await join("owner"), await join("admin")];
    const numbers = ["0001-123456789", "0001 123456789", "0001123456789"];
    const saved = await Promise.all(
      members.map((member, n) => saveRecipient(member, { ...BAKERY, accountNumber: numbers[n] ?? "" })),
    );
    expect(new Set(saved.map(({ id }) => id)).size).toBe(1);
    expect(await savedRecipients(merchant.scope)).toHaveLength(1);
    const renamed = saveRecipient(members[0] as CallContext, { ...BAKERY, holderName: "Somebody Else" });
    await expect(renamed).rejects.toMatchObject({ code: "validation_failed" });
    const elsewhere = await saveRecipient(members[0] as CallContext, { ...BAKERY, bankCode: "237" });
    expect(saved.map(({ id }) => id)).not.toContain(elsewhere.id);
  });

  it("cannot be paid once it was removed, and a repeat of an earlier payout still returns it", async () => {
    const finance = await join("finance");
    const { id } = await saveRecipient(finance, BAKERY);
    const { intent } = await pay(finance, id, "INV-2");
    await forgetRecipient(finance, id);
    await expect(forgetRecipient(finance, id)).rejects.toMatchObject({ code: "not_found" });
    await expect(pay(finance, id)).rejects.toMatchObject({ code: "validation_failed" });
    expect((await pay(finance, id, "INV-2")).intent.id).toBe(intent.id);
    expect(await savedRecipients(merchant.scope)).toEqual([]);
    expect((await auditOf(id)).map(({ action }) => action)).toEqual([
      "payout_recipient.save",
      "payout_recipient.remove",
    ]);
    expect((await getIntent(PAYOUTS, merchant.scope, intent.id)).status).toBe("requires_approval");
  });

  it("has the right check digits", async () => {
    const mexican = { ...BAKERY, country: "MX", currency: "MXN", bankCode: "40032" };
    const wrong = saveRecipient(await join("finance"), { ...mexican, accountNumber: "032180000118359718" });
    await expect(wrong).rejects.toMatchObject({ message: "account_number is not a valid CLABE: check its digits" });
    await saveRecipient(await join("finance"), { ...mexican, accountNumber: "032180000118359719" });
  });

  it("belongs to its merchant and environment", async () => {
    const finance = await join("finance");
    const { id } = await saveRecipient(finance, BAKERY);
    const live = { ...finance, scope: { ...finance.scope, environment: "live" as const } };
    await expect(pay(live, id)).rejects.toMatchObject({ code: "not_found" });
    const other = await makeMerchant();
    await expect(pay({ ...finance, scope: other.scope }, id)).rejects.toMatchObject({ code: "not_found" });
    await expect(saveRecipient(finance, { ...BAKERY, currency: "KWD" })).rejects.toMatchObject({
      code: "validation_failed",
    });
  });
});
