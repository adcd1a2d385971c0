// Passkeys against an authenticator in software that answers rightly, wrongly, twice and for others.

import { hash } from "@node-rs/argon2";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { query } from "@/server/db/client";
import type { CallContext } from "@/server/domain/scope";
import { makeMember, makeMerchant } from "@/server/testing/merchant";
import { tamper } from "@/server/testing/owner";
import { resetPassword } from "../members/manage";
import { operatorContext } from "../merchants/operator";
import { enrolPasskey, enrolTotp } from "./enrol";
import { rememberDevice } from "./known-device";
import { confirmPasskey, listPasskeys, removePasskey, resetPasskeys } from "./manage-passkeys";
import { beginPasskeyProof, beginPasskeySignIn } from "./passkeys";
import { requireCodesToSignIn } from "./required-codes";
import { proveBySecondFactor } from "./second-factor";
import { findMemberSession } from "./sessions";
import { signInByPasskey } from "./sign-in-by-passkey";
import { createAuthenticator, type SoftwareAuthenticator } from "./testing/authenticator";
import { enterAs } from "./testing/sessions";

const PASSWORD = "correct horse battery";
const REFUSED = { code: "validation_failed" };
const BROWSER = "the secret of this browser";

interface Person {
  readonly member: { readonly merchantId: string; readonly memberId: string };
  readonly sessionId: string;
  readonly call: CallContext;
}

let passwordHash: string;
let person: Person;
let authenticator: SoftwareAuthenticator;
beforeAll(async () => {
  passwordHash = await hash(PASSWORD, { memoryCost: 1_024, timeCost: 1 });
});
beforeEach(async () => {
  await query("DELETE FROM sign_in_count");
  person = await makePerson();
  authenticator = createAuthenticator();
});

async function makePerson(merchantId?: string): Promise<Person> {
  const owner = merchantId ?? (await makeMerchant()).merchantId;
  const memberId = await makeMember(owner, `${crypto.randomUUID()}@shop.example`, "approver");
  await query("UPDATE member SET password_hash = $2 WHERE id = $1", memberId, passwordHash);
  const sessionId = await enterAs({ id: memberId, merchantId: owner }, "");
  const scope = { merchantId: owner, environment: "test" } as const;
  const call = { scope, actor: { type: "member", id: memberId }, requestId: null, address: null, sessionId } as const;
  return { member: { merchantId: owner, memberId }, sessionId, call };
}

const enrolment = (proof = {}) => ({ password: PASSWORD, proof, label: "ana@shop.example" });

async function enrol({ call, sessionId }: Person, device = authenticator, counter = 0): Promise<void> {
  const { challenge } = await enrolPasskey(call, sessionId, enrolment());
  const registration = device.create(challenge, { counter });
  await confirmPasskey(call, sessionId, { name: "Laptop", registration, transports: ["internal"] });
}

async function signedIn(assertion: ReturnType<SoftwareAuthenticator["sign"]>, binding: string | null = BROWSER) {
  return (await signInByPasskey({ assertion, binding, address: "192.0.2.1" }))?.id ?? null;
}

const challengeToSignIn = async (binding = BROWSER) => (await beginPasskeySignIn(binding)).challenge;

describe("adding a passkey", () => {
  it("takes the password, and ends the member's other sessions", async () => {
    const { call, sessionId, member } = person;
    const stolen = await enterAs({ id: member.memberId, merchantId: member.merchantId }, "");
    const wrong = { ...enrolment(), password: "not it" };
    await expect(enrolPasskey(call, sessionId, wrong)).rejects.toMatchObject(REFUSED);
    await enrol(person);
    expect((await listPasskeys(member)).map(({ name }) => name)).toEqual(["Laptop"]);
    const used = { isBackground: false };
    const { merchantId } = member;
    expect(await findMemberSession({ merchantId, sessionId: stolen }, used)).toBeNull();
    expect(await findMemberSession({ merchantId, sessionId }, used)).not.toBeNull();
  });

  it("takes the second factor that the member has already, for one-time codes too", async () => {
    await enrol(person);
    const { call, sessionId, member } = person;
    await expect(enrolPasskey(call, sessionId, enrolment())).rejects.toMatchObject({ name: "PasskeyRequired" });
    await expect(enrolTotp(call, "", enrolment())).rejects.toMatchObject({ name: "PasskeyRequired" });
    const { challenge } = await beginPasskeyProof(member, sessionId);
    expect(await enrolPasskey(call, sessionId, enrolment({ passkey: authenticator.sign(challenge) }))).toMatchObject({
      challenge: expect.any(String),
    });
  });

  it.each([
    ["another origin", { origin: "https://evil.example" }],
    ["another site", { rpId: "evil.example" }],
    ["an unverified person", { isVerified: false }],
    ["the other ceremony", { type: "webauthn.get" }],
  ])("from %s is refused", async (_what, behavior) => {
    const { call, sessionId, member } = person;
    const { challenge } = await enrolPasskey(call, sessionId, enrolment());
    const registration = authenticator.create(challenge, behavior);
    const confirm = confirmPasskey(call, sessionId, { name: "Laptop", registration, transports: [] });
    await expect(confirm).rejects.toMatchObject(REFUSED);
    expect(await listPasskeys(member)).toEqual([]);
  });

  it("is refused with another session's challenge, the second time, and for a credential that somebody has", async () => {
    const { call, sessionId, member } = person;
    const elsewhere = await enterAs({ id: member.memberId, merchantId: member.merchantId }, "");
    const { challenge } = await enrolPasskey(call, sessionId, enrolment());
    const created = { name: "Laptop", registration: authenticator.create(challenge), transports: [] };
    await expect(confirmPasskey(call, elsewhere, created)).rejects.toMatchObject(REFUSED);
    await confirmPasskey(call, sessionId, created);
    await expect(confirmPasskey(call, sessionId, created)).rejects.toMatchObject(REFUSED);
    const somebody = await makePerson();
    await expect(enrol(somebody)).rejects.toMatchObject(REFUSED);
  });
});

describe("signing in with a passkey", () => {
  it("gives its member, once per challenge, also if two send the answer at once", async () => {
    await enrol(person);
    const answer = authenticator.sign(await challengeToSignIn(), {}, person.member.memberId);
    const both = await Promise.all([signedIn(answer), signedIn(answer)]);
    expect(both.filter((id) => id !== null)).toEqual([person.member.memberId]);
    expect(await signedIn(answer)).toBeNull();
  });

  it.each([
    ["another origin", { origin: "https://evil.example" }],
    ["another site", { rpId: "evil.example" }],
    ["an unverified person", { isVerified: false }],
    ["the other ceremony", { type: "webauthn.create" }],
  ])("from %s is refused", async (_what, behavior) => {
    await enrol(person);
    expect(await signedIn(authenticator.sign(await challengeToSignIn(), behavior))).toBeNull();
  });

  it("is refused for another browser's challenge, none, an expired one, and one for another purpose", async () => {
    await enrol(person);
    expect(await signedIn(authenticator.sign(await challengeToSignIn("another browser")))).toBeNull();
    expect(await signedIn(authenticator.sign(await challengeToSignIn()), null)).toBeNull();
    expect(await signedIn(authenticator.sign("bm8gY2hhbGxlbmdl"))).toBeNull();
    const { challenge } = await beginPasskeyProof(person.member, BROWSER);
    expect(await signedIn(authenticator.sign(challenge))).toBeNull();
    const late = await challengeToSignIn();
    await tamper(
      "passkey_challenge",
      "UPDATE passkey_challenge SET created_at = now() - interval '5 min', expires_at = now() - interval '1 ms'",
    );
    expect(await signedIn(authenticator.sign(late))).toBeNull();
  });

  it("is refused for a member's name with another's key, an unknown key, and a disabled member", async () => {
    await enrol(person);
    const other = await makePerson(person.member.merchantId);
    const asOther = authenticator.sign(await challengeToSignIn(), {}, other.member.memberId);
    expect(await signedIn(asOther)).toBeNull();
    expect(await signedIn(createAuthenticator().sign(await challengeToSignIn()))).toBeNull();
    await query("UPDATE member SET disabled_at = now() WHERE id = $1", person.member.memberId);
    expect(await signedIn(authenticator.sign(await challengeToSignIn()))).toBeNull();
  });

  it("is refused and audited if the counter goes back, as that of a copy does", async () => {
    await enrol(person, authenticator, 5);
    expect(await signedIn(authenticator.sign(await challengeToSignIn(), { counter: 7 }))).not.toBeNull();
    for (const counter of [7, 6, 0]) {
      expect(await signedIn(authenticator.sign(await challengeToSignIn(), { counter }))).toBeNull();
    }
    const audited = await query(
      "SELECT after->>'received' AS received FROM audit_entry WHERE action = 'member.passkey_counter_refused' AND object_id = $1",
      person.member.memberId,
    );
    expect(audited).toHaveLength(3);
    expect(await signedIn(authenticator.sign(await challengeToSignIn(), { counter: 8 }))).not.toBeNull();
  });

  it("counts as the second factor that the merchant requires", async () => {
    await enrol(person);
    const { merchantId, memberId } = person.member;
    await requireCodesToSignIn(operatorContext(merchantId, "test"), true);
    const sessionId = await enterAs({ id: memberId, merchantId }, "", "", "passkey");
    const session = await findMemberSession({ merchantId, sessionId }, { isBackground: false });
    expect(session).toMatchObject({ mustEnrol: false, member: { roles: ["approver"] } });
  });

  it("is paused after too many refusals, like a password", async () => {
    await enrol(person);
    for (let n = 0; n < 30; n += 1) await signedIn(authenticator.sign("bm8gY2hhbGxlbmdl"));
    expect(await signedIn(authenticator.sign(await challengeToSignIn()))).toBeNull();
  });
});

describe("a proof by passkey", () => {
  it("counts once, in the session that asked for it", async () => {
    await enrol(person);
    const { call, member, sessionId } = person;
    const { challenge, allowCredentials } = await beginPasskeyProof(member, sessionId);
    expect(allowCredentials).toHaveLength(1);
    const passkey = authenticator.sign(challenge);
    await expect(proveBySecondFactor({ ...call, sessionId: "ses_other" }, { passkey })).rejects.toMatchObject({
      name: "PasskeyRequired",
    });
    const again = authenticator.sign((await beginPasskeyProof(member, sessionId)).challenge);
    const both = await Promise.allSettled([1, 2].map(() => proveBySecondFactor(call, { passkey: again })));
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  it("is refused from another member's passkey, and with a challenge for signing in", async () => {
    await enrol(person);
    const other = await makePerson(person.member.merchantId);
    const theirs = createAuthenticator();
    await enrol(other, theirs);
    const { call, member, sessionId } = person;
    const { challenge } = await beginPasskeyProof(member, sessionId);
    for (const passkey of [theirs.sign(challenge), authenticator.sign(await challengeToSignIn(sessionId))]) {
      await expect(proveBySecondFactor(call, { passkey })).rejects.toMatchObject({ name: "PasskeyRequired" });
    }
  });
});

describe("removing a passkey", () => {
  it("takes a proof; then the key signs nobody in", async () => {
    await enrol(person);
    const { call, member, sessionId } = person;
    const [stored] = await listPasskeys(member);
    await expect(removePasskey(call, stored?.id ?? "", {})).rejects.toMatchObject({ name: "PasskeyRequired" });
    const passkey = authenticator.sign((await beginPasskeyProof(member, sessionId)).challenge);
    await removePasskey(call, stored?.id ?? "", { passkey });
    expect(await signedIn(authenticator.sign(await challengeToSignIn()))).toBeNull();
  });

  it("of another member is not found", async () => {
    await enrol(person);
    const [stored] = await listPasskeys(person.member);
    const other = await makePerson(person.member.merchantId);
    await expect(removePasskey(other.call, stored?.id ?? "", {})).rejects.toMatchObject({ code: "not_found" });
    expect(await listPasskeys(person.member)).toHaveLength(1);
  });

  it("by the operator removes all, and authority counts anew", async () => {
    await enrol(person);
    const { merchantId, memberId } = person.member;
    const since = async () =>
      (await query<{ at: Date }>("SELECT authority_test_from AS at FROM member WHERE id = $1", memberId))[0]?.at;
    const before = await since();
    expect(await resetPasskeys(operatorContext(merchantId, "test"), memberId)).toBe(1);
    expect(await listPasskeys(person.member)).toEqual([]);
    expect((await since())?.getTime()).toBeGreaterThan(before?.getTime() ?? 0);
  });
});

describe("a reset of the password by somebody else", () => {
  const reset = () => resetPassword(operatorContext(person.member.merchantId, "test"), person.member.memberId);

  it("removes a new passkey, which an intruder may have added", async () => {
    await enrol(person);
    await reset();
    expect(await signedIn(authenticator.sign(await challengeToSignIn()))).toBeNull();
  });

  it("leaves one that is older than the cool-down, so that nobody takes the account over by a reset", async () => {
    await enrol(person);
    await tamper("member_passkey", "UPDATE member_passkey SET created_at = now() - interval '25 hours'");
    await reset();
    expect(await signedIn(authenticator.sign(await challengeToSignIn()))).toBe(person.member.memberId);
  });
});

describe("sessions that were opened with a passkey", () => {
  it.each(["its owner removes it", "the operator removes it"])("end when %s", async (who) => {
    await enrol(person);
    const { merchantId, memberId: id } = person.member;
    const key = { merchantId, sessionId: await enterAs({ id, merchantId }, "", "", "passkey") };
    if (who === "the operator removes it") {
      await resetPasskeys(operatorContext(merchantId, "test"), id);
    } else {
      const [stored] = await listPasskeys(person.member);
      const passkey = authenticator.sign((await beginPasskeyProof(person.member, person.sessionId)).challenge);
      await removePasskey(person.call, stored?.id ?? "", { passkey });
    }
    expect(await findMemberSession(key, { isBackground: false })).toBeNull();
  });
});

it("strangers who know a passkey's id do not lock its member out of a browser in which they signed in", async () => {
  await enrol(person);
  const { merchantId, memberId: id } = person.member;
  const device = await rememberDevice({ merchantId, id }, null);
  const stranger = createAuthenticator();
  const { id: known } = authenticator.sign(await challengeToSignIn());
  for (let attempt = 0; attempt < 30; attempt += 1) {
    const assertion = { ...stranger.sign(await challengeToSignIn()), id: known };
    await signInByPasskey({ assertion, binding: BROWSER, address: `192.0.2.${attempt % 4}` });
  }
  const sign = async () => ({ assertion: authenticator.sign(await challengeToSignIn()), binding: BROWSER });
  expect(await signInByPasskey({ ...(await sign()), address: "192.0.2.1" })).toBeNull();
  expect(await signInByPasskey({ ...(await sign()), address: "192.0.2.1", device })).toMatchObject({ id });
});
