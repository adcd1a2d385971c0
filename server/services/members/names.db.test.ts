// What members are called: a name is for reading, the address beside it says who somebody is.

import { beforeEach, describe, expect, it } from "vitest";
import { query } from "@/server/db/client";
import type { CallContext } from "@/server/domain/scope";
import { operatorContext } from "@/server/services/merchants/operator";
import { makeMember, makeMerchant, type TestMerchant } from "@/server/testing/merchant";
import { recentNotices } from "../notices/notices";
import { listMembers } from "./list";
import { disableMember, inviteMember } from "./manage";
import { actorNames, changeName, namedActor } from "./names";

let merchant: TestMerchant;
let admin: CallContext;
let cfo: string;
beforeEach(async () => {
  merchant = await makeMerchant();
  cfo = await makeMember(merchant.merchantId, "paula@shop.example", "owner");
  const id = await makeMember(merchant.merchantId, "mallory@shop.example", "admin");
  admin = { ...merchant.context, actor: { type: "member", id } };
  await changeName(operatorContext(merchant.merchantId, "test"), cfo, "Paula Reis");
});

const rename = (typed: string | null) => changeName(admin, admin.actor.id, typed);

async function nameOf(id: string): Promise<string | null | undefined> {
  return (await listMembers(merchant.merchantId)).find((member) => member.id === id)?.name;
}

const changesOf = (id: string) =>
  query<{ actor: string; before: object; after: object }>(
    `SELECT actor_id AS actor, before, after FROM audit_entry
     WHERE merchant_id = $1 AND object_id = $2 AND action = 'member.change_name' ORDER BY created_at, id`,
    merchant.merchantId,
    id,
  );

describe("an admin who takes the CFO's name", () => {
  it("still shows their own address beside it, is in the audit log, and owners receive a notice", async () => {
    expect(await rename("  Paula   Reis ")).toBe("Paula Reis");
    const names = await actorNames(merchant.merchantId, [admin.actor.id, cfo, cfo]);
    const [taken, real] = [admin.actor.id, cfo].map((id) => namedActor({ type: "member", id }, names));
    expect(taken).toMatchObject({ name: "Paula Reis", address: "mallory@shop.example" });
    expect(real).toMatchObject({ name: "Paula Reis", address: "paula@shop.example" });
    expect(await changesOf(admin.actor.id)).toEqual([
      { actor: admin.actor.id, before: { name: null }, after: { name: "Paula Reis" } },
    ]);
    const [notice] = await recentNotices({ merchantId: merchant.merchantId, memberId: cfo });
    expect(notice?.text).toBe("mallory@shop.example changed the name of mallory@shop.example to “Paula Reis”.");
  });

  it("cannot make the name look like the CFO's address", async () => {
    for (const typed of ["paula@shop.example", "Paula Reis (paula＠shop.example)", "Paula\u202E"])
      await expect(rename(typed)).rejects.toMatchObject({ code: "validation_failed" });
    expect(await nameOf(admin.actor.id)).toBeNull();
    expect(await changesOf(admin.actor.id)).toEqual([]);
  });
});

it("a name that stays the same leaves no entry, an empty one is none, and two at once leave one entry each", async () => {
  await rename("Mal");
  await rename(" Mal");
  expect(await changesOf(admin.actor.id)).toHaveLength(1);
  await rename("   ");
  expect(await nameOf(admin.actor.id)).toBeNull();
  await Promise.all([rename("One"), rename("Two")]);
  const [, , third, fourth] = await changesOf(admin.actor.id);
  expect(third?.before).toEqual({ name: null });
  expect(fourth?.before).toEqual(third?.after);
  expect(fourth?.after).toEqual({ name: await nameOf(admin.actor.id) });
});

it("a disabled member and one of another merchant have no name to change", async () => {
  const stranger = await makeMerchant();
  const other = { ...admin, scope: stranger.scope };
  await expect(changeName(other, admin.actor.id, "Mine")).rejects.toMatchObject({ code: "not_found" });
  await disableMember(operatorContext(merchant.merchantId, "test"), admin.actor.id);
  await expect(rename("Mine")).rejects.toMatchObject({ code: "not_found" });
  expect(await nameOf(admin.actor.id)).toBeNull();
});

it("an invitation may name the member, and is refused with a name that may not be one", async () => {
  const person = { email: "ana@shop.example", roles: ["finance"] };
  await expect(inviteMember(admin, { ...person, name: "Ana <ana>" })).rejects.toMatchObject({
    code: "validation_failed",
  });
  const { id } = await inviteMember(admin, { ...person, name: "Ana Souza" });
  expect(await nameOf(id)).toBe("Ana Souza");
  const [entry] = await query<{ after: object }>(
    "SELECT after FROM audit_entry WHERE merchant_id = $1 AND object_id = $2",
    merchant.merchantId,
    id,
  );
  expect(entry?.after).toMatchObject({ name: "Ana Souza", email: "ana@shop.example" });
});
