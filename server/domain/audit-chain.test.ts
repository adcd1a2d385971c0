import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AuditedEntry, CHAIN_START, linkText } from "./audit-chain";

const ENTRY: AuditedEntry = {
  merchantId: "mer_1",
  id: "aud_1",
  environment: "test",
  actorType: "member",
  actorId: "mem_1",
  action: "payout_intent.cancel",
  objectId: "word_1",
  before: '{"status": "requires_approval"}',
  after: '{"status": "cancelled"}',
  reason: "não é nossa",
  requestId: "req_1",
  address: "192.0.2.1",
  createdAt: "1795222800000",
};
const PLACE = { sequence: 7n, keyId: "0a1b2c3d", linkedAt: "1795222800400" };

const text = fc.option(fc.string({ unit: "grapheme" }), { nil: null });
const entries = fc.record({
  ...Object.fromEntries(Object.keys(ENTRY).map((member) => [member, fc.string({ unit: "grapheme" })])),
  environment: text,
  before: text,
  after: text,
  reason: text,
  requestId: text,
  address: text,
}) as fc.Arbitrary<AuditedEntry>;

describe("the text of a link", () => {
  it("is the hash before it and one JSON array: stored hashes were taken over exactly this", () => {
    expect(linkText(CHAIN_START.hash, PLACE, ENTRY)).toBe(
      `${"0".repeat(64)}["sluice-audit-1","mer_1","7","0a1b2c3d","1795222800400","aud_1","test","member","mem_1",` +
        '"payout_intent.cancel","word_1","{\\"status\\": \\"requires_approval\\"}","{\\"status\\": \\"cancelled\\"}",' +
        '"não é nossa","req_1","192.0.2.1","1795222800000"]',
    );
  });

  it("differs wherever the entry or its place does", () => {
    const before = linkText(CHAIN_START.hash, PLACE, ENTRY);
    for (const member of Object.keys(ENTRY)) {
      const changes: unknown[] = ["x", "", "null"];
      for (const change of changes) {
        expect(linkText(CHAIN_START.hash, PLACE, { ...ENTRY, [member]: change })).not.toBe(before);
      }
    }
    expect(linkText(CHAIN_START.hash, { ...PLACE, sequence: 8n }, ENTRY)).not.toBe(before);
    expect(linkText(CHAIN_START.hash, { ...PLACE, keyId: "x" }, ENTRY)).not.toBe(before);
    expect(linkText(CHAIN_START.hash, { ...PLACE, linkedAt: "0" }, ENTRY)).not.toBe(before);
    expect(linkText("1".repeat(64), PLACE, ENTRY)).not.toBe(before);
  });

  it("is shared by no two different entries, however what is in them is shifted from one member to another", () => {
    fc.assert(
      fc.property(entries, entries, (one, other) => {
        const isSame = JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).sort());
        return (linkText(CHAIN_START.hash, PLACE, one) === linkText(CHAIN_START.hash, PLACE, other)) === isSame;
      }),
    );
  });
});
