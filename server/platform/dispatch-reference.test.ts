import { describe, expect, it } from "vitest";
import {
  type DispatchSubject,
  deriveDispatchReference,
  namesKind,
  referenceKeyId,
  tagOfReference,
} from "./dispatch-reference";
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

describe("the cell of a reference", () => {
  /** Of the second cell: `e2` behind the version. */
  const FURTHER = { merchantId: "mer_01h455vb4pge2vsknk084sn02q" };

  it("is named in a derived one of a further cell's merchant, in the length and alphabet of others", () => {
    const reference = derive(FURTHER);
    expect(reference).toMatch(/^word_[0-9a-z]{8}_ue2[0-9a-z]{23}$/);
    expect(reference).toHaveLength(derive().length);
    expect(tagOfReference(reference)).toBe("e2");
    expect(derive({ ...FURTHER, merchantReference: "payout-2" })).not.toBe(reference);
  });

  it("is named in an id of a further cell", () => {
    expect(tagOfReference("dord_01h455vb4pge2vsknk084sn02q")).toBe("e2");
  });

  it("is the first for all references of its merchants, also for those that look like a tagged id behind the line", () => {
    const many = Array.from({ length: 5_000 }, (_, n) => derive({ merchantReference: `payout-${n}` }));
    expect(many.filter((reference) => tagOfReference(reference) !== "")).toEqual([]);
    expect(tagOfReference("word_ak5221mv_01h455vb4pge2vsknk084sn02q")).toBe("");
    expect(tagOfReference("word_01h455vb4pex5vsknk084sn02q")).toBe("");
  });

  it.each([
    "",
    "u",
    "WORD_AK5221MV_UE27A7V2053DG5HDMY5TNBG2Q4",
    "word_ak5221mv_ue2",
    "word_01h455vb4pGE2vsknk084sn02q",
  ])("is the first for another text, such as %j", (text) => expect(tagOfReference(text)).toBe(""));
});

it("a key's id does not reveal the key", () => {
  expect(referenceKeyId(KEY)).toMatch(/^[0-9a-f]{8}$/);
  expect(referenceKeyId(KEY)).not.toBe(referenceKeyId(Buffer.alloc(32, 8)));
});
