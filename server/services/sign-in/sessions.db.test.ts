// How long a session lasts, and that ending one counts at the next request.
import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, it } from "vitest";
import { disconnect, prisma, query } from "@/server/db/client";
import { newId } from "@/server/platform/ids";
import { makeMember } from "@/server/testing/merchant";
import { createMerchant } from "../merchants/create";
import { reapSessions } from "./reap-sessions";
import { endSessions, findMemberSession, openSessionsOf } from "./sessions";
import { enterAs } from "./testing/sessions";

const MINUTE_MS = 60_000;
const CALL = { requestId: null, address: null };
const USED = { isBackground: false };

afterAll(() => disconnect());

async function signedIn() {
  const merchantId = await createMerchant("Sessions", ["BRL"]);
  const email = `${randomUUID()}@staff.example`;
  const id = await makeMember(merchantId, email, "finance");
  const open = async () => ({ merchantId, sessionId: await enterAs({ id, merchantId }, "192.0.2.1") });
  return { merchantId, id, email, open, session: await open() };
}

/** Moves a session's times into the past, as if that long had gone by. */
async function letPass(sessionId: string, ms: number): Promise<void> {
  await query(
    `UPDATE member_session SET created_at = created_at - $2::bigint * interval '1 millisecond',
       last_seen_at = last_seen_at - $2::bigint * interval '1 millisecond',
       expires_at = expires_at - $2::bigint * interval '1 millisecond' WHERE id = $1`,
    sessionId,
    ms,
  );
}

async function lastSeen(merchantId: string, id: string): Promise<number> {
  const row = await prisma().memberSession.findUniqueOrThrow({ where: { merchantId_id: { merchantId, id } } });
  return row.lastSeenAt.getTime();
}

it("an old session is deleted with its address and browser, and not a member's last one", async () => {
  const { merchantId, session, open } = await signedIn();
  const [recent, lonely] = [await open(), await signedIn()];
  const days = 24 * 60 * MINUTE_MS;
  await letPass(session.sessionId, 31 * days);
  await letPass(recent.sessionId, 29 * days);
  await letPass(lonely.session.sessionId, 90 * days);
  expect(await reapSessions()).toBe(1);
  expect(await reapSessions()).toBe(0);
  const left = await query("SELECT id FROM member_session WHERE merchant_id = $1", merchantId);
  expect(left).toEqual([{ id: recent.sessionId }]);
});

describe("a session", () => {
  it("is its member's, with the roles of this moment", async () => {
    const { merchantId, id, email, session } = await signedIn();
    const member = { id, email, merchantId, merchantName: "Sessions", roles: ["finance"], testRoles: null, name: null };
    expect(await findMemberSession(session, USED)).toEqual({ ...session, member, mustEnrol: false });
    await prisma().member.update({ where: { merchantId_id: { merchantId, id } }, data: { roles: ["developer"] } });
    expect(await findMemberSession(session, USED)).toMatchObject({ member: { roles: ["developer"] } });
  });

  it("is nobody's under another merchant, another or a malformed id", async () => {
    const [one, other] = [await signedIn(), await signedIn()];
    for (const key of [
      { merchantId: other.merchantId, sessionId: one.session.sessionId },
      { merchantId: one.merchantId, sessionId: newId("session") },
      { merchantId: one.merchantId, sessionId: "' OR true" },
    ]) {
      expect(await findMemberSession(key, USED)).toBeNull();
    }
  });

  it("ends after 15 minutes without a request of the member's own", async () => {
    const { session } = await signedIn();
    await letPass(session.sessionId, 14 * MINUTE_MS);
    expect(await findMemberSession(session, { isBackground: true })).not.toBeNull();
    await letPass(session.sessionId, 2 * MINUTE_MS);
    expect(await findMemberSession(session, USED)).toBeNull();
  });

  it("is kept alive by the member's requests, noted once a minute, and not by those of an open page", async () => {
    const { merchantId, session } = await signedIn();
    const opened = await lastSeen(merchantId, session.sessionId);
    await findMemberSession(session, USED);
    expect(await lastSeen(merchantId, session.sessionId)).toBe(opened);
    await letPass(session.sessionId, 10 * MINUTE_MS);
    const before = await lastSeen(merchantId, session.sessionId);
    await findMemberSession(session, { isBackground: true });
    expect(await lastSeen(merchantId, session.sessionId)).toBe(before);
    await findMemberSession(session, USED);
    expect(await lastSeen(merchantId, session.sessionId)).toBeGreaterThan(before);
  });

  it("ends after 8 hours, however busy", async () => {
    const { session } = await signedIn();
    for (let hour = 0; hour < 32; hour += 1) {
      await letPass(session.sessionId, 14.9 * MINUTE_MS);
      expect(await findMemberSession(session, USED)).not.toBeNull();
    }
    await letPass(session.sessionId, 6 * MINUTE_MS);
    expect(await findMemberSession(session, USED)).toBeNull();
  });

  it("ends with its member, at once", async () => {
    const { merchantId, id, session } = await signedIn();
    await prisma().member.update({ where: { merchantId_id: { merchantId, id } }, data: { disabledAt: new Date() } });
    expect(await findMemberSession(session, USED)).toBeNull();
  });
});

describe("a member's list of sessions", () => {
  it("has the open ones only, with browser, address and times, and none of a colleague", async () => {
    const { merchantId, id, session, open } = await signedIn();
    const second = await enterAs({ id, merchantId }, "2001:db8::1", `Browser\u0000/1 ${"x".repeat(600)}\ud800`);
    const idle = await open();
    await letPass(idle.sessionId, 16 * MINUTE_MS);
    const colleague = await makeMember(merchantId, `${randomUUID()}@staff.example`, "owner");
    await enterAs({ id: colleague, merchantId }, "");
    const mine = await findMemberSession(session, USED);
    if (!mine) throw new Error("no session");
    const [newest, oldest, ...rest] = await openSessionsOf(mine);
    expect([newest?.id, oldest?.id, rest]).toEqual([second, session.sessionId, []]);
    expect(newest).toMatchObject({ address: "2001:db8::1", userAgent: expect.stringMatching(/^Browser\/1 x{502}$/) });
    expect(newest?.createdAt).toBeInstanceOf(Date);
  });

  it("ends one of their own, or all others, and never a colleague's", async () => {
    const { merchantId, session, open } = await signedIn();
    const [second, third] = [await open(), await open()];
    const colleague = await makeMember(merchantId, `${randomUUID()}@staff.example`, "owner");
    const theirs = { merchantId, sessionId: await enterAs({ id: colleague, merchantId }, "") };
    const mine = await findMemberSession(session, USED);
    if (!mine) throw new Error("no session");
    for (const id of [theirs.sessionId, "", "\u0000"]) expect(await endSessions(mine, { id }, CALL)).toBe(0);
    expect(await endSessions(mine, { id: second.sessionId }, CALL)).toBe(1);
    expect(await findMemberSession(second, USED)).toBeNull();
    expect(await findMemberSession(third, USED)).not.toBeNull();
    expect(await endSessions(mine, "others", CALL)).toBe(1);
    expect(await findMemberSession(third, USED)).toBeNull();
    for (const kept of [session, theirs]) expect(await findMemberSession(kept, USED)).not.toBeNull();
  });
});

describe("signing out", () => {
  it("ends this session and leaves the member's others", async () => {
    const { open, session } = await signedIn();
    const other = await open();
    const mine = await findMemberSession(session, USED);
    if (!mine) throw new Error("no session");
    expect(await endSessions(mine, "this", CALL)).toBe(1);
    expect(await findMemberSession(session, USED)).toBeNull();
    expect(await findMemberSession(other, USED)).not.toBeNull();
    expect(await endSessions(mine, "this", CALL)).toBe(0);
  });

  it("everywhere ends all of the member's and nobody else's; both are in the audit log", async () => {
    const { merchantId, id, open, session } = await signedIn();
    const email = `${randomUUID()}@staff.example`;
    const colleague = await makeMember(merchantId, email, "owner");
    const theirs = { merchantId, sessionId: await enterAs({ id: colleague, merchantId }, "") };
    const other = await open();
    const mine = await findMemberSession(session, USED);
    if (!mine) throw new Error("no session");
    expect(await endSessions(mine, "all", CALL)).toBe(2);
    for (const key of [session, other]) expect(await findMemberSession(key, USED)).toBeNull();
    expect(await findMemberSession(theirs, USED)).not.toBeNull();
    const entries = await query<{ action: string }>(
      "SELECT action FROM audit_entry WHERE merchant_id = $1 AND object_id = $2 AND action <> 'member.create'",
      merchantId,
      id,
    );
    expect(entries.map(({ action }) => action).sort()).toEqual(["member.sign_in", "member.sign_in", "member.sign_out"]);
  });
});
