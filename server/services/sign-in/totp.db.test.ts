// One-time codes: set up by a first code, asked for where they must be, good once, throttled, recoverable.

import { randomUUID } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { disconnect, query } from "@/server/db/client";
import { CodeRequired, Forbidden } from "@/server/domain/errors";
import type { Role } from "@/server/domain/permissions";
import type { CallContext } from "@/server/domain/scope";
import { addMember, disableMember } from "../members/manage";
import { createMerchant } from "../merchants/create";
import { operatorContext } from "../merchants/operator";
import { recentNotices } from "../notices/notices";
import { enrolTotp } from "./enrol";
import { requireCodesToSignIn } from "./required-codes";
import { findMemberSession } from "./sessions";
import { signIn } from "./sign-in";
import { requireSecondFactor, requireStepUp, STEP_UP_ACTS, setStepUp, showStepUp } from "./step-up";
import { enterAs } from "./testing/sessions";
import { beginTotp, confirmTotp, endTotp, hasTotp, resetTotp, spendCode } from "./totp";

/** The middle of a step, which does not end while a test runs. */
const clock = vi.hoisted(() => ({ ms: Math.floor(Date.now() / 30_000) * 30_000 + 15_000 }));
vi.mock("@/server/platform/clock", async (original) => ({
  ...(await original<object>()),
  now: () => new Date(clock.ms),
}));

const PASSWORD = "correct horse battery";

let owner: { readonly merchantId: string; readonly memberId: string };
let email: string;
let call: CallContext;

beforeEach(async () => {
  const merchantId = await createMerchant("Shop", ["BRL"]);
  email = `${randomUUID()}@staff.example`;
  const id = await addMember(operatorContext(merchantId, "test"), { email, roles: ["approver"] }, PASSWORD);
  owner = { merchantId, memberId: id };
  const scope = { merchantId, environment: "test" } as const;
  call = { scope, actor: { type: "member", id }, requestId: null, address: null };
});
afterAll(() => disconnect());

/** The code of a secret, so many steps from now. */
function codeOf(secret: string, steps = 0): string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  return totp.generate({ timestamp: clock.ms + steps * 30_000 });
}

/** Sets codes up by the code of the step before, so that those of this one and the next are still good. */
async function enrol() {
  const { secret, uri } = await beginTotp(owner, email, "");
  const { recoveryCodes } = await confirmTotp(call, codeOf(secret, -1), "");
  return { secret, uri, recoveryCodes };
}

describe("setting up", () => {
  it("takes a first code, and leaves neither the secret nor the recovery codes readable in the database", async () => {
    const { secret } = await beginTotp(owner, email, "");
    expect(await hasTotp(owner)).toBe(false);
    await expect(confirmTotp(call, "000", "")).rejects.toMatchObject({ code: "validation_failed" });
    const { recoveryCodes } = await confirmTotp(call, codeOf(secret), "");
    expect([await hasTotp(owner), new Set(recoveryCodes).size]).toEqual([true, 10]);
    const [row] = await query<{ text: string }>(
      `SELECT (SELECT string_agg(t::text, ' ') FROM member_totp t WHERE member_id = $1)
              || (SELECT string_agg(e::text, ' ') FROM audit_entry e WHERE object_id = $1) AS text`,
      owner.memberId,
    );
    expect(row?.text).toContain("member.totp_enrol");
    for (const kept of [secret, ...recoveryCodes]) expect(row?.text).not.toContain(kept);
    await expect(beginTotp(owner, email, "")).rejects.toMatchObject({ code: "validation_failed" });
  });

  it("that was begun anew goes by the new secret alone", async () => {
    const first = await beginTotp(owner, email, "");
    const second = await beginTotp(owner, email, "");
    await expect(confirmTotp(call, codeOf(first.secret), "")).rejects.toMatchObject({ code: "validation_failed" });
    await confirmTotp(call, codeOf(second.secret), "");
  });

  it("names issuer and member for the authenticator", async () => {
    const { uri } = await beginTotp(owner, email, "");
    expect(uri).toMatch(/^otpauth:\/\/totp\/Sluice:.*secret=[A-Z2-7]{32}/);
  });
});

describe("enrolling from a stolen session", () => {
  it("fails without the password", async () => {
    const enrolWith = (password: string) => enrolTotp(call, "", { password, proof: {}, label: email });
    await expect(enrolWith("")).rejects.toMatchObject({ name: "PasswordRequired" });
    await expect(enrolWith("not the password")).rejects.toMatchObject({ code: "validation_failed" });
    const { secret } = await enrolTotp(call, "", { password: PASSWORD, proof: {}, label: email });
    await confirmTotp(call, codeOf(secret), "");
  });

  it("ends with the enrolment, like every session but the one that enrolled", async () => {
    const { merchantId, memberId: id } = owner;
    const [mine, stolen] = [await enterAs({ id, merchantId }, ""), await enterAs({ id, merchantId }, "")];
    const { secret } = await enrolTotp(call, mine, { password: PASSWORD, proof: {}, label: email });
    await confirmTotp(call, codeOf(secret), mine);
    const used = { isBackground: false };
    expect(await findMemberSession({ merchantId, sessionId: mine }, used)).not.toBeNull();
    expect(await findMemberSession({ merchantId, sessionId: stolen }, used)).toBeNull();
  });
});

describe("a secret that waits for its first code", () => {
  it("is confirmed only by the session that began it, within ten minutes", async () => {
    const { merchantId, memberId: id } = owner;
    const [mine, another] = [await enterAs({ id, merchantId }), await enterAs({ id, merchantId })];
    const { secret } = await enrolTotp(call, mine, { password: PASSWORD, proof: {}, label: email });
    await expect(confirmTotp(call, codeOf(secret, -1), another)).rejects.toMatchObject({ code: "validation_failed" });
    const age = (interval: string) =>
      query("UPDATE member_totp SET created_at = now() - $2::interval WHERE member_id = $1", id, interval);
    await age("11 minutes");
    await expect(confirmTotp(call, codeOf(secret), mine)).rejects.toMatchObject({ code: "validation_failed" });
    await age("9 minutes");
    await confirmTotp(call, codeOf(secret, 1), mine);
    const [notice] = await recentNotices({ merchantId, memberId: id });
    expect(notice?.text).toBe(`${email} set up one-time codes for the account of ${email}.`);
  });
});

describe("a merchant that requires codes to sign in", () => {
  it("gives a member without codes a session without a role, until they set codes up", async () => {
    const { merchantId, memberId: id } = owner;
    const key = { merchantId, sessionId: await enterAs({ id, merchantId }, "") };
    const session = () => findMemberSession(key, { isBackground: false });
    const operator = operatorContext(merchantId, "test");
    await requireCodesToSignIn(operator, true);
    expect(await session()).toMatchObject({ mustEnrol: true, member: { roles: [] } });
    const { secret } = await enrolTotp(call, key.sessionId, { password: PASSWORD, proof: {}, label: email });
    expect(await session()).toMatchObject({ mustEnrol: true, member: { roles: [] } });
    await confirmTotp(call, codeOf(secret), key.sessionId);
    expect(await session()).toMatchObject({ mustEnrol: false, member: { roles: ["approver"] } });
    await endTotp({ ...call, sessionId: key.sessionId }, codeOf(secret, 1));
    expect(await session()).toMatchObject({ mustEnrol: true, member: { roles: [] } });
    await requireCodesToSignIn(operator, false);
    expect(await session()).toMatchObject({ mustEnrol: false, member: { roles: ["approver"] } });
  });
});

describe("a code", () => {
  it("is good once, also for two who send it at the same moment, and so is every one before it", async () => {
    const { secret } = await enrol();
    const code = codeOf(secret);
    const both = await Promise.all([spendCode(call, code), spendCode(call, code)]);
    expect(both.sort()).toEqual([false, true]);
    expect(await spendCode(call, codeOf(secret, -1))).toBe(false);
    expect(await spendCode(call, codeOf(secret, 1))).toBe(true);
  });

  it("of long ago, of far ahead, of another member, or in no form at all is refused", async () => {
    const { secret } = await enrol();
    for (const code of [
      codeOf(secret, -10),
      codeOf(secret, 10),
      codeOf(new Secret().base32),
      "",
      "abcdef",
      "1".repeat(60),
    ])
      expect([code, await spendCode(call, code)]).toEqual([code, false]);
  });

  it("can be replaced by a recovery code, once", async () => {
    const { recoveryCodes } = await enrol();
    const [first = "", second = ""] = recoveryCodes;
    expect([await spendCode(call, first), await spendCode(call, first)]).toEqual([true, false]);
    expect(await spendCode(call, ` ${second} `)).toBe(true);
  });

  it("is refused after ten failures, however right", async () => {
    const { secret } = await enrol();
    for (let failure = 0; failure < 10; failure += 1) expect(await spendCode(call, "000")).toBe(false);
    expect(await spendCode(call, codeOf(secret))).toBe(false);
  });
});

describe("signing in", () => {
  const attempt = (code?: string, password = PASSWORD) => signIn({ email, password, code, address: "192.0.2.1" });

  it("asks for a code after the right password only", async () => {
    expect(await attempt()).not.toBeNull();
    const { secret } = await enrol();
    await expect(attempt()).rejects.toBeInstanceOf(CodeRequired);
    await expect(attempt("000")).rejects.toBeInstanceOf(CodeRequired);
    const code = codeOf(secret);
    expect(await attempt(code, "not the password")).toBeNull();
    expect(await attempt(code)).toMatchObject({ id: owner.memberId });
    await expect(attempt(code)).rejects.toBeInstanceOf(CodeRequired);
  });
});

describe("an act that the merchant asks a code for", () => {
  it("is open without one until the setting says otherwise, and to nobody who has none set up", async () => {
    await requireStepUp(call, "approve", {});
    expect(await setStepUp(operatorContext(owner.merchantId, "test"), ["key_roll", "approve"])).toEqual([
      "approve",
      "key_roll",
    ]);
    await expect(requireStepUp(call, "approve", {})).rejects.toBeInstanceOf(Forbidden);
    const { secret } = await enrol();
    for (const code of [undefined, "", "000"])
      await expect(requireStepUp(call, "approve", { code })).rejects.toBeInstanceOf(CodeRequired);
    const code = codeOf(secret);
    await requireStepUp(call, "approve", { code });
    await expect(requireStepUp(call, "key_roll", { code })).rejects.toBeInstanceOf(CodeRequired);
    await setStepUp(operatorContext(owner.merchantId, "test"), ["key_roll"]);
    await requireStepUp(call, "approve", {});
  });

  it("is told with how many of those who do it could give one; who is disabled or has none in use does not count", async () => {
    const operator = operatorContext(owner.merchantId, "test");
    const add = (roles: readonly Role[]) =>
      addMember(operator, { email: `${randomUUID()}@staff.example`, roles: [...roles] }, PASSWORD);
    await add(["developer"]);
    await add(["owner"]);
    const begun = await add(["approver"]);
    await beginTotp({ merchantId: owner.merchantId, memberId: begun }, email, "");
    await disableMember(operator, await add(["admin"]));
    await enrol();
    await setStepUp(operator, ["approve"]);
    const shown = await showStepUp(owner.merchantId);
    expect(shown.map(({ act }) => act)).toEqual([...STEP_UP_ACTS]);
    expect(shown.filter(({ act }) => act === "approve" || act === "key_roll")).toEqual([
      { act: "approve", isRequired: true, members: 3, withSecondFactor: 1 },
      { act: "key_roll", isRequired: false, members: 2, withSecondFactor: 0 },
    ]);
  });

  it("is changed by a member who gives a code, and so has one to give, under their name", async () => {
    await expect(requireSecondFactor(call, { code: "000000" })).rejects.toMatchObject({ code: "validation_failed" });
    const { secret } = await enrol();
    for (const code of [undefined, "", "000"])
      await expect(requireSecondFactor(call, { code })).rejects.toBeInstanceOf(CodeRequired);
    await requireSecondFactor(call, { code: codeOf(secret) });
    await setStepUp(call, ["approve"]);
    const [entry] = await query(
      `SELECT actor_type, actor_id, environment, before, after FROM audit_entry
       WHERE merchant_id = $1 AND action = 'merchant.set_totp'`,
      owner.merchantId,
    );
    expect(entry).toEqual({
      actor_type: "member",
      actor_id: owner.memberId,
      environment: null,
      before: { totp_required_for: [] },
      after: { totp_required_for: ["approve"] },
    });
  });

  it("is one that there is", async () => {
    await expect(setStepUp(operatorContext(owner.merchantId, "test"), ["cancel"])).rejects.toMatchObject({
      code: "validation_failed",
    });
  });
});

describe("taking codes away", () => {
  it("needs a code of the member, or the operator", async () => {
    const { secret } = await enrol();
    await expect(endTotp(call, "000")).rejects.toMatchObject({ code: "validation_failed" });
    await endTotp(call, codeOf(secret));
    expect(await hasTotp(owner)).toBe(false);
    const operator = operatorContext(owner.merchantId, "test");
    expect(await resetTotp(operator, owner.memberId)).toBe(false);
    await enrol();
    expect(await resetTotp(operator, owner.memberId)).toBe(true);
    expect(await hasTotp(owner)).toBe(false);
  });
});
