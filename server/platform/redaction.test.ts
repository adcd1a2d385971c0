import { expect, it } from "vitest";
import { redactedJson } from "./redaction";

it("hides all values under secret and personal names, at any depth, in every spelling", () => {
  const value = {
    amount: "1050",
    recipient: { account_number: "0001-123456789", holder_name: "Ana", bank_code: "001" },
    customer: { name: "Ana", email: "ana@example.com", reference: "c-1" },
    list: [{ accountNumber: ["1", { deep: "2" }] }, { "Account-Number": 42, secret: null }],
  };
  expect(JSON.parse(redactedJson(value, 1_000))).toEqual({
    amount: "1050",
    recipient: { account_number: "[hidden]", holder_name: "[hidden]", bank_code: "001" },
    customer: { name: "[hidden]", email: "[hidden]", reference: "c-1" },
    list: [{ accountNumber: "[hidden]" }, { "Account-Number": "[hidden]", secret: "[hidden]" }],
  });
});

it("returns at most the given length, and never half a character", () => {
  expect(redactedJson("😀😀", 4)).toBe('"😀\ufffd…');
  expect(redactedJson("ok", 4)).toBe('"ok"');
  expect(redactedJson(undefined, 4)).toBe("");
});

it("hides them also after callers made up thousands of names", () => {
  for (let n = 0; n < 3_000; n += 1) redactedJson({ [`made_up_${n}`]: n, [`${"x".repeat(n)}`]: n }, 10);
  expect(redactedJson({ "ACCOUNT number": "1", PAN_: "2", made_up_2999: "3" }, 100)).toBe(
    '{"ACCOUNT number":"[hidden]","PAN_":"[hidden]","made_up_2999":"3"}',
  );
});
