// One-time links: one use, one day, one member, and nobody but the member gets to know a password.

import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { disconnect, query } from "@/server/db/client";
import type { CallContext } from "@/server/domain/scope";
import { sha256Hex } from "@/server/platform/crypto";
import { createMerchant } from "../merchants/create";
import { operatorContext } from "../merchants/operator";
import { findMemberSession } from "../sign-in/sessions";
import { signIn } from "../sign-in/sign-in";
import { enterAs } from "../sign-in/testing/sessions";
import { addMember, changeRoles, disableMember, enableMember, inviteMember, resetPassword, revokeLink } from "./manage";
import { choosePassword, showLink } from "./one-time-links";

const clock = vi.hoisted(() => ({ aheadMs: 0 }));
vi.mock("@/server/platform/clock", async (original) => ({
  ...(await original<object>()),
  now: () => new Date(Date.now() + clock.aheadMs),
}));

const CALL = { requestId: null, address: "192.0.2.1" };
const DAY_MS = 24 * 60 * 60_000;
const GONE = { code: "not_found" };

let owner: CallContext;
let merchantId: string;
let count = 0;

beforeEach(async () => {
  clock.aheadMs = 0;
  merchantId = await createMerchant("Shop", ["BRL"]);
  const operator = operatorContext(merchantId, "test");
  const id = await addMember(
    operator,
    { email: `owner@${merchantId}.example`, roles: ["owner"] },
    "a first owner's words",
  );
  owner = { ...operator, actor: { type: "member", id } };
});
afterAll(() => disconnect());

async function invite() {
  count += 1;
  const email = `new-${count}@${merchantId}.example`;
  const { id, link } = await inviteMember(owner, { email, roles: ["finance"] });
  return { id, email, token: tokenOf(link) };
}

const tokenOf = (link: string) => link.split("#")[1] ?? "";

const attempt = ({ email }: { readonly email: string }, password: string) => signIn({ email, password, address: "" });

describe("an invited member", () => {
  it("cannot sign in before they have chosen a password, and then by this password only", async () => {
    const person = await invite();
    for (const password of ["", "null", person.token]) expect(await attempt(person, password)).toBeNull();
    expect(await showLink(person.token)).toMatchObject({
      email: person.email,
      purpose: "invite",
      merchantName: "Shop",
    });
    await choosePassword(person.token, "seven green lamps", CALL);
    expect(await attempt(person, "seven green lamps")).toMatchObject({ id: person.id, roles: ["finance"] });
    expect(await attempt(person, "another password")).toBeNull();
  });

  it("is the actor of the choice in the audit log, which holds neither password nor token", async () => {
    const { id, token } = await invite();
    await choosePassword(token, "seven green lamps", CALL);
    const [entry] = await query<Record<string, unknown>>(
      "SELECT * FROM audit_entry WHERE object_id = $1 AND action = 'member.choose_password'",
      id,
    );
    expect(entry).toMatchObject({
      actor_type: "member",
      actor_id: id,
      address: "192.0.2.1",
      after: { link: "invite" },
    });
    const kept = await query("SELECT * FROM one_time_link WHERE member_id = $1", id);
    for (const secret of [token, "seven green lamps"])
      expect(JSON.stringify([entry, kept], (_, value) => value as unknown)).not.toContain(secret);
    expect(JSON.stringify(kept)).toContain(sha256Hex(token));
  });
});

describe("a link", () => {
  it("works once, also for two who use it at the same moment", async () => {
    const { token } = await invite();
    const both = await Promise.allSettled([
      choosePassword(token, "the first of two", CALL),
      choosePassword(token, "the second of two", CALL),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    await expect(choosePassword(token, "the third password", CALL)).rejects.toMatchObject(GONE);
    await expect(showLink(token)).rejects.toMatchObject(GONE);
  });

  it("is not used up by looking at it, nor by a password that is refused", async () => {
    const { token } = await invite();
    await showLink(token);
    await expect(choosePassword(token, "short", CALL)).rejects.toMatchObject({ code: "validation_failed" });
    await choosePassword(token, "seven green lamps", CALL);
  });

  it("expires after 24 hours", async () => {
    const { token } = await invite();
    clock.aheadMs = DAY_MS - 60_000;
    await showLink(token);
    clock.aheadMs = DAY_MS;
    await expect(showLink(token)).rejects.toMatchObject(GONE);
    await expect(choosePassword(token, "seven green lamps", CALL)).rejects.toMatchObject(GONE);
  });

  it("is void after any change of its member: a new link, other roles, disabling", async () => {
    const changes = [resetPassword, disableMember, (by: CallContext, id: string) => changeRoles(by, id, ["admin"])];
    for (const change of changes) {
      const { id, token } = await invite();
      await change(owner, id);
      await expect(choosePassword(token, "seven green lamps", CALL)).rejects.toMatchObject(GONE);
    }
    const { id, token } = await invite();
    await disableMember(owner, id);
    await enableMember(owner, id);
    await expect(showLink(token)).rejects.toMatchObject(GONE);
  });

  it("is revoked by those who may change its member, at once and once, and leaves the member as they were", async () => {
    const { id, token } = await invite();
    const stranger = await createMerchant("Other", ["BRL"]);
    const elsewhere = { ...owner, scope: { ...owner.scope, merchantId: stranger } };
    await expect(revokeLink(elsewhere, id)).rejects.toMatchObject({
      code: expect.stringMatching(/not_found|forbidden/) as string,
    });
    const finance = { ...owner, actor: { type: "member", id: (await invite()).id } } as const;
    await expect(revokeLink(finance, id)).rejects.toMatchObject({ code: "forbidden" });
    await showLink(token);
    const results = await Promise.allSettled([
      revokeLink(owner, id),
      choosePassword(token, "seven green lamps", CALL),
      revokeLink(owner, id),
    ]);
    const chosen = results[1].status === "fulfilled";
    await expect(showLink(token)).rejects.toMatchObject(GONE);
    await expect(choosePassword(token, "eight blue lamps", CALL)).rejects.toMatchObject(GONE);
    const [row] = await query<{ roles: string[]; password: boolean }>(
      "SELECT roles, password_hash IS NOT NULL AS password FROM member WHERE id = $1",
      id,
    );
    expect(row).toEqual({ roles: ["finance"], password: chosen });
    await revokeLink(owner, id);
    const entries = await query<{ action: string }>(
      "SELECT action FROM audit_entry WHERE merchant_id = $1 AND object_id = $2 AND action = 'member.revoke_link'",
      merchantId,
      id,
    );
    expect(entries).toHaveLength(chosen ? 0 : 1);
  });

  it("gives authority when it is used, so that waiting with a copied link does not evade the cool-down", async () => {
    const authorityOf = async (id: string) => {
      const rows = await query<{ test_ms: number; live_ms: number }>(
        `SELECT extract(epoch FROM authority_test_from)::float8 * 1000 AS test_ms,
                extract(epoch FROM authority_live_from)::float8 * 1000 AS live_ms FROM member WHERE id = $1`,
        id,
      );
      return rows[0] ?? { test_ms: 0, live_ms: 0 };
    };
    const { id, token } = await invite();
    const given = await authorityOf(id);
    clock.aheadMs = DAY_MS - 60_000;
    await choosePassword(token, "seven green lamps", CALL);
    const renewed = await authorityOf(id);
    expect(renewed.test_ms - given.test_ms).toBeGreaterThanOrEqual(DAY_MS - 60_000);
    expect(renewed.live_ms - renewed.test_ms).toBe(DAY_MS);
  });

  it("of no form, or that nobody made, is answered like an expired one", async () => {
    for (const token of ["", "x", "0".repeat(43), "' OR true --"])
      await expect(showLink(token)).rejects.toMatchObject(GONE);
  });
});

describe("a reset", () => {
  it("ends password and sessions at once; the person who reset it learns no password", async () => {
    const person = await invite();
    await choosePassword(person.token, "seven green lamps", CALL);
    const session = { merchantId, sessionId: await enterAs({ id: person.id, merchantId }, "") };
    const { link, ...rest } = await resetPassword(owner, person.id);
    expect(rest).toEqual({ expiresAt: expect.any(Date), isMailed: false });
    expect(await findMemberSession(session, { isBackground: false })).toBeNull();
    expect(await attempt(person, "seven green lamps")).toBeNull();
    await choosePassword(tokenOf(link), "eight blue lamps", CALL);
    expect(await attempt(person, "eight blue lamps")).toMatchObject({ id: person.id });
  });
});
