// The choice of a merchant after single sign-on: who may choose, between what, and what it takes.
import { beforeEach, describe, expect, it, vi } from "vitest";
import { CodeRequired } from "@/server/domain/errors";
import type { Cell } from "@/server/platform/cell";
import { rememberDevice } from "@/server/services/sign-in/known-device";
import { openSession } from "@/server/services/sign-in/sessions";
import { signIn } from "@/server/services/sign-in/sign-in";
import {
  membershipsOf,
  type ProvenIdentity,
  signInByIdentity,
  takesPassword,
} from "@/server/services/sign-in/sign-in-by-identity";
import { choiceCookie, enterableMerchants, merchantChoiceProvider } from "./merchant-choice";
import { openToken, sealToken, sessionSecret } from "./session-token";
import { applySettings, browser, ISSUER, valueIn } from "./testing/settings";
import { newVisit, type Visit } from "./visit";

vi.mock("@/server/services/sign-in/known-device");
vi.mock("@/server/services/sign-in/sessions");
vi.mock("@/server/services/sign-in/sign-in");
vi.mock("@/server/services/sign-in/sign-in-by-identity");

const IDENTITY: ProvenIdentity = {
  issuer: ISSUER,
  subject: "s-1",
  email: "ana@shop.example",
  authenticatedAt: new Date("2026-11-24T08:00:00.000Z"),
  hasTwoFactors: true,
};
const cell: Cell = { name: "main", tag: "", databaseUrl: null, databaseDirectUrl: null, reportDatabaseUrl: null };
const MEMBER = { id: "mem_1", merchantId: "mer_1", email: "ana@shop.example", accessVersion: 3, cell };
const OPENED = { id: "mem_1", merchantId: "mer_1", sessionId: "ses_1" };

beforeEach(() => {
  vi.resetAllMocks();
  applySettings();
  vi.mocked(openSession).mockResolvedValue("ses_1");
  vi.mocked(rememberDevice).mockResolvedValue(null);
  vi.mocked(signInByIdentity).mockResolvedValue(MEMBER);
});

async function choosing(identity: ProvenIdentity = IDENTITY): Promise<Visit> {
  const cookie = (await choiceCookie(identity)).split(";")[0] ?? "";
  return newVisit(browser({ cookie }));
}

type Authorize = (given: Record<string, unknown> | undefined) => Promise<unknown>;
const choose = (visit: Visit, given: Record<string, unknown> | undefined) =>
  (merchantChoiceProvider(visit).options as unknown as { authorize: Authorize }).authorize(given);

describe("the cookie of a person who must choose", () => {
  it("lasts five minutes, says nothing readable, and is no session", async () => {
    const header = await choiceCookie(IDENTITY);
    expect(header).toMatch(/^__Host-sluice\.choice=[^;]+; Max-Age=300; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
    expect(header).not.toContain("ana");
    expect(await openToken({ token: valueIn(header) })).toBeNull();
    const opened = await openToken({ token: valueIn(header), salt: "choice" });
    expect(Number(opened?.exp) - Number(opened?.iat)).toBe(300);
  });

  it.each([
    ["none", ""],
    ["a forged one", "__Host-sluice.choice=x.y.z"],
  ])("lets nobody choose if it is %s", async (_what, cookie) => {
    expect(await enterableMerchants(browser({ cookie }))).toBeNull();
    expect(await choose(newVisit(browser({ cookie })), { merchantId: "mer_1" })).toBeNull();
    expect(signInByIdentity).not.toHaveBeenCalled();
  });

  it("is none with a session's token, whatever that contains", async () => {
    const token = { identity: { ...IDENTITY, authenticatedAt: null } };
    const value = await sealToken({ token, secret: sessionSecret() });
    expect(await enterableMerchants(browser({ cookie: `__Host-sluice.choice=${value}` }))).toBeNull();
  });

  it.each([IDENTITY, { ...IDENTITY, authenticatedAt: null, email: null, hasTwoFactors: false }])(
    "returns what the provider said: %j",
    async (identity) => {
      vi.mocked(membershipsOf).mockResolvedValue({ found: [], isPartial: false });
      expect(await enterableMerchants((await choosing(identity)).headers)).toEqual({ merchants: [], isPartial: false });
      expect(membershipsOf).toHaveBeenCalledExactlyOnceWith(identity);
    },
  );
});

it("shows each merchant by its name, whether it is connected, and whether connecting takes the password", async () => {
  const found = ["a", "b"].map((name) => ({
    merchantId: name,
    merchantName: `Shop ${name}`,
    isLinked: name === "a",
  }));
  vi.mocked(membershipsOf).mockResolvedValue({ found, isPartial: true } as never);
  vi.mocked(takesPassword).mockImplementation(({ isLinked }) => !isLinked);
  const merchants = [
    { id: "a", name: "Shop a", isConnected: true, takesPassword: false },
    { id: "b", name: "Shop b", isConnected: false, takesPassword: true },
  ];
  expect(await enterableMerchants((await choosing()).headers)).toEqual({ merchants, isPartial: true });
});

describe("a choice", () => {
  it("opens the session there, as a sign-in with the factors that the provider stated, and ends the choosing", async () => {
    const visit = await choosing();
    expect(await choose(visit, { merchantId: "mer_1" })).toEqual(OPENED);
    const own = { chosenMerchantId: "mer_1", provenMemberId: undefined };
    expect(signInByIdentity).toHaveBeenCalledExactlyOnceWith(IDENTITY, "192.0.2.1", own);
    expect(openSession).toHaveBeenCalledExactlyOnceWith(MEMBER, "192.0.2.1", "Firefox", "single_sign_on_two_factors");
    expect([...visit.spentCookies]).toEqual(["choice"]);
    expect(signIn).not.toHaveBeenCalled();
  });

  it("with one factor opens a session of one factor", async () => {
    await choose(await choosing({ ...IDENTITY, hasTwoFactors: false }), { merchantId: "mer_1" });
    expect(openSession).toHaveBeenCalledExactlyOnceWith(MEMBER, "192.0.2.1", "Firefox", "single_sign_on");
  });

  it("with the member's password connects that member", async () => {
    vi.mocked(signIn).mockResolvedValue({ id: "mem_9" } as never);
    await choose(await choosing(), { merchantId: "mer_1", password: "correct horse", code: "123456" });
    const given = { merchantId: "mer_1", email: "ana@shop.example", password: "correct horse", code: "123456" };
    expect(signIn).toHaveBeenCalledExactlyOnceWith({ ...given, address: "192.0.2.1", device: null });
    const own = { chosenMerchantId: "mer_1", provenMemberId: "mem_9" };
    expect(signInByIdentity).toHaveBeenCalledExactlyOnceWith(IDENTITY, "192.0.2.1", own);
  });

  it("of a person without a verified address is tried with none", async () => {
    vi.mocked(signIn).mockResolvedValue(null);
    const visit = await choosing({ ...IDENTITY, email: null });
    await expect(choose(visit, { merchantId: "mer_1", password: "p" })).rejects.toThrow(new Error("PasswordRefused"));
    expect(signIn).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ email: "", code: "" }));
  });

  it("with a wrong password signs nobody in, and may be repeated", async () => {
    vi.mocked(signIn).mockResolvedValue(null);
    const visit = await choosing();
    await expect(choose(visit, { merchantId: "mer_1", password: "p" })).rejects.toThrow(new Error("PasswordRefused"));
    expect(signInByIdentity).not.toHaveBeenCalled();
    expect(visit.spentCookies.size).toBe(0);
  });

  it.each(["PasswordRequired", "SecondFactorMissing", "NotAMember"] as const)(
    "refused as %s says so",
    async (refusal) => {
      vi.mocked(signInByIdentity).mockResolvedValue(refusal);
      await expect(choose(await choosing(), { merchantId: "mer_1" })).rejects.toThrow(new Error(refusal));
      expect(openSession).not.toHaveBeenCalled();
    },
  );

  it.each([
    ["CodeRequired", new CodeRequired(), {}],
    ["CodeRefused", new CodeRequired(), { code: "123456" }],
    ["Unavailable", new Error("no connection to 10.0.0.5"), {}],
  ])("says %s and no more", async (message, error, more) => {
    vi.mocked(signIn).mockRejectedValue(error);
    const given = { merchantId: "mer_1", password: "p", ...more };
    await expect(choose(await choosing(), given)).rejects.toThrow(new Error(message));
  });

  it.each([undefined, {}, { merchantId: 5 }])("that names no merchant is none: %j", async (given) => {
    expect(await choose(await choosing(), given)).toBeNull();
    expect(signInByIdentity).not.toHaveBeenCalled();
  });

  it("is asked for by a form with the three fields, under a name of its own", async () => {
    expect(merchantChoiceProvider(newVisit(browser())).options).toMatchObject({
      id: "merchant",
      credentials: { merchantId: { type: "text" }, password: { type: "password" }, code: { type: "text" } },
    });
  });
});
