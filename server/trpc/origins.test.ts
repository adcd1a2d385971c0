// Tests which pages may make a browser write: every procedure that changes something, and every route that takes a POST.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readTree } from "@/server/testing/architecture/tree";
import { handleTrpcRequest } from "./handler";
import { appRouter } from "./router";

const OWN = "http://localhost:3000";
/** What a browser states about a page that is not ours, or nothing at all. */
const FOREIGN: readonly Readonly<Record<string, string>>[] = [
  { "sec-fetch-site": "cross-site", origin: "https://evil.example" },
  { "sec-fetch-site": "same-site", origin: "http://other.localhost:3000" },
  { "sec-fetch-site": "none" },
  { "sec-fetch-site": "cross-site", origin: OWN },
  { origin: "https://evil.example" },
  { origin: "null" },
  { origin: `${OWN}.evil.example` },
  {},
];

const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>;
const MUTATIONS = Object.keys(procedures).filter((path) => procedures[path]?._def.type === "mutation");

function call(path: string, method: string, headers: Readonly<Record<string, string>>): Promise<Response> {
  const body = method === "POST" ? { body: "{}" } : {};
  const sent = { host: "localhost:3000", "content-type": "application/json", ...headers };
  return handleTrpcRequest(new Request(`${OWN}/api/trpc/${path}`, { method, headers: sent, ...body }));
}

describe.each(MUTATIONS)("%s", (path) => {
  it.each(FOREIGN)("is rejected for a page of %j", async (headers) => {
    const answer = await call(path, "POST", headers);
    expect([answer.status, await answer.text()]).toEqual([403, "This request belongs to another page.\n"]);
  });

  it("is not run by a link", async () => {
    expect((await call(path, "GET", { "sec-fetch-site": "same-origin" })).status).toBe(405);
  });
});

/** What keeps another site's page from posting to a route with the member's cookies. */
const ROUTES: Readonly<Record<string, "origin" | "token" | "no cookies" | "signature">> = {
  "app/api/auth/[...nextauth]/route.ts": "token",
  "app/api/fresh-sign-in/route.ts": "origin",
  "app/api/one-time-link/choose-password/route.ts": "origin",
  "app/api/one-time-link/look-up/route.ts": "origin",
  "app/api/passkey-challenge/route.ts": "origin",
  "app/api/trpc/[trpc]/route.ts": "origin",
  "app/pay/[id]/decide/route.ts": "origin",
  "app/providers/[provider]/callbacks/route.ts": "signature",
};

it("every route that takes a POST has a row; those of the REST API read no cookies", () => {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const posts = readTree(root)
    .filter(({ path }) => path.startsWith("app/") && path.endsWith("/route.ts"))
    .filter(({ text }) => /\bas POST\b|function POST\b|const POST\b/.test(text))
    .map(({ path }) => path);
  expect(posts.filter((path) => !path.startsWith("app/v1/")).sort()).toEqual(Object.keys(ROUTES).sort());
  for (const path of posts.filter((one) => one.startsWith("app/v1/"))) {
    expect(readFileSync(`${root}/${path}`, "utf8")).toMatch(/from "@\/server\/http\/(next-host|direct-host)"/);
  }
});
