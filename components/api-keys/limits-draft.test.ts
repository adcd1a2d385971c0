import { expect, it } from "vitest";
import { KEY_SCOPES } from "@/server/domain/key-scopes";
import { NO_DRAFT, readLimits, scopesOf, withPreset } from "./limits-draft";

const endOfDay = (day: string) => `after ${day}`;

it("a draft without changes has no limits", () => {
  expect(readLimits(NO_DRAFT, endOfDay)).toEqual({});
});

it("a read-only key and a key for payments cannot send money", () => {
  for (const preset of ["read", "payments"] as const) {
    const scopes = scopesOf({ ...NO_DRAFT, preset }) ?? [];
    expect(scopes.length).toBeGreaterThan(0);
    expect(scopes).not.toContain("payout_intents:write");
  }
});

it("a custom choice begins with the scopes of the preset before it", () => {
  expect(withPreset(NO_DRAFT, "custom").custom).toEqual(KEY_SCOPES);
  const payments = withPreset(NO_DRAFT, "payments");
  expect(withPreset(payments, "custom").custom).toEqual(scopesOf(payments));
  expect(scopesOf({ ...NO_DRAFT, preset: "custom" })).toEqual([]);
});

it("reads networks from any list, and the expiry from the last day", () => {
  const draft = { ...NO_DRAFT, networks: " 10.0.0.0/8,\n2001:db8::/48 ", lastDay: "2027-01-31" };
  expect(readLimits(draft, endOfDay)).toEqual({
    networks: ["10.0.0.0/8", "2001:db8::/48"],
    expires_at: "after 2027-01-31",
  });
});
