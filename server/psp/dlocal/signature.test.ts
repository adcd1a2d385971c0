// The signature against other implementations: values of openssl, and HMAC from its definition.
import fc from "fast-check";
import { expect, it } from "vitest";
import { signed } from "@/e2e/support/fake-dlocal/signature";
import { authorizationOf } from "./signature";

const LOGIN = "sak223k2wdksdl2";
const DATE = "2018-02-20T15:44:42.310Z";
const BODY = '{"amount":120.5,"currency":"BRL","payer":{"name":"Tomás Ñandú 公"}}';

it.each([
  ["", "e7473a9a9a39cb454baabaa8d30c8cbcbf3c0a3650f55d348476b9d944aabe6f"],
  [BODY, "708315a7a87ac888b1ec261f62b299c6c38909f05e7264e643b350bd0f63b420"],
])("over login, date and %j is what openssl dgst -sha256 -hmac prints", (body, digest) => {
  const signer = { login: LOGIN, secretKey: "its_a_secret_of_dlocal" };
  expect(authorizationOf(signer, DATE, body)).toBe(`V2-HMAC-SHA256, Signature: ${digest}`);
});

it("is the value that the tests of Wikimedia's client have for the text of all three", () => {
  const digest = "df8b183bbf9493d8fcfeb5cdc3f084bafcac5ce4155e8bb6b1b007cdeb21ebba";
  const signer = { login: "test", secretKey: "its_a_secret" };
  expect(authorizationOf(signer, " mess", "age")).toBe(`V2-HMAC-SHA256, Signature: ${digest}`);
});

it("is HMAC as it is defined, whatever the texts", () => {
  const text = fc.string({ unit: "binary" });
  fc.assert(
    fc.property(text, text, text, text, (login, secretKey, date, body) => {
      const owner = { login, secretKey, transKey: "" };
      return authorizationOf(owner, date, body) === signed(owner, date, body);
    }),
  );
});
