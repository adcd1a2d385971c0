import { describe, expect, it } from "vitest";
import { createKeyRing, type KeyPurpose } from "./key-ring";

const OLD = Buffer.alloc(32, 1);
const NEW = Buffer.alloc(32, 2);
const PURPOSES: readonly KeyPurpose[] = [
  "api-key-pepper",
  "account-encryption",
  "account-digest",
  "idempotency-fingerprint",
  "cursor-mac",
  "audit-chain",
  "session",
];

describe("a key ring", () => {
  it("derives a separate key of 32 bytes for every purpose, none of them the secret", () => {
    const ring = createKeyRing([OLD, NEW]);
    const keys = PURPOSES.flatMap((purpose) => ring.all(purpose).map(({ key }) => key.toString("hex")));
    expect(new Set(keys).size).toBe(PURPOSES.length * 2);
    expect(keys.every((key) => key.length === 64)).toBe(true);
    expect(keys).not.toContain(OLD.toString("hex"));
  });

  it("derives the same keys from the same secret, in any process", () => {
    expect(createKeyRing([OLD]).current("session")).toEqual(createKeyRing([Buffer.from(OLD)]).current("session"));
  });

  it("writes with the newest secret and still finds the key of an older one", () => {
    const before = createKeyRing([OLD]).current("cursor-mac");
    const rotated = createKeyRing([NEW, OLD]);
    expect(rotated.current("cursor-mac").id).not.toBe(before.id);
    expect(rotated.byId("cursor-mac", before.id)).toEqual(before);
    expect(rotated.all("cursor-mac").map(({ id }) => id)).toEqual([rotated.current("cursor-mac").id, before.id]);
  });

  it("has no key of a secret that the operator has removed", () => {
    const before = createKeyRing([OLD]).current("session");
    expect(createKeyRing([NEW]).byId("session", before.id)).toBeNull();
    expect(createKeyRing([NEW]).byId("session", "")).toBeNull();
  });

  it("has key ids that do not reveal their secret", () => {
    const { id } = createKeyRing([OLD]).current("session");
    expect(id).toMatch(/^[0-9a-f]{8}$/);
    expect(OLD.toString("hex")).not.toContain(id);
  });

  it("takes the keys of records from secrets of their own, where there are some", () => {
    const ring = createKeyRing([NEW], [OLD]);
    const [old, recent] = [createKeyRing([OLD]), createKeyRing([NEW])];
    expect(ring.current("audit-chain")).toEqual(old.current("audit-chain"));
    expect(ring.variableOf("audit-chain")).toBe("SLUICE_RECORD_SECRETS");
    expect(ring.current("session")).toEqual(recent.current("session"));
    expect(ring.byId("session", old.current("session").id)).toBeNull();
    expect(recent.variableOf("audit-chain")).toBe("SLUICE_SECRETS");
  });

  it("needs a secret", () => {
    expect(() => createKeyRing([])).toThrow(RangeError);
  });
});
