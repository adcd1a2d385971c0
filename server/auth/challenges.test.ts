// What begins a proof, with a passkey or at the OpenID provider: only our own pages may, and the browser is bound to it.
import { beforeEach, describe, expect, it, vi } from "vitest";
import { beginFreshSignIn } from "@/server/services/sign-in/fresh-sign-in";
import { beginPasskeySignIn } from "@/server/services/sign-in/passkeys";
import { findMemberSession } from "@/server/services/sign-in/sessions";
import { freshSignInAnswer } from "./fresh-sign-in";
import { passkeyChallengeAnswer } from "./passkey-challenge";
import { sealToken, sessionSecret } from "./session-token";
import { applySettings, browser } from "./testing/settings";

vi.mock("@/server/services/sign-in/fresh-sign-in", async (original) => ({
  ...(await original<object>()),
  beginFreshSignIn: vi.fn<typeof beginFreshSignIn>(),
}));
vi.mock("@/server/services/sign-in/passkeys", async (original) => ({
  ...(await original<object>()),
  beginPasskeySignIn: vi.fn<typeof beginPasskeySignIn>(),
}));
vi.mock("@/server/services/sign-in/sessions");

const SESSION = { merchantId: "mer_1", sessionId: "ses_1" };

beforeEach(() => {
  vi.resetAllMocks();
  applySettings();
});

const request = (headers: Headers) => new Request("https://pay.example.com/api/x", { method: "POST", headers });
const own = { "sec-fetch-site": "same-origin" };
const foreign = { "sec-fetch-site": "cross-site" };

describe("a challenge for a passkey", () => {
  it("goes to the page, and its binding to a cookie that no other site's navigation brings", async () => {
    vi.mocked(beginPasskeySignIn).mockImplementation(async (binding) => ({ challenge: `for ${binding}` }) as never);
    const answer = await passkeyChallengeAnswer(request(browser(own)));
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const [binding] = vi.mocked(beginPasskeySignIn).mock.calls[0] ?? [];
    expect(binding).toMatch(/^\w{32}$/);
    expect(await answer.json()).toEqual({ challenge: `for ${binding}` });
    expect(answer.headers.get("set-cookie")).toBe(
      `__Host-sluice.passkey=${binding}; Max-Age=300; Path=/; HttpOnly; SameSite=Strict; Secure`,
    );
  });

  it("is not made for a page of another site", async () => {
    const answer = await passkeyChallengeAnswer(request(browser(foreign)));
    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain("another page");
    expect(beginPasskeySignIn).not.toHaveBeenCalled();
  });
});

describe("a fresh sign-in", () => {
  const signedIn = async (headers: Record<string, string>) => {
    const token = { sub: "mem_1", merchantId: "mer_1", sid: "ses_1" };
    const value = await sealToken({ token, secret: sessionSecret() });
    return request(browser({ cookie: `__Host-sluice.session=${value}`, ...headers }));
  };

  it("gets an id for the session, which its cookie brings back from the provider's site", async () => {
    vi.mocked(findMemberSession).mockResolvedValue(SESSION as never);
    vi.mocked(beginFreshSignIn).mockResolvedValue("act-1");
    const answer = await freshSignInAnswer(await signedIn(own));
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ id: "act-1" });
    expect(beginFreshSignIn).toHaveBeenCalledExactlyOnceWith(SESSION);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("set-cookie")).toBe(
      "__Host-sluice.fresh=act-1; Max-Age=300; Path=/; HttpOnly; SameSite=Lax; Secure",
    );
  });

  it("is for members only", async () => {
    const answer = await freshSignInAnswer(request(browser(own)));
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ error: { code: "unauthorized", message: "Sign in first." } });
    expect(beginFreshSignIn).not.toHaveBeenCalled();
  });

  it("does not begin on a page of another site", async () => {
    vi.mocked(findMemberSession).mockResolvedValue(SESSION as never);
    const answer = await freshSignInAnswer(await signedIn(foreign));
    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain("another page");
    expect(beginFreshSignIn).not.toHaveBeenCalled();
  });
});
