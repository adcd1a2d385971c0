// What a sign-in at the OpenID provider leads to, and what of its statements counts.
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Cell } from "@/server/platform/cell";
import { awaitsFreshSignIn, completeFreshSignIn } from "@/server/services/sign-in/fresh-sign-in";
import { rememberDevice } from "@/server/services/sign-in/known-device";
import { findMemberSession, openSession } from "@/server/services/sign-in/sessions";
import { signInByIdentity } from "@/server/services/sign-in/sign-in-by-identity";
import { sealToken, sessionSecret } from "./session-token";
import { completeSingleSignOn, methodOf, openIdProviders, singleSignOn } from "./single-sign-on";
import { applySettings, browser, ISSUER, OPENID, ORIGIN } from "./testing/settings";
import { newVisit } from "./visit";

vi.mock("@/server/services/sign-in/fresh-sign-in");
vi.mock("@/server/services/sign-in/known-device");
vi.mock("@/server/services/sign-in/sessions");
vi.mock("@/server/services/sign-in/sign-in-by-identity");

const cell: Cell = { name: "main", tag: "", databaseUrl: null, databaseDirectUrl: null, reportDatabaseUrl: null };
const MEMBER = { id: "mem_1", merchantId: "mer_1", email: "ana@shop.example", accessVersion: 3, cell };
const SESSION = { merchantId: "mer_1", sessionId: "ses_0" };
const CLAIMS = { iss: ISSUER, sub: "s-1" };

beforeEach(() => {
  vi.resetAllMocks();
  applySettings(OPENID);
  vi.mocked(openSession).mockResolvedValue("ses_1");
  vi.mocked(rememberDevice).mockResolvedValue(null);
  vi.mocked(signInByIdentity).mockResolvedValue(MEMBER);
});

const complete = (claims: unknown, visit = newVisit(browser())) => completeSingleSignOn(visit, claims);

/** The identity with which the person was signed in. */
async function identityFrom(claims: object, variables: Record<string, string> = {}) {
  applySettings({ ...OPENID, ...variables });
  await complete({ ...CLAIMS, ...claims });
  return vi.mocked(signInByIdentity).mock.calls[0]?.[0];
}

describe("the identity", () => {
  it("is issuer and subject; nothing that was not stated counts", async () => {
    const nothing = { email: null, authenticatedAt: null, hasTwoFactors: false };
    expect(await identityFrom({})).toEqual({ issuer: ISSUER, subject: "s-1", ...nothing });
  });

  it.each([
    [true, "ana@shop.example"],
    ["true", "ana@shop.example"],
    [false, null],
    ["false", null],
    [undefined, null],
  ])("has the address only if it is verified: %j", async (email_verified, email) => {
    expect(await identityFrom({ email: " Ana@Shop.example ", email_verified })).toMatchObject({ email });
  });

  it("without an address has none, although one would be verified", async () => {
    expect(await identityFrom({ email_verified: true })).toMatchObject({ email: null });
  });

  it("has the time of the proof, which the provider states in seconds", async () => {
    const authenticatedAt = new Date("2026-11-24T08:00:00.000Z");
    expect(await identityFrom({ auth_time: authenticatedAt.getTime() / 1_000 })).toMatchObject({ authenticatedAt });
  });

  it.each([
    [["pwd", "mfa"], {}, true],
    [["pwd"], {}, false],
    [["pwd"], { OIDC_SECOND_FACTOR: "always" }, true],
  ])("has two factors where the provider says %j, with settings %j: %s", async (amr, variables, hasTwoFactors) => {
    expect(await identityFrom({ amr }, variables)).toMatchObject({ hasTwoFactors });
  });

  it.each([
    ["an address that is too long", { email: "a".repeat(321) }],
    ["a time that is no whole number", { auth_time: 1.5 }],
    ["methods that are no list", { amr: "mfa" }],
    ["a verification that is neither yes nor no", { email_verified: "yes" }],
  ])("with %s is none", async (_what, claims) => {
    expect(await complete({ ...CLAIMS, ...claims })).toBe(`${ORIGIN}/sign-in?error=Provider`);
    expect(signInByIdentity).not.toHaveBeenCalled();
  });

  it("is none without a provider", async () => {
    applySettings();
    expect(await complete(CLAIMS)).toBe(`${ORIGIN}/sign-in?error=Provider`);
  });
});

describe("a sign-in", () => {
  it("opens the session of the member whom the identity belongs to", async () => {
    const visit = newVisit(browser());
    expect(await complete({ ...CLAIMS, amr: ["mfa"] }, visit)).toBe(true);
    expect(visit.opened).toEqual({ id: "mem_1", merchantId: "mer_1", sessionId: "ses_1" });
    expect(signInByIdentity).toHaveBeenCalledExactlyOnceWith(expect.anything(), "192.0.2.1");
    expect(openSession).toHaveBeenCalledExactlyOnceWith(MEMBER, "192.0.2.1", "Firefox", "single_sign_on_two_factors");
    expect(awaitsFreshSignIn).not.toHaveBeenCalled();
    expect(visit.spentCookies.size).toBe(0);
  });

  it("of a member whose access has changed meanwhile says so", async () => {
    vi.mocked(openSession).mockResolvedValue(null);
    expect(await complete(CLAIMS)).toBe(`${ORIGIN}/sign-in?error=Changed`);
  });

  it.each(["NotAMember", "SecondFactorMissing"] as const)("refused as %s says so", async (refusal) => {
    vi.mocked(signInByIdentity).mockResolvedValue(refusal);
    const visit = newVisit(browser());
    expect(await complete(CLAIMS, visit)).toBe(`${ORIGIN}/sign-in?error=${refusal}`);
    expect(visit.choosing).toBeNull();
    expect(openSession).not.toHaveBeenCalled();
  });

  it.each(["SeveralMerchants", "PasswordRequired"] as const)("that is %s continues with the choice", async (what) => {
    vi.mocked(signInByIdentity).mockResolvedValue(what);
    const visit = newVisit(browser());
    expect(await complete(CLAIMS, visit)).toBe(`${ORIGIN}/sign-in/merchant?next=%2Fdashboard`);
    expect(visit.choosing).toMatchObject({ subject: "s-1" });
  });

  it.each([
    [`${ORIGIN}/live/payouts?queue=mine`, "/live/payouts?queue=mine"],
    [`${ORIGIN}//evil.example`, "/dashboard"],
    [`${ORIGIN}.evil.example/x`, "/dashboard"],
    ["https://evil.example/", "/dashboard"],
  ])("that must choose keeps the path that the person wanted, if it is ours: %s", async (wanted, path) => {
    vi.mocked(signInByIdentity).mockResolvedValue("SeveralMerchants");
    const cookie = `__Host-sluice.callback=${encodeURIComponent(wanted)}`;
    const page = `${ORIGIN}/sign-in/merchant?next=${encodeURIComponent(path)}`;
    expect(await complete(CLAIMS, newVisit(browser({ cookie })))).toBe(page);
  });
});

describe("a fresh sign-in, in a browser with its cookie", () => {
  async function asking(withSession = true) {
    const token = { sub: "mem_1", merchantId: "mer_1", sid: "ses_0" };
    const session = await sealToken({ token, secret: sessionSecret() });
    const cookies = ["__Host-sluice.fresh=act-1", ...(withSession ? [`__Host-sluice.session=${session}`] : [])];
    return newVisit(browser({ cookie: cookies.join("; ") }));
  }
  beforeEach(() => {
    vi.mocked(findMemberSession).mockResolvedValue(SESSION as never);
    vi.mocked(awaitsFreshSignIn).mockResolvedValue(true);
  });

  it.each([
    [true, "done"],
    [false, "refused"],
  ])("proves the act of the open session or not, and opens none: %s", async (isProof, outcome) => {
    vi.mocked(completeFreshSignIn).mockResolvedValue(isProof);
    const visit = await asking();
    expect(await complete(CLAIMS, visit)).toBe(`${ORIGIN}/sign-in/again?outcome=${outcome}`);
    expect(awaitsFreshSignIn).toHaveBeenCalledExactlyOnceWith(SESSION, "act-1");
    expect(completeFreshSignIn).toHaveBeenCalledExactlyOnceWith(
      SESSION,
      "act-1",
      expect.objectContaining({ subject: "s-1" }),
    );
    expect(signInByIdentity).not.toHaveBeenCalled();
    expect([...visit.spentCookies]).toEqual(["fresh"]);
  });

  it("is a sign-in like any other if the session has asked for none", async () => {
    vi.mocked(awaitsFreshSignIn).mockResolvedValue(false);
    const visit = await asking();
    expect(await complete(CLAIMS, visit)).toBe(true);
    expect(completeFreshSignIn).not.toHaveBeenCalled();
    expect([...visit.spentCookies]).toEqual(["fresh"]);
  });

  it("is a sign-in like any other without a session", async () => {
    expect(await complete(CLAIMS, await asking(false))).toBe(true);
    expect(awaitsFreshSignIn).not.toHaveBeenCalled();
  });
});

it("names two factors only where there were two", () => {
  const identity = { issuer: ISSUER, subject: "s-1", email: null, authenticatedAt: null };
  expect(methodOf({ ...identity, hasTwoFactors: true })).toBe("single_sign_on_two_factors");
  expect(methodOf({ ...identity, hasTwoFactors: false })).toBe("single_sign_on");
});

describe("the provider", () => {
  it("is shown by its name, and as the only way if it is", () => {
    expect(singleSignOn()).toEqual({ name: "single sign-on", isOnlyWay: false });
    applySettings({ ...OPENID, OIDC_NAME: "Acme", OIDC_ONLY: "true" });
    expect(singleSignOn()).toEqual({ name: "Acme", isOnlyWay: true });
    applySettings();
    expect(singleSignOn()).toBeNull();
  });

  it("has 10 s to answer, and gives next-auth a subject and nothing else", () => {
    const [provider] = openIdProviders();
    expect(provider).toMatchObject({ id: "openid", type: "oauth", clientId: "sluice", clientSecret: "s" });
    expect(provider?.httpOptions).toEqual({ timeout: 10_000 });
    const profile = provider?.profile({ sub: 5, email: "x" }, {} as never);
    expect(profile).toEqual({ id: "5", merchantId: "", sessionId: "" });
  });

  type Request = (context: unknown) => Promise<unknown>;

  /** Reads the claims as next-auth does, from an ID token and the user information. */
  async function claimsFrom(idToken: object, information: object | null) {
    const [{ userinfo: given }] = openIdProviders() as unknown as [{ userinfo: { request: Request } }];
    const userinfo = vi.fn<(tokens: unknown) => Promise<object>>().mockResolvedValue(information ?? {});
    const metadata = information ? { userinfo_endpoint: `${ISSUER}/userinfo` } : {};
    const tokens = { claims: () => idToken };
    return { claims: await given.request({ client: { issuer: { metadata }, userinfo }, tokens }), userinfo, tokens };
  }

  it("is asked for the address only if the ID token has none", async () => {
    const withAddress = { ...CLAIMS, email: "ana@shop.example", email_verified: true };
    const { claims, userinfo } = await claimsFrom(withAddress, { email: "eva@shop.example", email_verified: true });
    expect(claims).toEqual(withAddress);
    expect(userinfo).not.toHaveBeenCalled();
  });

  it("adds the address and nothing else by its user information", async () => {
    const information = { sub: "s-2", amr: ["mfa"], email: "ana@shop.example", email_verified: true };
    const { claims, userinfo, tokens } = await claimsFrom(CLAIMS, information);
    expect(claims).toEqual({ ...CLAIMS, email: "ana@shop.example", email_verified: true });
    expect(userinfo).toHaveBeenCalledExactlyOnceWith(tokens);
  });

  it("is not asked where it has no user information", async () => {
    const { claims, userinfo } = await claimsFrom(CLAIMS, null);
    expect(claims).toEqual(CLAIMS);
    expect(userinfo).not.toHaveBeenCalled();
  });
});
