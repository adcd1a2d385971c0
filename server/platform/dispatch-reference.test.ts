import { describe, expect, it } from "vitest";
import { type DispatchSubject, deriveDispatchReference, namesKind, referenceKeyId } from "./dispatch-reference";
import { isId } from "./ids";

const KEY = Buffer.alloc(32, 7);
const SUBJECT: DispatchSubject = {
  merchantId: "mer_01h455vb4pex5vsknk084sn02q",
  environment: "live",
  kind: "payoutIntent",
  merchantReference: "payout-1",
};
const derive = (changes: Partial<DispatchSubject> = {}, key = KEY) =>
  deriveDispatchReference(key, { ...SUBJECT, ...changes });

describe("a derived reference", () => {
  it("depends only on key and subject, so that every database derives the same", () => {
    expect(derive()).toBe("word_ak5221mv_t4d7a7v2053dg5hdmy5tnbg2q4");
  });

  it.each<[string, Partial<DispatchSubject>]>([
    ["merchant", { merchantId: "mer_01h455vb4pex5vsknk084sn02r" }],
    ["environment", { environment: "test" }],
    ["kind", { kind: "paymentIntent" }],
    ["merchant reference", { merchantReference: "payout-2" }],
  ])("differs for another %s", (_what, change) => {
    expect(derive(change)).not.toBe(derive());
    expect(derive(change).slice(5)).not.toBe(derive().slice(5));
  });

  it("differs under another key", () => {
    expect(derive({}, Buffer.alloc(32, 8))).not.toBe(derive());
  });

  it("begins with its kind's prefix and its merchant's tag, and is never an id", () => {
    const references = ["a", "b", "|", "é".repeat(255)].map((merchantReference) => derive({ merchantReference }));
    expect(new Set(references.map((reference) => reference.slice(0, 14))).size).toBe(1);
    expect(derive({ kind: "topupIntent" }).slice(5, 13)).toBe(derive().slice(5, 13));
    for (const reference of references) {
      expect(reference).toMatch(/^word_[0-9a-z]{8}_[0-9a-z]{26}$/);
      expect([namesKind("payoutIntent", reference), isId("payoutIntent", reference)]).toEqual([true, false]);
    }
  });
});

it("a key's id does not reveal the key", () => {
  expect(referenceKeyId(KEY)).toMatch(/^[0-9a-f]{8}$/);
  expect(referenceKeyId(KEY)).not.toBe(referenceKeyId(Buffer.alloc(32, 8)));
});
