import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { digestMatches, equalTexts, hmacHex, keyedDigest, openText, sealText } from "./crypto";
import { createKeyRing } from "./key-ring";

const OLD = Buffer.alloc(32, 1);
const NEW = Buffer.alloc(32, 2);
const ring = createKeyRing([OLD]);
const rotated = createKeyRing([NEW, OLD]);
const PLAIN = "DE89 3704 0044 0532 0130 00";
const CONTEXT = "payout_intent|mer_1|word_1|account_number";

const seal = (context = CONTEXT, text = PLAIN) => sealText(ring, "account-encryption", context, text);
const open = (sealed: string, context = CONTEXT) => openText(ring, "account-encryption", context, sealed);

describe("an encrypted text", () => {
  it.each([PLAIN, "", "\u00e9\u{1F48E}", "x".repeat(10_000)])("decrypts to the original", (text) => {
    expect(open(seal(CONTEXT, text))).toBe(text);
  });

  it("is different every time and reveals nothing of its content", () => {
    const sealed = Array.from({ length: 100 }, () => seal());
    expect(new Set(sealed).size).toBe(100);
    expect(sealed.some((text) => text.includes("3704") || Buffer.from(text, "base64url").includes("3704"))).toBe(false);
  });

  it("does not decrypt in another row, another field or for another purpose", () => {
    const sealed = seal();
    expect(() => open(sealed, CONTEXT.replace("word_1", "word_2"))).toThrow(Error);
    expect(() => open(sealed, CONTEXT.replace("mer_1", "mer_2"))).toThrow(Error);
    expect(() => openText(ring, "account-digest", CONTEXT, sealed)).toThrow(Error);
  });

  it("does not decrypt after a change of any single bit", () => {
    const [id = "", encoded = ""] = seal().split(".");
    const bytes = Buffer.from(encoded, "base64url");
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => open(`${id}.${changed.toString("base64url")}`)).toThrow(Error);
    }
  });

  it("does not decrypt when truncated to any length", () => {
    const sealed = seal();
    for (let length = 0; length < sealed.length; length += 1)
      expect(() => open(sealed.slice(0, length))).toThrow(Error);
  });

  it("decrypts after a rotation, while new texts use the new key", () => {
    const before = seal();
    expect(openText(rotated, "account-encryption", CONTEXT, before)).toBe(PLAIN);
    const now = sealText(rotated, "account-encryption", CONTEXT, PLAIN);
    expect(now.split(".")[0]).not.toBe(before.split(".")[0]);
    expect(() => open(now)).toThrow("no account-encryption key");
  });

  it("does not decrypt under the id of another key of the ring", () => {
    const sealed = sealText(rotated, "account-encryption", CONTEXT, PLAIN);
    const other = rotated.all("account-encryption")[1]?.id ?? "";
    expect(() => openText(rotated, "account-encryption", CONTEXT, `${other}.${sealed.split(".")[1]}`)).toThrow(Error);
  });
});

describe("a keyed digest", () => {
  it("compares for equality, before and after a rotation", () => {
    const digest = keyedDigest(ring, "account-digest", PLAIN);
    expect(digestMatches(ring, "account-digest", digest, PLAIN)).toBe(true);
    expect(digestMatches(rotated, "account-digest", digest, PLAIN)).toBe(true);
    expect(digestMatches(ring, "account-digest", digest, `${PLAIN} `)).toBe(false);
    expect(digestMatches(ring, "idempotency-fingerprint", digest, PLAIN)).toBe(false);
  });

  it("matches nothing when truncated, empty or of an unknown key", () => {
    const digest = keyedDigest(ring, "account-digest", PLAIN);
    for (const broken of ["", ".", digest.slice(0, -1), digest.slice(9), `00000000.${digest.slice(9)}`]) {
      expect(digestMatches(ring, "account-digest", broken, PLAIN)).toBe(false);
    }
  });

  it("is HMAC-SHA-256", () => {
    // RFC 4231, test case 2.
    expect(hmacHex(Buffer.from("Jefe"), "what do ya want for nothing?")).toBe(
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    );
    expect(hmacHex(OLD, PLAIN)).toBe(createHmac("sha256", OLD).update(PLAIN).digest("hex"));
  });
});

it("texts are equal only if all bytes are", () => {
  expect([equalTexts("", ""), equalTexts("a", "a"), equalTexts("a", "b"), equalTexts("a", "aa")]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(equalTexts("\u00e9", "e\u0301")).toBe(false);
});
