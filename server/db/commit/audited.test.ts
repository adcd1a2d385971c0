// The texts that digests of the audit log are taken over. Entries of years ago are checked with them: they never change.
import { randomBytes } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import { keyedDigest } from "@/server/platform/crypto";
import { createKeyRing, type KeyRing } from "@/server/platform/key-ring";
import { coveredInstructions, creationFacts, instructionsText, personalText } from "./audited";

const shared = globalThis as typeof globalThis & { sluiceKeyRing?: KeyRing };
let ring: KeyRing;
beforeEach(() => {
  ring = createKeyRing([randomBytes(32)]);
  shared.sluiceKeyRing = ring;
});

const mapping = {
  fixedColumns: ["amount", "name", "sealed"],
  personalColumns: ["name", "customer"],
  rotatingColumns: ["sealed"],
};
const row = { merchant_id: "mer_1", id: "dord_1", amount: "5", sealed: "k.s", name: "Ana", customer: { b: 1, a: "x" } };

it("a row's personal columns are a list after merchant and id: texts as they are, objects as canonical JSON", () => {
  expect(personalText(mapping, row)).toBe('["mer_1","dord_1","Ana","{\\"a\\":\\"x\\",\\"b\\":1}"]');
});

it("a row in which one personal column is filled has a text, with null for the others", () => {
  expect(personalText(mapping, { ...row, name: null })).toBe('["mer_1","dord_1",null,"{\\"a\\":\\"x\\",\\"b\\":1}"]');
  expect(personalText(mapping, { merchant_id: "mer_1", id: "dord_1", name: "Ana" })).toBe(
    '["mer_1","dord_1","Ana",null]',
  );
  expect(personalText(mapping, { ...row, name: null, customer: undefined })).toBeNull();
});

it("the payer's instructions are one text after their column, merchant and id", () => {
  const text = '["next_action","mer_1","dord_1","{\\"type\\":\\"redirect_to_url\\"}"]';
  expect(instructionsText({ ...row, next_action: { type: "redirect_to_url" } })).toBe(text);
  expect(instructionsText({ ...row, next_action: null })).toBeNull();
  expect(instructionsText(row)).toBeNull();
});

it("the digests are keyed for this purpose alone", () => {
  const withInstructions = { ...row, next_action: { type: "redirect_to_url" } };
  expect(creationFacts(mapping, row)).toEqual({
    amount: "5",
    personal: keyedDigest(ring, "audit-facts", personalText(mapping, row) ?? ""),
  });
  expect(coveredInstructions(withInstructions)).toEqual({
    next_action: keyedDigest(ring, "audit-facts", instructionsText(withInstructions) ?? ""),
  });
});
