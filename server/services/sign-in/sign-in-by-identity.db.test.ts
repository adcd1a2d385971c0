// Single sign-on: whom an identity signs in, and what a fresh sign-in proves.
import { beforeEach, describe, expect, it } from "vitest";
import { query } from "@/server/db/client";
import type { CallContext } from "@/server/domain/scope";
import { type Env, env } from "@/server/platform/env";
import { makeMember, makeMerchant } from "@/server/testing/merchant";
import { inviteMember, resetPassword } from "../members/manage";
import { showLink } from "../members/one-time-links";
import { operatorContext } from "../merchants/operator";
import { recentNotices } from "../notices/notices";
import { awaitsFreshSignIn, beginFreshSignIn, completeFreshSignIn } from "./fresh-sign-in";
import { requireCodesToSignIn } from "./required-codes";
import { findMemberSession, type MemberSession, type SignInMethod } from "./sessions";
import { membershipsOf, type ProvenIdentity, resetIdentities, signInByIdentity } from "./sign-in-by-identity";
import { requireStepUp } from "./step-up";
import { enterAs } from "./testing/sessions";

const ISSUER = "https://login.example.com";
const ADDRESS = "192.0.2.1";
const REQUIRED = { name: "FreshSignInRequired" };

const shared = globalThis as typeof globalThis & { sluiceEnv?: Env };
const OPENID = { issuer: ISSUER, clientId: "sluice", clientSecret: "s", name: "Acme" };

let merchantId: string;
let email: string;
let memberId: string;
beforeEach(async () => {
  shared.sluiceEnv = { ...env(), openId: { ...OPENID, isOnlyWay: false, alwaysTwoFactors: false } };
  await query("DELETE FROM sign_in_count");
  ({ merchantId } = await makeMerchant());
  email = `${crypto.randomUUID()}@shop.example`;
  memberId = await invite(merchantId, email, "admin");
});

/** Makes a member who has not opened the invitation; returns the id. */
async function invite(toMerchant: string, address: string, role: string): Promise<string> {
  const { id } = await inviteMember(operatorContext(toMerchant, "test"), { email: address, roles: [role] });
  return id;
}

function identity(changes: Partial<ProvenIdentity> = {}): ProvenIdentity {
  const base = { issuer: ISSUER, subject: `sub-of-${email}`, email, authenticatedAt: new Date(), hasTwoFactors: false };
  return { ...base, ...changes };
}

/** The subjects that are connected with members of a merchant. */
async function findSubjects(ofMerchant: string): Promise<string[]> {
  const rows = await query<{ subject: string }>(
    "SELECT subject FROM member_identity WHERE merchant_id = $1",
    ofMerchant,
  );
  return rows.map(({ subject }) => subject);
}

const signIn = (changes: Partial<ProvenIdentity> = {}) => signInByIdentity(identity(changes), ADDRESS);

describe("the first sign-in", () => {
  it("connects the member with the verified address, with a notice", async () => {
    expect(await signIn()).toMatchObject({ id: memberId, merchantId });
    const notices = await recentNotices({ merchantId, memberId });
    expect(notices.map(({ text }) => text)).toEqual([`${email} connected single sign-on to the account of ${email}.`]);
  });

  it("signs nobody in by an address that the provider has not verified", async () => {
    expect(await signIn({ email: null })).toBe("NotAMember");
  });

  it("signs in nobody with an address that no member has", async () => {
    expect(await signIn({ email: "stranger@shop.example", subject: crypto.randomUUID() })).toBe("NotAMember");
  });

  it("voids the invitation, which others may have copied", async () => {
    const context = operatorContext(merchantId, "test");
    const invited = `${crypto.randomUUID()}@shop.example`;
    const { link } = await inviteMember(context, { email: invited, roles: ["finance"] });
    const token = new URL(link).hash.slice(1);
    await showLink(token);
    expect(await signIn({ email: invited, subject: invited })).toMatchObject({ email: invited });
    await expect(showLink(token)).rejects.toMatchObject({ code: "not_found" });
  });

  it("connects one identity if two people arrive at once with the same address", async () => {
    const two = await Promise.all(["a", "b"].map((subject) => signIn({ subject: `${subject}-${email}` })));
    expect(two.filter((one) => one === "NotAMember")).toHaveLength(1);
  });
});

describe("later sign-ins", () => {
  beforeEach(() => signIn());

  it("go by the subject, whatever the address is now", async () => {
    expect(await signIn({ email: "renamed@shop.example" })).toMatchObject({ id: memberId });
    expect(await signIn({ email: null })).toMatchObject({ id: memberId });
  });

  it("are refused to another subject with the member's address", async () => {
    expect(await signIn({ subject: "somebody else" })).toBe("NotAMember");
  });

  it("are refused to the same subject of another issuer, unless its address is verified", async () => {
    expect(await signIn({ issuer: "https://evil.example", email: null })).toBe("NotAMember");
  });

  it("are refused to a disabled member, who does not become another member with the same address", async () => {
    await query("UPDATE member SET email = 'old@' || id WHERE merchant_id = $1 AND id = $2", merchantId, memberId);
    await invite(merchantId, email, "owner");
    await query("UPDATE member SET disabled_at = now() WHERE merchant_id = $1 AND id = $2", merchantId, memberId);
    expect(await signIn()).toBe("NotAMember");
  });

  it("connect anew after the operator has disconnected the member, whose authority then starts anew", async () => {
    const since = () =>
      query<{ at: Date }>(
        "SELECT authority_live_from AS at FROM member WHERE merchant_id = $1 AND id = $2",
        merchantId,
        memberId,
      );
    const [before] = await since();
    expect(await resetIdentities(operatorContext(merchantId, "test"), memberId)).toBe(1);
    expect((await since())[0]?.at.getTime()).toBeGreaterThan(before?.at.getTime() ?? 0);
    expect(await signIn({ subject: "a new account" })).toMatchObject({ id: memberId });
  });
});

describe("a member who has a password", () => {
  let own: { readonly email: string; readonly id: string };
  beforeEach(async () => {
    const address = `${crypto.randomUUID()}@shop.example`;
    own = { email: address, id: await makeMember(merchantId, address, "admin") };
  });

  it("is not connected by the address alone: somebody else may have opened the invitation and chosen it", async () => {
    expect(await signIn(own)).toBe("PasswordRequired");
    expect(await findSubjects(merchantId)).toEqual([]);
  });

  it("is connected with the password, which is asked for once", async () => {
    const provenMemberId = own.id;
    expect(await signInByIdentity(identity({ email: own.email }), ADDRESS, { provenMemberId })).toMatchObject(own);
    expect(await signIn({ email: own.email })).toMatchObject(own);
  });

  it("is not connected by the password of another member", async () => {
    const provenMemberId = memberId;
    expect(await signInByIdentity(identity({ email: own.email }), ADDRESS, { provenMemberId })).toBe(
      "PasswordRequired",
    );
  });

  it("is connected by the address after a reset, which ends the password", async () => {
    await resetPassword(operatorContext(merchantId, "test"), own.id);
    expect(await signIn({ email: own.email })).toMatchObject(own);
  });
});

describe("a person with members in several merchants", () => {
  let other: { readonly merchantId: string; readonly memberId: string };
  beforeEach(async () => {
    await signIn();
    const merchant = await makeMerchant();
    other = { ...merchant, memberId: await invite(merchant.merchantId, email, "owner") };
  });

  it("is asked which, so that an invitation from a stranger's merchant diverts nobody", async () => {
    expect(await signIn()).toBe("SeveralMerchants");
    const { found, isPartial } = await membershipsOf(identity());
    expect(isPartial).toBe(false);
    expect(found).toEqual([
      expect.objectContaining({ merchantId, isLinked: true }),
      expect.objectContaining({ merchantId: other.merchantId, isLinked: false }),
    ]);
    expect(await findSubjects(other.merchantId)).toEqual([]);
  });

  it("enters the one that was chosen, and is connected there", async () => {
    expect(await signInByIdentity(identity(), ADDRESS, { chosenMerchantId: other.merchantId })).toMatchObject({
      id: other.memberId,
    });
    expect(await findSubjects(other.merchantId)).toEqual([identity().subject]);
    expect(await signInByIdentity(identity(), ADDRESS, { chosenMerchantId: merchantId })).toMatchObject({
      id: memberId,
    });
  });

  it("cannot choose a merchant in which they are nobody", async () => {
    const { merchantId: foreign } = await makeMerchant();
    expect(await signInByIdentity(identity(), ADDRESS, { chosenMerchantId: foreign })).toBe("NotAMember");
  });

  it("enters the one that is left when the other disables them", async () => {
    await query("UPDATE member SET disabled_at = now() WHERE merchant_id = $1 AND id = $2", merchantId, memberId);
    expect(await signIn()).toMatchObject({ id: other.memberId });
  });
});

describe("where the merchant requires a second factor to sign in", () => {
  beforeEach(() => requireCodesToSignIn(operatorContext(merchantId, "test"), true));

  it("a provider that states one signs in, and one that does not is refused", async () => {
    expect(await signIn()).toBe("SecondFactorMissing");
    expect(await signIn({ hasTwoFactors: true })).toMatchObject({ id: memberId });
  });

  it.each([
    ["single_sign_on", true],
    ["single_sign_on_two_factors", false],
  ] as const)("a session by %s that was open before has no role: %s", async (method, mustEnrol) => {
    expect(await sessionBy(method)).toMatchObject({ mustEnrol });
  });
});

async function sessionBy(method: SignInMethod): Promise<MemberSession> {
  const sessionId = await enterAs({ id: memberId, merchantId }, ADDRESS, "", method);
  const session = await findMemberSession({ merchantId, sessionId }, { isBackground: false });
  if (!session) throw new Error("the session is not open");
  return session;
}

describe("a fresh sign-in", () => {
  let session: MemberSession;
  let call: CallContext;
  beforeEach(async () => {
    await signIn();
    session = await sessionBy("single_sign_on");
    const scope = { merchantId, environment: "live" } as const;
    const actor = { type: "member", id: memberId } as const;
    call = { scope, actor, requestId: null, address: null, sessionId: session.sessionId };
  });

  const act = (freshSignIn: string, context = call) => requireStepUp(context, "key_create", { freshSignIn });

  it("proves one act, once", async () => {
    const id = await beginFreshSignIn(session);
    expect(await awaitsFreshSignIn(session, id)).toBe(true);
    await expect(act(id)).rejects.toMatchObject(REQUIRED);
    expect(await completeFreshSignIn(session, id, identity())).toBe(true);
    const both = await Promise.allSettled([act(id), act(id)]);
    expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await expect(act(id)).rejects.toMatchObject(REQUIRED);
  });

  it("must be later than the act's question: an old sign-in at the provider proves nothing", async () => {
    const id = await beginFreshSignIn(session);
    const old = new Date(Date.now() - 60_000);
    expect(await completeFreshSignIn(session, id, identity({ authenticatedAt: old }))).toBe(false);
    expect(await completeFreshSignIn(session, id, identity({ authenticatedAt: null }))).toBe(false);
    await expect(act(id)).rejects.toMatchObject(REQUIRED);
  });

  it("of somebody else proves nothing, and is audited", async () => {
    const id = await beginFreshSignIn(session);
    expect(await completeFreshSignIn(session, id, identity({ subject: "a colleague" }))).toBe(false);
    const entries = await query(
      "SELECT FROM audit_entry WHERE merchant_id = $1 AND action = $2",
      merchantId,
      "member.fresh_sign_in_refused",
    );
    expect(entries).toHaveLength(1);
  });

  it("counts for the session that asked for it only", async () => {
    const other = await sessionBy("single_sign_on");
    const id = await beginFreshSignIn(session);
    expect(await awaitsFreshSignIn(other, id)).toBe(false);
    expect(await completeFreshSignIn(other, id, identity())).toBe(false);
    expect(await completeFreshSignIn(session, id, identity())).toBe(true);
    await expect(act(id, { ...call, sessionId: other.sessionId })).rejects.toMatchObject(REQUIRED);
    await act(id);
  });

  it("does not replace the second factor of a member who has one", async () => {
    await query(
      `INSERT INTO member_totp (merchant_id, member_id, secret_sealed, created_at, confirmed_at, recovery_hashes)
       VALUES ($1, $2, 'k1.sealed', now(), now(), '{}')`,
      merchantId,
      memberId,
    );
    const id = await beginFreshSignIn(session);
    await completeFreshSignIn(session, id, identity());
    await expect(act(id)).rejects.toMatchObject({ name: "CodeRequired" });
  });

  it("is not offered to a member whom the provider does not know", async () => {
    const stranger = await makeMember(merchantId, `${crypto.randomUUID()}@shop.example`, "admin");
    const theirs = { ...call, actor: { type: "member", id: stranger } as const };
    await expect(act("", theirs)).rejects.toMatchObject({ name: "PasswordRequired" });
  });
});
