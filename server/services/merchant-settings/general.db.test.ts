// Owners change the merchant's name and checkout; each change is in the audit log, and owners receive a notice of a name.

import { beforeEach, describe, expect, it } from "vitest";
import { query } from "@/server/db/client";
import type { CallContext } from "@/server/domain/scope";
import { makeMember, makeMerchant, type TestMerchant } from "@/server/testing/merchant";
import { changeTestRoles, disableMember } from "../members/manage";
import { operatorContext } from "../merchants/operator";
import { merchantSettings } from "../merchants/settings";
import { recentNotices } from "../notices/notices";
import { renameByOwner, setCheckoutByOwner } from "./general";

let merchant: TestMerchant;
let owner: CallContext;
beforeEach(async () => {
  merchant = await makeMerchant();
  owner = await join("owner");
});

async function join(...roles: readonly string[]): Promise<CallContext> {
  const id = await makeMember(merchant.merchantId, `${crypto.randomUUID()}@shop.example`, ...roles);
  return { ...merchant.context, actor: { type: "member", id } };
}

const entries = (action: string) =>
  query<{ actor_id: string; environment: string | null; before: object; after: object }>(
    "SELECT actor_id, environment, before, after FROM audit_entry WHERE merchant_id = $1 AND action = $2 ORDER BY created_at, id",
    merchant.merchantId,
    action,
  );

it("an owner renames the merchant: others read it at once, the log has both names, and owners a notice", async () => {
  const second = await join("owner");
  const { name: before } = await merchantSettings(merchant.merchantId);
  expect(await renameByOwner(owner, "  Padaria   Estrela ")).toBe("Padaria Estrela");
  expect((await merchantSettings(merchant.merchantId)).name).toBe("Padaria Estrela");
  await renameByOwner(owner, "Padaria Estrela");
  const change = { actor_id: owner.actor.id, environment: null };
  const states = { before: { name: before }, after: { name: "Padaria Estrela" } };
  expect(await entries("merchant.set_name")).toEqual([{ ...change, ...states }]);
  const [notice] = await recentNotices({ merchantId: merchant.merchantId, memberId: second.actor.id });
  expect(notice?.text).toMatch(/changed the merchant's name to “Padaria Estrela”\.$/);
  await expect(renameByOwner(owner, "Padaria \u202Eknab")).rejects.toMatchObject({ code: "validation_failed" });
});

it("an owner sets the checkout of both environments", async () => {
  await setCheckoutByOwner(owner, "hosted");
  expect((await merchantSettings(merchant.merchantId)).checkoutMode).toBe("hosted");
  const states = { before: { checkout_mode: "direct" }, after: { checkout_mode: "hosted" } };
  expect(await entries("merchant.set_checkout")).toEqual([{ actor_id: owner.actor.id, environment: null, ...states }]);
});

describe("nobody else changes them", () => {
  it("neither an admin, nor an owner of the test environment only, nor one who was disabled, nor a key", async () => {
    const [admin, tester, gone] = [await join("admin"), await join("developer"), await join("owner")];
    const operator = operatorContext(merchant.merchantId, "test");
    await changeTestRoles(operator, tester.actor.id, ["owner"]);
    await disableMember(operator, gone.actor.id);
    const stranger = { ...owner, scope: (await makeMerchant()).scope };
    for (const caller of [admin, tester, gone, stranger, merchant.context]) {
      await expect(renameByOwner(caller, "Mine")).rejects.toMatchObject({ code: "forbidden" });
      await expect(setCheckoutByOwner(caller, "hosted")).rejects.toMatchObject({ code: "forbidden" });
    }
    expect(await entries("merchant.set_name")).toEqual([]);
    expect((await merchantSettings(merchant.merchantId)).checkoutMode).toBe("direct");
  });
});
