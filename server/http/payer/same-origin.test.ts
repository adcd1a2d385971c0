import { beforeEach, describe, expect, it } from "vitest";
import { type Env, loadEnv } from "@/server/platform/env";
import { isSameOrigin } from "./same-origin";

const shared = globalThis as typeof globalThis & { sluiceEnv?: Env };
beforeEach(() => {
  shared.sluiceEnv = loadEnv({ BASE_URL: "https://pay.example.com" });
});

const OURS = { host: "pay.example.com", origin: "https://pay.example.com" };

describe("a form of our own page", () => {
  it.each([
    ["the browser's own word for it", { "sec-fetch-site": "same-origin", origin: "null" }, true],
    ["an older browser's Origin", OURS, true],
    ["the same behind a proxy that renames the host", { ...OURS, host: "10.0.0.7:3000" }, true],
    ["the host it was asked for by another name", { host: "127.0.0.1:3000", origin: "http://127.0.0.1:3000" }, true],
    ["another site, whatever its Origin", { ...OURS, "sec-fetch-site": "cross-site" }, false],
    ["a neighbour on the same site", { ...OURS, "sec-fetch-site": "same-site" }, false],
    ["an address typed in by hand", { ...OURS, "sec-fetch-site": "none" }, false],
    ["another origin", { ...OURS, origin: "https://shop.example" }, false],
    ["another port", { ...OURS, origin: "https://pay.example.com:8443" }, false],
    ["a hidden origin", { ...OURS, origin: "null" }, false],
    ["no word at all", { host: "pay.example.com" }, false],
  ])("is distinguished from others by %s", (_title, headers, expected) => {
    expect(isSameOrigin(new Headers(headers as Record<string, string>))).toBe(expected);
  });
});
