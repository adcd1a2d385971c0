// An answer that contains a secret is unreadable in the database, and opens only under the key that it answers.
import { randomBytes } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import { createKeyRing, type KeyRing } from "@/server/platform/key-ring";
import { hideAnswer, showAnswer } from "./confidential-answer";

const shared = globalThis as typeof globalThis & { sluiceKeyRing?: KeyRing };
beforeEach(() => {
  shared.sluiceKeyRing = createKeyRing([randomBytes(32)]);
});

const named = (key: string, apiKeyId = "key_1", merchantId = "mer_1") => ({ scope: { merchantId }, apiKeyId, key });
const BODY = '{"secret":"whsec_1"}';

it("is stored unreadable and shown as it was sent", () => {
  const stored = hideAnswer(named("k"), BODY);
  expect(stored).not.toContain("whsec_1");
  expect(stored).toMatch(/^sealed:\w/);
  expect(showAnswer(named("k"), stored)).toBe(BODY);
});

it("stays hidden from the same key of another merchant or API key, and from another key", () => {
  const stored = hideAnswer(named("k"), BODY);
  for (const other of [named("l"), named("k", "key_2"), named("k", "key_1", "mer_2")]) {
    expect(() => showAnswer(other, stored)).toThrow(/unable to authenticate/);
  }
});

it("is shown as it is where nothing is hidden, even if it contains the mark", () => {
  for (const plain of [BODY, '{"text":"sealed:"}']) expect(showAnswer(named("k"), plain)).toBe(plain);
});
