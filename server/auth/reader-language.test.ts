// In which language and time zone a reader is served: their own choice, else what their browser says.
import { beforeEach, describe, expect, it, vi } from "vitest";
import { TIME_ZONE_COOKIE } from "@/server/domain/time-zones";
import { currentReach } from "@/server/platform/reach";
import { settingsOf } from "@/server/services/members/settings";
import { hadOutageSince } from "@/server/services/outage";
import { findMemberSession } from "@/server/services/sign-in/sessions";
import { currentMember, currentSession } from "./current-member";
import { pageLanguage } from "./page-language";
import { readerTimeZone } from "./page-time-zone";
import { readerLanguage } from "./reader-language";
import { sealToken, sessionSecret } from "./session-token";
import { applySettings } from "./testing/settings";

const page = vi.hoisted(() => ({ headers: new Headers(), cookies: new Map<string, { value: string }>() }));
vi.mock("next/headers", () => ({ headers: async () => page.headers, cookies: async () => page.cookies }));
vi.mock("react", async (original) => ({ ...(await original<object>()), cache: (read: unknown) => read }));
vi.mock("@/server/services/members/settings", async (original) => ({
  ...(await original<object>()),
  settingsOf: vi.fn<typeof settingsOf>(),
}));
vi.mock("@/server/services/outage", async (original) => ({
  ...(await original<object>()),
  hadOutageSince: vi.fn<typeof hadOutageSince>(),
}));
vi.mock("@/server/services/sign-in/sessions", async (original) => ({
  ...(await original<object>()),
  findMemberSession: vi.fn<typeof findMemberSession>(),
}));

const MEMBER = { id: "mem_1", merchantId: "mer_1" };
const SESSION = { merchantId: "mer_1", sessionId: "ses_1", member: MEMBER, mustEnrol: false } as never;
const SPANISH = new Headers({ "accept-language": "fr, es;q=0.8" });

let reach: string | null = null;
const choose = (language: "en" | "pt-BR" | "es" | null) =>
  vi.mocked(settingsOf).mockImplementation(async () => {
    reach = currentReach();
    return { timeZone: null, language };
  });

/** The headers of a page request by the member. */
async function visit(path: string, acceptLanguage = "es"): Promise<void> {
  const token = { sub: MEMBER.id, merchantId: MEMBER.merchantId, sid: "ses_1" };
  const value = await sealToken({ token, secret: sessionSecret() });
  page.headers = new Headers({
    cookie: `__Host-sluice.session=${value}`,
    "accept-language": acceptLanguage,
    "x-sluice-path": path,
  });
}

beforeEach(() => {
  vi.resetAllMocks();
  applySettings();
  reach = null;
  page.headers = new Headers();
  page.cookies.clear();
  vi.mocked(findMemberSession).mockResolvedValue(SESSION);
});

describe("what the server says outside of a page", () => {
  it("is in the language that the member has chosen, read within their merchant", async () => {
    choose("pt-BR");
    expect(await readerLanguage(SESSION, SPANISH)).toBe("pt-BR");
    expect(settingsOf).toHaveBeenCalledExactlyOnceWith(MEMBER);
    expect(reach).toBe("mer_1");
  });

  it("is in the browser's best language without a choice, and for a visitor", async () => {
    choose(null);
    expect(await readerLanguage(SESSION, SPANISH)).toBe("es");
    expect(await readerLanguage(null, SPANISH)).toBe("es");
    expect(await readerLanguage(null, new Headers())).toBe("en");
    expect(settingsOf).toHaveBeenCalledOnce();
  });

  it("is in the browser's language where the choice cannot be read", async () => {
    vi.mocked(settingsOf).mockRejectedValue(new Error("the database is gone"));
    expect(await readerLanguage(SESSION, SPANISH)).toBe("es");
  });

  it("does not wait for a database that failed within the last two seconds", async () => {
    choose("pt-BR");
    vi.mocked(hadOutageSince).mockReturnValue(true);
    const before = performance.now();
    expect(await readerLanguage(SESSION, SPANISH)).toBe("es");
    expect(settingsOf).not.toHaveBeenCalled();
    const [[since] = [0]] = vi.mocked(hadOutageSince).mock.calls;
    expect(since).toBeGreaterThanOrEqual(before - 2_000);
    expect(since).toBeLessThanOrEqual(performance.now() - 2_000);
  });
});

describe("a page", () => {
  it("is in the language that its member has chosen", async () => {
    choose("pt-BR");
    await visit("/test/payouts");
    expect(await currentSession()).toBe(SESSION);
    expect(await currentMember()).toBe(MEMBER);
    expect(await pageLanguage()).toBe("pt-BR");
  });

  it("is in the browser's best language without a choice, and for a visitor", async () => {
    choose(null);
    await visit("/test/payouts");
    expect(await pageLanguage()).toBe("es");
    vi.mocked(findMemberSession).mockResolvedValue(null);
    expect(await currentMember()).toBeNull();
    expect(await pageLanguage()).toBe("es");
  });

  it("of the documentation, and one without a path, is in English", async () => {
    choose("pt-BR");
    await visit("/docs/quickstart");
    expect(await pageLanguage()).toBe("en");
    page.headers = new Headers({ "accept-language": "es" });
    expect(await pageLanguage()).toBe("en");
  });
});

describe("the days of a reader", () => {
  it("are those of the zone that they chose, else of the one that their browser told before", async () => {
    page.cookies.set(TIME_ZONE_COOKIE, { value: "America/Sao_Paulo" });
    expect(await readerTimeZone("Asia/Tokyo")).toBe("Asia/Tokyo");
    expect(await readerTimeZone(null)).toBe("America/Sao_Paulo");
  });

  it("are only known to the browser at its first page, and where its cookie names no zone", async () => {
    expect(await readerTimeZone(null)).toBeNull();
    page.cookies.set(TIME_ZONE_COOKIE, { value: "Mars/Olympus" });
    expect(await readerTimeZone(null)).toBeNull();
  });
});
