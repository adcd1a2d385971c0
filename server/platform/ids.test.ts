import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { ID_PREFIXES, type IdKind, idBoundAt, isId, newId, randomText, tagOfId } from "./ids";

const KINDS = Object.keys(ID_PREFIXES) as IdKind[];

describe("an id", () => {
  it("starts with the prefix of its kind, and is an id of no other kind", () => {
    for (const kind of KINDS) {
      const id = newId(kind);
      expect(id.startsWith(`${ID_PREFIXES[kind]}_`)).toBe(true);
      expect(KINDS.filter((other) => isId(other, id))).toEqual([kind]);
    }
    expect([ID_PREFIXES.paymentIntent, ID_PREFIXES.payoutIntent, ID_PREFIXES.topupIntent]).toEqual([
      "dord",
      "word",
      "tuin",
    ]);
    expect(new Set(Object.values(ID_PREFIXES)).size).toBe(KINDS.length);
  });

  it("is unique", () => {
    expect(new Set(Array.from({ length: 20_000 }, () => newId("event"))).size).toBe(20_000);
  });

  it("sorts after those of earlier milliseconds", async () => {
    const ids: string[] = [];
    for (let n = 0; n < 20; n += 1) {
      ids.push(newId("paymentIntent"));
      await pause(2);
    }
    expect([...ids].sort()).toEqual(ids);
  });

  it.each([
    "",
    "dord",
    "dord_",
    "dord_01h455vb4pex5vsknk084sn02",
    "dord_01h455vb4pex5vsknk084sn02qq",
    "dord_81h455vb4pex5vsknk084sn02q",
    "dord_01H455VB4PEX5VSKNK084SN02Q",
    "dord_01h455vb4pex5vsknk084sn02l",
    "dord_01h455vb4pex5vsknk084sn02q\n",
    " dord_01h455vb4pex5vsknk084sn02q",
    "DORD_01h455vb4pex5vsknk084sn02q",
    "word_01h455vb4pex5vsknk084sn02q",
    "dord_01h455vb4pex5vsknk084sn0%71",
    "dord_' OR 1=1 --",
  ])("is not %j", (text) => {
    expect(isId("paymentIntent", text)).toBe(false);
  });
});

it("random text has the requested length, and each of the 62 characters about equally often", () => {
  const text = randomText(62_000);
  expect(text).toMatch(/^[0-9A-Za-z]{62000}$/);
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  expect(counts.size).toBe(62);
  // 1,000 each on average, with a deviation of 31: 200 off would be a bias, not chance.
  expect([...counts.values()].filter((count) => Math.abs(count - 1_000) > 200)).toEqual([]);
  expect(randomText(0)).toBe("");
});

it("the bound of an instant sorts between the ids created before it and those from then on", () => {
  const before = Date.now();
  const id = newId("request");
  const after = Date.now();
  expect(idBoundAt("request", new Date(before)) < id).toBe(true);
  expect(idBoundAt("request", new Date(after + 1)) > id).toBe(true);
  expect(idBoundAt("request", new Date(0))).toBe("req_0000000000");
});

it("an id of the first cell has no tag, nor has a text that is no id", () => {
  for (const kind of KINDS) expect(tagOfId(newId(kind))).toBe("");
  for (const text of ["", "dord_01h455vb4pg", "dord_01h455vb4pge2vsknk084sn02", "x"]) expect(tagOfId(text)).toBe("");
  expect(tagOfId("dord_01h455vb4pge2vsknk084sn02q")).toBe("e2");
});
