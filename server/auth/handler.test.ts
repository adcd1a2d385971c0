// The answers of next-auth's routes: what is rejected before it, and the cookies that it gets beside its own.

import { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { beforeEach, expect, it, vi } from "vitest";
import { handleAuth } from "./handler";
import { applySettings, browser, ISSUER, OPENID, ORIGIN } from "./testing/settings";
import type { Visit } from "./visit";

const during = vi.hoisted(() => ({ visit: (_visit: Visit) => {} }));
vi.mock("next-auth", () => ({ default: vi.fn<typeof NextAuth>() }));
vi.mock("./options", () => ({ authOptions: (visit: Visit) => ({ visit }) }));

beforeEach(() => {
  applySettings(OPENID);
  during.visit = () => {};
  vi.mocked(NextAuth as (...given: never[]) => unknown).mockReset();
  vi.mocked(NextAuth as (...given: unknown[]) => unknown).mockImplementation(async (_request, _context, options) => {
    during.visit((options as { visit: Visit }).visit);
    return new Response("{}", { headers: { "set-cookie": "own=1" } });
  });
});

const CONTEXT = { params: Promise.resolve({ nextauth: ["callback", "credentials"] }) };
function handle(
  headers: Record<string, string> = {},
  body: string | null = null,
  path = "/api/auth/callback/credentials",
) {
  const method = body === null ? "GET" : "POST";
  return handleAuth(new NextRequest(ORIGIN + path, { method, headers: browser(headers), body }), CONTEXT);
}

it("passes a request to next-auth, and forbids storing the answer", async () => {
  const answer = await handle({ "content-length": "16384" }, "x");
  expect(answer.status).toBe(200);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(answer.headers.getSetCookie()).toEqual(["own=1"]);
  expect(vi.mocked(NextAuth).mock.calls[0]?.[1]).toBe(CONTEXT);
  expect(process.env.NEXTAUTH_URL).toBe(ORIGIN);
});

it("passes a request without a body, which states no length", async () => {
  expect((await handle()).status).toBe(200);
});

it.each([
  ["of more than 16 KiB", { "content-length": "16385" }],
  ["of no stated length", {}],
  ["of a length that is no number", { "content-length": "many" }],
])("rejects a body %s unread, and closes the connection", async (_what, headers) => {
  const answer = await handle(headers, "x");
  expect(answer.status).toBe(413);
  expect(answer.headers.get("connection")).toBe("close");
  expect(NextAuth).not.toHaveBeenCalled();
});

it("sends away a callback from the provider that the browser has not asked for, without a request to the provider", async () => {
  const answer = await handle({}, null, "/api/auth/callback/openid?code=1");
  expect(answer.status).toBe(302);
  expect(answer.headers.get("location")).toBe(`${ORIGIN}/sign-in?error=Provider`);
  expect(NextAuth).not.toHaveBeenCalled();
});

it("adds the cookies of the browser's device and of a person who must choose, and ends those that have served", async () => {
  during.visit = (visit) => {
    visit.device = { id: "9f0c", memberId: "mem_1", passwordTag: "ab12" };
    visit.choosing = { issuer: ISSUER, subject: "s-1", email: null, authenticatedAt: null, hasTwoFactors: false };
    visit.spentCookies.add("fresh");
  };
  const cookies = (await handle()).headers.getSetCookie();
  expect(cookies).toEqual([
    "own=1",
    expect.stringMatching(/^__Host-sluice\.device=[^;]{20,};/),
    expect.stringMatching(/^__Host-sluice\.choice=[^;]{20,};/),
    expect.stringMatching(/^__Host-sluice\.fresh=; Max-Age=0;/),
  ]);
});
