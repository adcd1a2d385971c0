import { expect, it } from "vitest";
import { readCredentials } from "./credentials";

const PUBLIC = `pk_test_${"a".repeat(24)}`;
const SECRET = `sk_test_${"b".repeat(43)}`;
const encode = (pair: string) => Buffer.from(pair).toString("base64");
const PAIR = encode(`${PUBLIC}:${SECRET}`);

it.each([`Basic ${PAIR}`, `basic ${PAIR}`, `BASIC   ${PAIR}`, `  Basic ${PAIR} `, `Basic ${PAIR.replace(/=+$/, "")}`])(
  "%j is read",
  (header) => {
    expect(readCredentials(header)).toEqual({ publicKey: PUBLIC, secretKey: SECRET });
  },
);

it("the first colon divides the pair; either side may be empty", () => {
  expect(readCredentials(`Basic ${encode("a:b:c")}`)).toEqual({ publicKey: "a", secretKey: "b:c" });
  expect(readCredentials(`Basic ${encode(":")}`)).toEqual({ publicKey: "", secretKey: "" });
  expect(readCredentials(`Basic ${encode("a:")}`)).toEqual({ publicKey: "a", secretKey: "" });
});

it.each([
  null,
  "",
  "Basic",
  "Basic ",
  `Basic${PAIR}`,
  `Bearer ${PAIR}`,
  PAIR,
  `Basic ${PAIR}, Basic ${PAIR}`,
  `Basic ${PAIR} ${PAIR}`,
  `Basic ${encode("no colon")}`,
  "Basic !!!!",
  `Basic ${PAIR}\u0000`,
  "Basic ====",
  "Digest username=x",
])("%j is not valid credentials", (header) => {
  expect(readCredentials(header)).toBeNull();
});

it("bytes that are not UTF-8 are read as something that matches no key, not as an error", () => {
  const header = `Basic ${Buffer.from([0xff, 0xfe, 0x3a, 0x80]).toString("base64")}`;
  expect(readCredentials(header)?.publicKey).not.toMatch(/^pk_/);
});
