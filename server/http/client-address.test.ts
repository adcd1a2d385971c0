// Tests that a caller of `next start` alone gains nothing by naming an address.
import { afterEach, beforeEach, expect, it } from "vitest";
import { loadEnv } from "@/server/platform/env";
import { declareFront, forwardedAddress } from "./client-address";

const shared = globalThis as typeof globalThis & { sluiceEnv?: unknown; sluiceHasFront?: boolean };
const FORGED = new Headers({ "x-forwarded-for": "203.0.113.9" });

function configure(variables: Record<string, string>): void {
  shared.sluiceEnv = loadEnv(variables);
}

function reset(): void {
  delete shared.sluiceEnv;
  delete shared.sluiceHasFront;
}

beforeEach(reset);
afterEach(reset);

it("under Next alone, a forwarded entry is not believed without trusted proxies", () => {
  configure({});
  expect(forwardedAddress(FORGED)).toBe("");
});

it("under Next alone, trusted proxies name the caller", () => {
  configure({ TRUSTED_PROXIES: "10.0.0.0/8" });
  expect(forwardedAddress(FORGED)).toBe("203.0.113.9");
  expect(forwardedAddress(new Headers({ "x-forwarded-for": "198.51.100.1, 203.0.113.9, 10.0.0.1" }))).toBe(
    "203.0.113.9",
  );
});

it("behind the front, the address that it wrote is used", () => {
  configure({});
  declareFront();
  expect(forwardedAddress(FORGED)).toBe("203.0.113.9");
});
