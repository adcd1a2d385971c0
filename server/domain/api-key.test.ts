import { expect, it } from "vitest";
import { type ApiKeyState, apiKeyStateAt } from "./api-key";

const AT = new Date("2026-01-02T00:00:00Z");
const BEFORE = new Date("2026-01-01T23:59:59Z");
const AFTER = new Date("2026-01-02T00:00:01Z");

it("a key ends with the very instant of its end; a revocation says more than an end of grace", () => {
  const cases: readonly (readonly [Date | null, Date | null, ApiKeyState])[] = [
    [null, null, "active"],
    [null, AFTER, "expiring"],
    [null, AT, "expired"],
    [null, BEFORE, "expired"],
    [AT, null, "revoked"],
    [BEFORE, BEFORE, "revoked"],
  ];
  for (const [revokedAt, expiresAt, state] of cases)
    expect([revokedAt, expiresAt, apiKeyStateAt({ revokedAt, expiresAt }, AT)]).toEqual([revokedAt, expiresAt, state]);
});
