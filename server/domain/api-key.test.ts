import { expect, it } from "vitest";
import { type ApiKeyState, apiKeyStateAt, keyEnd, LONGEST_GRACE_SECONDS, NO_LIMITS } from "./api-key";

const AT = new Date("2026-01-02T00:00:00Z");
const BEFORE = new Date("2026-01-01T23:59:59Z");
const AFTER = new Date("2026-01-02T00:00:01Z");

it("a key ends with the very instant of its end; a revocation says more than an end of grace", () => {
  const cases: readonly (readonly [Date | null, Date | null, Date | null, ApiKeyState])[] = [
    [null, null, null, "active"],
    [null, AFTER, null, "expiring"],
    [null, AT, null, "expired"],
    [null, BEFORE, null, "expired"],
    [AT, null, null, "revoked"],
    [BEFORE, BEFORE, null, "revoked"],
    [null, null, AFTER, "active"],
    [null, null, AT, "expired"],
    [null, AFTER, AT, "expired"],
    [null, AFTER, AFTER, "expiring"],
  ];
  for (const [revokedAt, expiresAt, validUntil, state] of cases) {
    const life = { revokedAt, expiresAt, validUntil };
    expect({ ...life, state: apiKeyStateAt(life, AT) }).toEqual({ ...life, state });
  }
});

it("a key ends after its grace period or at its expiry, whichever comes first", () => {
  const ends = [
    [null, null, null],
    [AT, null, AT],
    [null, AT, AT],
    [AT, AFTER, AT],
    [AFTER, AT, AT],
  ] as const;
  for (const [expiresAt, validUntil, end] of ends) expect(keyEnd({ expiresAt, validUntil })).toEqual(end);
});

it("a key that is replaced goes on for a week at most, and a key without limits ends never", () => {
  expect(LONGEST_GRACE_SECONDS).toBe(604_800);
  expect(NO_LIMITS).toEqual({ scopes: null, networks: null, validUntil: null });
});
