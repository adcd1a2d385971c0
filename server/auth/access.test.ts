// Who a request is from: the session of its cookie, the pages that it may see, and what next-auth stores of it.
import { beforeEach, describe, expect, it, vi } from "vitest";
import { endSessions, findMemberSession } from "@/server/services/sign-in/sessions";
import { endedCookie, readCookie, setCookie } from "./cookies";
import { authOptions } from "./options";
import { requirePageAccess } from "./page-access";
import { sessionOfRequest } from "./request-session";
import { sealToken, sessionSecret } from "./session-token";
import { applySettings, browser, OPENID, ORIGIN } from "./testing/settings";
import { newVisit } from "./visit";

const page = vi.hoisted(() => ({ headers: new Headers() }));
vi.mock("next/headers", () => ({ headers: async () => page.headers }));
vi.mock("next/navigation", () => ({
  notFound: () => {
    throw new Error("404");
  },
  redirect: (target: string) => {
    throw new Error(`to ${target}`);
  },
}));
vi.mock("react", async (original) => ({ ...(await original<object>()), cache: (read: unknown) => read }));
vi.mock("@/server/services/sign-in/sessions", async (original) => ({
  ...(await original<object>()),
  findMemberSession: vi.fn<typeof findMemberSession>(),
  endSessions: vi.fn<typeof endSessions>(),
}));

const TOKEN = { sub: "mem_1", merchantId: "mer_1", sid: "ses_1" };
const member = { id: "mem_1", roles: ["approver"], testRoles: null, merchantId: "mer_1" };
const SESSION = { merchantId: "mer_1", sessionId: "ses_1", member, mustEnrol: false };

beforeEach(() => {
  vi.resetAllMocks();
  applySettings();
  vi.mocked(findMemberSession).mockResolvedValue(SESSION as never);
});

async function signedIn(token: Record<string, string> = TOKEN, headers: Record<string, string> = {}) {
  const value = await sealToken({ token, secret: sessionSecret() });
  return browser({ cookie: `a=b;  __Host-sluice.session=${value}; c=d`, ...headers });
}

describe("the session of a request", () => {
  const key = { merchantId: "mer_1", sessionId: "ses_1" };

  it("is the one that its cookie names, and a request by a person extends it", async () => {
    expect(await sessionOfRequest(await signedIn())).toBe(SESSION);
    expect(findMemberSession).toHaveBeenCalledExactlyOnceWith(key, { isBackground: false });
  });

  it.each([{ "x-sluice-background": "1" }, { accept: "text/event-stream" }])(
    "is not extended by a request that the browser makes without a person: %j",
    async (headers) => {
      await sessionOfRequest(await signedIn(TOKEN, headers));
      expect(findMemberSession).toHaveBeenCalledExactlyOnceWith(key, { isBackground: true });
    },
  );

  it.each([
    { sub: "mem_1", sid: "ses_1" },
    { sub: "mem_1", merchantId: "mer_1" },
  ])("is none if the token does not name it: %j", async (token) => {
    expect(await sessionOfRequest(await signedIn(token))).toBeNull();
    expect(findMemberSession).not.toHaveBeenCalled();
  });

  it.each(["", "__Host-sluice.session=x.y.z", "__Host-sluice.session="])(
    "is none with the cookie %j",
    async (cookie) => {
      expect(await sessionOfRequest(browser({ cookie }))).toBeNull();
      expect(findMemberSession).not.toHaveBeenCalled();
    },
  );
});

describe("a cookie", () => {
  it("is read by its whole name, and as it was written", () => {
    const header = "x__Host-sluice.fresh=no; __Host-sluice.freshness=no;  __Host-sluice.fresh=a=b ; last=1";
    expect(readCookie(header, "fresh")).toBe("a=b");
    expect(readCookie(header, "choice")).toBeNull();
    expect(readCookie(null, "fresh")).toBeNull();
  });

  it("is written for this host, out of the reach of scripts, and ended at once", () => {
    const life = { maxAgeSeconds: 60, sameSite: "Strict" } as const;
    expect(setCookie("passkey", "v", life)).toBe(
      "__Host-sluice.passkey=v; Max-Age=60; Path=/; HttpOnly; SameSite=Strict; Secure",
    );
    expect(endedCookie("fresh")).toBe("__Host-sluice.fresh=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure");
  });
});

describe("a page", () => {
  beforeEach(async () => {
    page.headers = await signedIn();
  });
  const at = (path: string) => page.headers.set("x-sluice-path", path);

  it("is shown to a member whose roles allow its act, with all that they may do", async () => {
    const access = await requirePageAccess("live", "decide_payouts");
    expect(access).toMatchObject({ environment: "live", session: SESSION });
    expect(access.permissions).toContain("decide_payouts");
  });

  it("that needs no act is shown to every member", async () => {
    expect(await requirePageAccess("test", null)).toMatchObject({ environment: "test" });
  });

  it("is not found where the member's roles do not allow it", async () => {
    await expect(requirePageAccess("live", "manage_members")).rejects.toThrow(new Error("404"));
  });

  it("is not found in another environment than live and test, even for visitors", async () => {
    page.headers = new Headers();
    await expect(requirePageAccess("production", null)).rejects.toThrow(new Error("404"));
  });

  it("sends visitors to sign in, and then back to it", async () => {
    page.headers = new Headers();
    await expect(requirePageAccess("live", null)).rejects.toThrow(new Error("to /sign-in?next=%2Fdashboard"));
    at("/live/payouts?queue=mine");
    const next = encodeURIComponent("/live/payouts?queue=mine");
    await expect(requirePageAccess("live", null)).rejects.toThrow(new Error(`to /sign-in?next=${next}`));
  });

  it("sends a member who must set up codes to their account, which is shown", async () => {
    vi.mocked(findMemberSession).mockResolvedValue({ ...SESSION, mustEnrol: true } as never);
    at("/live/payouts");
    await expect(requirePageAccess("live", null)).rejects.toThrow(new Error("to /live/account"));
    at("/live/account?tab=codes");
    expect(await requirePageAccess("live", null)).toMatchObject({ environment: "live" });
  });
});

describe("next-auth", () => {
  const options = (visit = newVisit(browser())) => authOptions(visit);
  const idsOf = ({ providers }: ReturnType<typeof authOptions>) =>
    providers.map((provider) => (provider.options as { id?: string } | undefined)?.id ?? provider.id);

  it("is offered the ways to sign in that the operator allows", () => {
    expect(idsOf(options())).toEqual(["credentials", "passkey"]);
    applySettings(OPENID);
    expect(idsOf(options())).toEqual(["credentials", "passkey", "openid", "merchant"]);
    applySettings({ ...OPENID, OIDC_ONLY: "true" });
    expect(idsOf(options())).toEqual(["openid", "merchant"]);
  });

  it("keeps an encrypted token for eight hours, in cookies of this host only", () => {
    const { session, useSecureCookies, cookies, secret, pages } = options();
    expect(session).toEqual({ strategy: "jwt", maxAge: 8 * 3_600 });
    expect(useSecureCookies).toBe(true);
    expect(secret).toBe(sessionSecret());
    expect(pages).toEqual({ signIn: "/sign-in", signOut: "/", error: "/sign-in" });
    const names = Object.entries(cookies ?? {}).map(([name, cookie]) => [name, cookie.name]);
    expect(Object.fromEntries(names)).toEqual({
      sessionToken: "__Host-sluice.session",
      csrfToken: "__Host-sluice.csrf",
      callbackUrl: "__Host-sluice.callback",
      state: "__Host-sluice.state",
      nonce: "__Host-sluice.nonce",
      pkceCodeVerifier: "__Host-sluice.pkce",
    });
    applySettings({ BASE_URL: "http://localhost:3000" });
    expect(options().useSecureCookies).toBe(false);
  });

  type Callback = (given: unknown) => unknown;
  const callbacks = (visit = newVisit(browser())) => options(visit).callbacks as unknown as Record<string, Callback>;

  it("stores of a session what finds it again, from the form or from single sign-on", async () => {
    const user = { id: "mem_1", merchantId: "mer_1", sessionId: "ses_1" };
    expect(await callbacks().jwt?.({ token: {}, user })).toEqual(TOKEN);
    const visit = newVisit(browser());
    visit.opened = { ...user, sessionId: "ses_2" };
    expect(await callbacks(visit).jwt?.({ token: {}, user: { id: "5" } })).toEqual({ ...TOKEN, sid: "ses_2" });
    expect(await callbacks().jwt?.({ token: TOKEN })).toBe(TOKEN);
  });

  it("tells the page who is signed in, and nothing that the token keeps besides", async () => {
    const { session } = callbacks();
    const expires = "2026-11-24T16:00:00.000Z";
    expect(await session?.({ session: { expires, user: {} }, token: TOKEN })).toEqual({
      expires,
      memberId: "mem_1",
      merchantId: "mer_1",
    });
    expect(await session?.({ session: { expires }, token: {} })).toEqual({ expires, memberId: "", merchantId: "" });
  });

  it("lets passwords and passkeys sign in as they are, and checks what the OpenID provider says", async () => {
    applySettings(OPENID);
    const { signIn } = callbacks();
    expect(await signIn?.({ account: { provider: "credentials" } })).toBe(true);
    expect(await signIn?.({ account: null })).toBe(true);
    expect(await signIn?.({ account: { provider: "openid" }, profile: {} })).toBe(`${ORIGIN}/sign-in?error=Provider`);
  });

  it("ends the stored session at the sign-out, so that a copy of the cookie is useless", async () => {
    const signOut = (token: object) => options().events?.signOut?.({ token } as never);
    await signOut(TOKEN);
    expect(findMemberSession).toHaveBeenCalledExactlyOnceWith(
      { merchantId: "mer_1", sessionId: "ses_1" },
      { isBackground: true },
    );
    expect(endSessions).toHaveBeenCalledExactlyOnceWith(SESSION, "this", { requestId: null, address: null });
  });

  it("ends nothing at the sign-out of a session that is over or was never one", async () => {
    const signOut = (token: object) => options().events?.signOut?.({ token } as never);
    for (const token of [{ sid: "ses_1" }, { merchantId: "mer_1" }]) await signOut(token);
    expect(findMemberSession).not.toHaveBeenCalled();
    vi.mocked(findMemberSession).mockResolvedValue(null);
    await signOut(TOKEN);
    expect(endSessions).not.toHaveBeenCalled();
  });
});
