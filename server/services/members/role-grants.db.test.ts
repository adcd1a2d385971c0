// A role that approves takes two people to give, where there are two who may.

import { beforeEach, describe, expect, it } from "vitest";
import { query } from "@/server/db/client";
import type { Role } from "@/server/domain/permissions";
import type { CallContext } from "@/server/domain/scope";
import { createMerchant } from "../merchants/create";
import { operatorContext } from "../merchants/operator";
import { recentNotices } from "../notices/notices";
import { addMember, changeRoles, disableMember, enableMember, inviteMember, resetPassword } from "./manage";
import { confirmGrant, listOpenGrants, rejectGrant } from "./role-grants";

let merchantId: string;
beforeEach(async () => {
  merchantId = await createMerchant("Shop", ["BRL"]);
});

const addressOf = (name: string) => `${name}@shop.example`;

async function join(name: string, ...roles: readonly Role[]): Promise<CallContext> {
  const operator = operatorContext(merchantId, "test");
  const id = await addMember(operator, { email: addressOf(name), roles }, "correct horse battery");
  return { ...operator, actor: { type: "member", id } };
}

async function rolesOf({ actor }: CallContext): Promise<readonly string[]> {
  const [row] = await query<{ roles: string[] }>("SELECT roles FROM member WHERE id = $1", actor.id);
  return row?.roles ?? [];
}

async function onlyGrant(): Promise<string> {
  const [grant, ...others] = await listOpenGrants(merchantId);
  if (!grant || others.length > 0) throw new Error("there is not exactly one open grant");
  return grant.id;
}

const NEEDS_ANOTHER = { code: "approval_required" };

describe("an owner alone cannot make an approver where another owner or admin is there", () => {
  it.each<[Role[], Role[]]>([
    [["approver"], []],
    [["finance", "approver"], ["finance"]],
    [["owner"], []],
  ])("by inviting with %j: the member has %j until the other confirms", async (wanted, given) => {
    const [owner, other] = [await join("owner", "owner"), await join("other", "owner")];
    const { id } = await inviteMember(owner, { email: addressOf("straw"), roles: wanted });
    const straw = { ...owner, actor: { type: "member", id } } as const;
    expect(await rolesOf(straw)).toEqual(given);
    const grant = await onlyGrant();
    await expect(confirmGrant(owner, grant)).rejects.toMatchObject(NEEDS_ANOTHER);
    await confirmGrant(other, grant);
    expect(new Set(await rolesOf(straw))).toEqual(new Set(wanted));
    expect(await listOpenGrants(merchantId)).toEqual([]);
    await expect(confirmGrant(other, grant)).rejects.toMatchObject({ code: "not_found" });
  });

  it("by changing roles, nor by enabling an approver again", async () => {
    const [owner, other, admin] = [
      await join("owner", "owner"),
      await join("other", "owner"),
      await join("admin", "admin"),
    ];
    const [clerk, approver] = [await join("clerk", "finance"), await join("approver", "approver")];
    await changeRoles(admin, clerk.actor.id, ["finance", "approver"]);
    expect(await rolesOf(clerk)).toEqual(["finance"]);
    await confirmGrant(owner, await onlyGrant());
    expect(await rolesOf(clerk)).toEqual(["approver", "finance"]);

    await disableMember(owner, approver.actor.id);
    expect((await enableMember(owner, approver.actor.id)).disabledAt).not.toBeNull();
    expect((await confirmGrant(other, await onlyGrant())).disabledAt).toBeNull();
  });

  it("nor does the member confirm their own role, nor an admin the role of an owner, nor an owner who is newer", async () => {
    const [owner, admin] = [await join("owner", "owner"), await join("admin", "admin")];
    const other = await join("other", "owner");
    await changeRoles(owner, (await join("clerk", "finance")).actor.id, ["owner"]);
    const grant = await onlyGrant();
    await expect(confirmGrant(admin, grant)).rejects.toMatchObject({ code: "forbidden" });
    const newer = await join("newer", "owner");
    await expect(confirmGrant(newer, grant)).rejects.toMatchObject(NEEDS_ANOTHER);
    await confirmGrant(other, grant);
  });
});

it("one person suffices where nobody else may confirm, also beside an owner whom they have just made", async () => {
  const owner = await join("owner", "owner");
  const first = await inviteMember(owner, { email: addressOf("first"), roles: ["owner"] });
  expect(await rolesOf({ ...owner, actor: { type: "member", id: first.id } })).toEqual(["owner"]);
  const second = await inviteMember(owner, { email: addressOf("second"), roles: ["approver"] });
  expect(await rolesOf({ ...owner, actor: { type: "member", id: second.id } })).toEqual(["approver"]);
});

it("roles that do not approve take one person", async () => {
  const [owner] = [await join("owner", "owner"), await join("other", "owner")];
  const clerk = await join("clerk", "finance");
  await changeRoles(owner, clerk.actor.id, ["finance", "developer"]);
  expect(await rolesOf(clerk)).toEqual(["finance", "developer"]);
  expect(await listOpenGrants(merchantId)).toEqual([]);
  await changeRoles(owner, clerk.actor.id, ["approver"]);
  await changeRoles(owner, (await join("approver", "approver")).actor.id, ["admin"]);
  expect(await listOpenGrants(merchantId)).toHaveLength(2);
});

it("a grant ends when it is rejected, replaced, or the member is disabled", async () => {
  const [owner, other] = [await join("owner", "owner"), await join("other", "owner")];
  const clerk = await join("clerk", "finance");
  await changeRoles(owner, clerk.actor.id, ["approver"]);
  const rejected = await onlyGrant();
  await rejectGrant(owner, rejected);
  await expect(confirmGrant(other, rejected)).rejects.toMatchObject({ code: "not_found" });

  await changeRoles(owner, clerk.actor.id, ["approver"]);
  const replaced = await onlyGrant();
  await changeRoles(owner, clerk.actor.id, ["admin"]);
  expect(await onlyGrant()).not.toBe(replaced);
  await disableMember(owner, clerk.actor.id);
  expect(await listOpenGrants(merchantId)).toEqual([]);
  expect(await rolesOf(clerk)).toEqual(["finance"]);

  const states = await query<{ state: string }>(
    "SELECT state FROM role_grant WHERE merchant_id = $1 ORDER BY proposed_at, id",
    merchantId,
  );
  expect(states.map(({ state }) => state)).toEqual(["rejected", "superseded", "superseded"]);
});

it("of two who confirm and reject at once, one decides", async () => {
  const [owner, other, third] = [
    await join("owner", "owner"),
    await join("other", "owner"),
    await join("third", "owner"),
  ];
  const clerk = await join("clerk", "finance");
  await changeRoles(owner, clerk.actor.id, ["approver"]);
  const grant = await onlyGrant();
  const acts = [confirmGrant(other, grant), confirmGrant(third, grant), rejectGrant(owner, grant)];
  const outcomes = (await Promise.allSettled(acts)).map(({ status }) => status);
  expect(outcomes.filter((status) => status === "fulfilled")).toHaveLength(1);
  const entries = await query<{ action: string }>(
    "SELECT action FROM audit_entry WHERE object_id = $1 AND action LIKE 'member.%grant'",
    clerk.actor.id,
  );
  expect(entries).toHaveLength(2);
});

describe("putting the second person out does not make an owner alone, within the cool-down", () => {
  /** What an owner does to another owner first, alone. */
  const WAYS: Readonly<Record<string, (owner: CallContext, otherId: string) => Promise<unknown>>> = {
    disabling: disableMember,
    "disabling and enabling": async (owner, id) => {
      await disableMember(owner, id);
      await enableMember(owner, id);
    },
    "taking the role": (owner, id) => changeRoles(owner, id, ["finance"]),
    "resetting the password": resetPassword,
    "ending the role and giving it again": async (owner, id) => {
      await changeRoles(owner, id, ["finance"]);
      await changeRoles(owner, id, ["owner"]);
    },
  };

  it.each(Object.entries(WAYS))("by %s", async (_way, putOut) => {
    const [owner, other] = [await join("owner", "owner"), await join("other", "owner")];
    await putOut(owner, other.actor.id);
    const { id } = await inviteMember(owner, { email: addressOf("straw"), roles: ["approver"] });
    expect(await rolesOf({ ...owner, actor: { type: "member", id } })).toEqual([]);
    const about = (await recentNotices({ merchantId, memberId: other.actor.id })).map(({ text }) => text);
    expect(about).toContainEqual(expect.stringContaining(addressOf("straw")));
  });

  it("after the cool-down the owner is alone, as somebody who has really left stays away", async () => {
    const [owner, other] = [await join("owner", "owner"), await join("other", "owner")];
    await query("UPDATE merchant SET authority_cool_down_seconds = 1 WHERE id = $1", merchantId);
    await disableMember(owner, other.actor.id);
    const early = await inviteMember(owner, { email: addressOf("early"), roles: ["approver"] });
    expect(await rolesOf({ ...owner, actor: { type: "member", id: early.id } })).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const late = await inviteMember(owner, { email: addressOf("late"), roles: ["approver"] });
    expect(await rolesOf({ ...owner, actor: { type: "member", id: late.id } })).toEqual(["approver"]);
  });
});
