// Tests what the comparison of the two hosts leaves out of answers, and what it must keep.
import { expect, it } from "vitest";
import { createNormalizer } from "./normalized-text";

const UUIDS = ["0b0e3f4c-58a8-4c3e-9c55-0a1f8f7d6a01", "11111111-2222-4333-8444-555555555555"] as const;
const ID = "01h455vb4pex5vsknk084sn02q";
const OTHER_ID = "01h455vb4pex5vsknk084sn02r";
const CURSOR = "MTc2Mzg0NzYwMDAwMC5kb3JkXzAxaDQ1NXZiNHBleDV2c2tuazA4NHNuMDJx";

it.each([
  ["the origin of the host", "http://localhost:3000/pay", "<origin>/pay"],
  ["a time", '"created_at":"2026-11-22T21:00:00.123Z"', '"created_at":"<date>"'],
  ["a time with an offset, in a path", "created_after=2026-11-22T21%3A00%3A00.123%2B08%3A00", "created_after=<date>"],
  ["a reference", `order-${UUIDS[0]}`, "order-<uuid 1>"],
  ["an id, whose kind stays", `dord_${ID}`, "dord_<id 1>"],
  ["a public key", `pk_test_${ID}`, "pk_test_<id 1>"],
  ["the secret of an endpoint", `whsec_${"a+/9".repeat(10)}abc=`, "whsec_<secret 1>"],
  ["a reference of the sandbox", "SBX0123456789", "SBX<instruction 1>"],
  ["a virtual account", "646180000000000001", "<account 1>"],
  ["a wallet address", `T${"9".repeat(33)}`, "T<address 1>"],
  ["a cursor", `"next_cursor":"${CURSOR}"`, '"next_cursor":"<token 1>"'],
])("replaces %s", (_, text, expected) => {
  expect(createNormalizer()(text)).toBe(expected);
});

it.each([
  ["an amount", '"amount":"1050","available":"100000000"'],
  ["a status and a code", '"status":"processing","code":"validation_failed"'],
  ["a day", "2026-11-22"],
  ["an ETag", 'etag: "3q2-7wAAAAAAAAAAAAAAAA"'],
  ["the order of members", '{"b":1,"a":2}'],
])("keeps %s", (_, text) => {
  expect(createNormalizer()(text)).toBe(text);
});

it("gives equal values equal numbers, over all texts of a test", () => {
  const normalize = createNormalizer();
  expect(normalize(`dord_${ID} dord_${OTHER_ID}`)).toBe("dord_<id 1> dord_<id 2>");
  expect(normalize(`dord_${OTHER_ID}`)).toBe("dord_<id 2>");
});
