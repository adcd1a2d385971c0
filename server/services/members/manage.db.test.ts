// What is done about members: by whom, that an owner always remains, and that it counts at once.

import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { disconnect, query } from "@/server/db/client";
import { Forbidden } from "@/server/domain/errors";
import type { CallContext } from "@/server/domain/scope";
import { sha256Hex } from "@/server/platform/crypto";
import { newId } from "@/server/platform/ids";
import { createMerchant } from "../merchants/create";
import { operatorContext } from "../merchants/operator";
import { endSessions, findMemberSession, openSession } from "../sign-in/sessions";
import { signIn } from "../sign-in/sign-in";
import { requireStepUp } from "../sign-in/step-up";
import { enterAs } from "../sign-in/testing/sessions";
import { listMembers } from "./list";
import {
  addMember,
  changeRoles,
  changeTestRoles,
  disableMember,
  enableMember,
  endSessionsOf,
  inviteMember,
  resetPassword,
} from "./manage";
import { choosePassword } from "./one-time-links";
import { changeOwnPassword } from "./passwords";

let merchantId: string;
let owner: CallContext;
let admin: CallContext;
let finance: string;
let count = 0;

const PASSWORD = "correct horse battery";

async function add(...roles: string[]): Promise<{ id: string; email: string; by: CallContext }> {
  count += 1;
  const email = `${roles[0]}-${count}@${merchantId}.example`;
  const id = await addMember(operatorContext(merchantId, "test"), { email, roles }, PASSWORD);
  const actor = { type: "member", id } as const;
  return { id, email, by: { scope: { merchantId, environment: "test" }, actor, requestId: null, address: null } };
}

beforeEach(async () => {
  merchantId = await createMerchant("Shop", ["BRL"]);
  owner = (await add("owner")).by;
  admin = (await add("admin")).by;
  finance = (await add("finance")).id;
});
afterAll(() => disconnect());

const rolesOf = async (id: string) => (await listMembers(merchantId)).find((member) => member.id === id)?.roles;
const lastAudit = async (id: string) =>
  (
    await query<{ action: string; actor_id: string; before: object | null; after: object }>(
      "SELECT action, actor_id, before, after FROM audit_entry WHERE object_id = $1 ORDER BY created_at DESC, id DESC",
      id,
    )
  )[0];

describe("inviting", () => {
  it("stores the address in lower case, and neither the link nor its hash in the audit log", async () => {
    const email = `new@${merchantId}.example`;
    const { id, link } = await inviteMember(admin, { email: email.toUpperCase(), roles: ["developer"] });
    const entry = await lastAudit(id);
    const after = { email, roles: ["developer"], link: "invite" };
    expect(entry).toMatchObject({ action: "member.create", actor_id: admin.actor.id, after });
    const token = link.slice(-43);
    for (const secret of [token, sha256Hex(token)]) expect(JSON.stringify(entry)).not.toContain(secret);
  });

  it("is refused for an address that is taken, no role, and a role that there is not", async () => {
    const { email } = await add("finance");
    for (const person of [
      { email, roles: ["finance"] },
      { email: "x@shop.example", roles: [] },
      { email: "x@shop.example", roles: ["finance", "root"] },
      { email: "nobody", roles: ["finance"] },
    ])
      await expect(inviteMember(owner, person)).rejects.toMatchObject({ code: "validation_failed" });
  });
});

describe("who may change whom", () => {
  it("owners everybody; admins nobody who is owner or admin, and nobody into one", async () => {
    const other = await add("admin");
    for (const attempt of [
      () => changeRoles(admin, finance, ["finance", "admin"]),
      () => changeRoles(admin, finance, ["owner"]),
      () => changeRoles(admin, other.id, ["finance"]),
      () => changeRoles(admin, admin.actor.id, ["owner"]),
      () => disableMember(admin, owner.actor.id),
      () => endSessionsOf(admin, owner.actor.id),
      () => resetPassword(admin, other.id),
      () => inviteMember(admin, { email: "x@shop.example", roles: ["admin"] }),
    ])
      await expect(attempt()).rejects.toBeInstanceOf(Forbidden);
    expect(await rolesOf(other.id)).toEqual(["admin"]);
    await changeRoles(admin, finance, ["finance", "developer"]);
    expect(await rolesOf(finance)).toEqual(["finance", "developer"]);
    await changeRoles(owner, other.id, ["owner"]);
    expect(await lastAudit(other.id)).toMatchObject({
      action: "member.change_roles",
      before: { roles: ["admin"] },
      after: { roles: ["owner"] },
    });
  });

  it("nobody changes a member of another merchant", async () => {
    const elsewhere = await createMerchant("Other", ["BRL"]);
    const stranger = { ...owner, scope: { ...owner.scope, merchantId: elsewhere } };
    for (const id of [finance, "mem_x"])
      await expect(disableMember(stranger, id)).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("the last owner", () => {
  it("keeps the role and is not kept out, by themselves or the operator", async () => {
    const { id } = owner.actor;
    const refused = { code: "validation_failed", message: expect.stringContaining("last owner") as string };
    for (const by of [owner, operatorContext(merchantId, "test")]) {
      await expect(changeRoles(by, id, ["admin"])).rejects.toMatchObject(refused);
      await expect(disableMember(by, id)).rejects.toMatchObject(refused);
    }
    await changeRoles(owner, id, ["owner", "approver"]);
  });

  it("remains when all owners go at the same moment", async () => {
    const owners = [owner.actor.id, ...(await Promise.all([add("owner"), add("owner")])).map(({ id }) => id)];
    const leaving = await Promise.allSettled(
      owners.map((id) => disableMember({ ...owner, actor: { type: "member", id } }, id)),
    );
    expect(leaving.map(({ status }) => status).sort()).toEqual(["fulfilled", "fulfilled", "rejected"]);
    const left = (await listMembers(merchantId)).filter((one) => one.roles.includes("owner") && !one.disabledAt);
    expect(left).toHaveLength(1);
  });
});

it("a member's new password is neither the current one nor easily guessed", async () => {
  const { by } = await add("finance");
  const change = (next: string) => changeOwnPassword(by, { current: PASSWORD, next, keepSession: "" });
  for (const next of [PASSWORD, "passwordpassword", by.scope.merchantId, "too short"])
    await expect(change(next)).rejects.toMatchObject({ code: "validation_failed" });
  await change("seven green lamps");
});

describe("what is done counts at once", () => {
  const USED = { isBackground: false };
  const open = async (id: string) => ({ merchantId, sessionId: await enterAs({ id, merchantId }, "") });

  it("other roles at the next call of an open session", async () => {
    const session = await open(finance);
    await changeRoles(admin, finance, ["developer"]);
    expect(await findMemberSession(session, USED)).toMatchObject({ member: { roles: ["developer"] } });
  });

  it("disabling ends every session, which enabling does not revive", async () => {
    const session = await open(finance);
    await disableMember(admin, finance);
    expect(await findMemberSession(session, USED)).toBeNull();
    expect(await lastAudit(finance)).toMatchObject({ action: "member.disable", after: { sessions_ended: 1 } });
    await enableMember(admin, finance);
    expect(await findMemberSession(session, USED)).toBeNull();
    expect(await findMemberSession(await open(finance), USED)).not.toBeNull();
  });

  it("ending sessions, and a reset, which ends the password at once", async () => {
    const { id, email } = await add("finance");
    const session = await open(id);
    await endSessionsOf(admin, id);
    expect(await findMemberSession(session, USED)).toBeNull();
    const another = await open(id);
    await resetPassword(admin, id);
    expect(await findMemberSession(another, USED)).toBeNull();
    expect(await lastAudit(id)).toMatchObject({ action: "member.reset_password", after: { link: "reset" } });
    expect(await signIn({ email, password: PASSWORD, address: "" })).toBeNull();
  });
});

describe("what was begun before a change of access does not outlast it", () => {
  const USED = { isBackground: false };

  it("a sign-in that was proved before opens no session after a reset, signing out everywhere, or disabling", async () => {
    const { id, email } = await add("finance");
    const prove = async () => {
      const member = await signIn({ email, password: PASSWORD, address: newId("request") });
      if (!member) throw new Error("the password is right");
      return member;
    };
    const session = { merchantId, sessionId: await enterAs({ id, merchantId }) };
    const beforeSignOut = await prove();
    const found = await findMemberSession(session, USED);
    if (!found) throw new Error("the session is open");
    await endSessions(found, "all", { requestId: null, address: null });
    const beforeDisabling = await prove();
    await disableMember(admin, id);
    await enableMember(admin, id);
    const beforeReset = await prove();
    await resetPassword(admin, id);
    for (const member of [beforeSignOut, beforeDisabling, beforeReset])
      expect(await openSession(member, "")).toBeNull();
  });

  it("a change of the password that a reset overtakes is refused, and the reset's link works", async () => {
    const { by, id, email } = await add("finance");
    const change = { current: PASSWORD, next: "seven green lamps", keepSession: "" };
    const changing = changeOwnPassword(by, change).catch((error: unknown) => error);
    const { link } = await resetPassword(admin, id);
    expect(await changing).toMatchObject({ code: "validation_failed" });
    expect(await signIn({ email, password: "seven green lamps", address: newId("request") })).toBeNull();
    await choosePassword(new URL(link).hash.slice(1), "eight brown lamps", { requestId: null, address: null });
    expect(await signIn({ email, password: "eight brown lamps", address: newId("request") })).toMatchObject({ id });
  });

  it("an act on members by somebody who was disabled or demoted meanwhile is refused", async () => {
    const other = await add("owner");
    const clerk = await add("finance");
    await disableMember(owner, other.id);
    await expect(changeRoles(other.by, clerk.id, ["developer"])).rejects.toThrow(Forbidden);
    await expect(inviteMember(other.by, { email: "a@b.example", roles: ["finance"] })).rejects.toThrow(Forbidden);
    const demoted = await add("admin");
    await changeRoles(owner, demoted.id, ["developer"]);
    await expect(disableMember(demoted.by, clerk.id)).rejects.toThrow(Forbidden);
    await expect(inviteMember(demoted.by, { email: "a@b.example", roles: ["finance"] })).rejects.toThrow(Forbidden);
  });

  it("a proof that took so long that the member lost the role, or the session, proves nothing", async () => {
    const developer = await add("developer");
    const sessionId = await enterAs({ id: developer.id, merchantId });
    const live = { ...developer.by, scope: { merchantId, environment: "live" as const }, sessionId };
    await requireStepUp(live, "key_create", { password: PASSWORD });
    await changeRoles(admin, developer.id, ["finance"]);
    await expect(requireStepUp(live, "key_create", { password: PASSWORD })).rejects.toThrow(Forbidden);
    await changeRoles(admin, developer.id, ["developer"]);
    await endSessionsOf(admin, developer.id);
    await expect(requireStepUp(live, "key_create", { password: PASSWORD })).rejects.toMatchObject({
      code: "unauthorized",
    });
  });
});

it("a member without a role of live, or whose role waits, can be disabled and enabled again", async () => {
  const { id } = await add("developer");
  await changeTestRoles(owner, id, ["owner"]);
  await changeRoles(owner, id, []);
  await disableMember(owner, id);
  expect(await enableMember(owner, id)).toMatchObject({ disabledAt: null, roles: [] });
});
