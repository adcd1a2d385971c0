// Cases of text: NUL, lone surrogates, bytes that are not UTF-8, and lengths counted in code points.
import { BODIES, bodyCase, changed, headersOf, PATHS } from "../bodies";
import { invalid, type Operation } from "../oracle";
import { judgeParameter, KINDS, LISTS, listPath } from "../oracle-query";
import type { BadInput } from "../table";

/** Free texts with the maximum of code points that each may have. */
const TEXTS: readonly (readonly [Operation, string, number])[] = [
  ["payment", "merchant_reference", 255],
  ["payment", "customer.name", 255],
  ["payment", "customer.email", 255],
  ["payment", "customer.reference", 255],
  ["payment", "description", 200],
  ["payout", "merchant_reference", 255],
  ["payout", "recipient.bank_code", 64],
  ["payout", "recipient.holder_name", 255],
  ["topup", "merchant_reference", 255],
  ["cancel", "reason", 512],
];

/** Escapes that are JSON but not text: the whole body is rejected, in whatever field they occur. */
const UNSTORABLE: Readonly<Record<string, string>> = {
  "a NUL": "a\\u0000b",
  "a NUL alone": "\\u0000",
  "a lone high surrogate": "a\\ud800",
  "another lone high surrogate": "a\\udbff",
  "a lone low surrogate": "\\udc00b",
  "surrogates in the wrong order": "\\ude00\\ud83d",
  "two high surrogates and a low one": "\\ud83d\\ud83d\\ude00",
  "half an emoji at the end": "Ana \\ud83d",
};

function inField(operation: Operation, path: string, literal: string): string {
  const marker = "literal-goes-here";
  return JSON.stringify(changed(BODIES[operation], path, marker)).replace(marker, literal);
}

function post(
  name: string,
  operation: Operation,
  body: Pick<BadInput, "body" | "bodyBase64">,
  field: string,
): BadInput {
  return { name, method: "POST", path: PATHS[operation], ...headersOf(operation), ...body, expect: invalid(field) };
}

function unstorable(): BadInput[] {
  const inTexts = TEXTS.flatMap(([operation, path]) =>
    Object.entries(UNSTORABLE).map(([what, literal]) =>
      post(`${operation}: ${path} with ${what}`, operation, { body: inField(operation, path, literal) }, "body"),
    ),
  );
  const elsewhere: readonly (readonly [string, Operation, string])[] = [
    ["a NUL in the amount", "payment", inField("payment", "amount", "1050\\u0000")],
    ["a NUL in the currency", "payment", inField("payment", "currency", "BRL\\u0000")],
    ["a NUL in the account number", "payout", inField("payout", "recipient.account_number", "0001\\u0000")],
    ["a NUL in an unknown member", "payment", inField("payment", "x", "\\u0000")],
    ["a NUL in a key", "payment", '{"a\\u0000b":1}'],
    ["a lone surrogate in a key", "payment", '{"\\ud800":1}'],
    ["a lone surrogate in an unknown member", "payment", inField("payment", "x", "\\udfff")],
    ["a NUL in the simulated id", "simulate", inField("simulate", "id", "dord_\\u0000")],
    ["a NUL in the outcome", "simulate", inField("simulate", "outcome", "expired\\u0000")],
  ];
  return [...inTexts, ...elsewhere.map(([name, operation, body]) => post(name, operation, { body }, "body"))];
}

/** Byte sequences that do not occur in UTF-8. */
const NOT_UTF8: Readonly<Record<string, readonly number[]>> = {
  "a lone continuation byte": [0x80],
  "a byte that never occurs": [0xff],
  "another byte that never occurs": [0xfe],
  "an overlong slash": [0xc0, 0xaf],
  "an overlong NUL": [0xc0, 0x80],
  "an overlong quote of three bytes": [0xe0, 0x80, 0xa2],
  "a two-byte sequence cut off": [0xc3],
  "a three-byte sequence cut off": [0xe2, 0x82],
  "a four-byte sequence cut off": [0xf0, 0x9f, 0x98],
  "an encoded surrogate": [0xed, 0xa0, 0x80],
  "an encoded pair of surrogates": [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80],
  "a code point beyond the last": [0xf4, 0x90, 0x80, 0x80],
  "a five-byte sequence": [0xf8, 0x88, 0x80, 0x80, 0x80],
  "Latin-1": [0x41, 0x6e, 0xe1],
  "Shift-JIS": [0x93, 0xfa, 0x96, 0x7b],
};

function base64(operation: Operation, path: string, bytes: readonly number[]): string {
  const [before = "", after = ""] = inField(operation, path, "\u0001").split("\u0001");
  return Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]).toString("base64");
}

function notUtf8(): BadInput[] {
  const wide = (encoding: "utf16le", mark: readonly number[]) =>
    Buffer.concat([Buffer.from(mark), Buffer.from(JSON.stringify(BODIES.payment), encoding)]);
  return [
    ...Object.entries(NOT_UTF8).flatMap(([what, bytes]) =>
      (["merchant_reference", "customer.name"] as const).map((path) =>
        post(`payment: ${path} with ${what}`, "payment", { bodyBase64: base64("payment", path, bytes) }, "body"),
      ),
    ),
    ...Object.entries(NOT_UTF8).map(([what, bytes]) =>
      post(`cancel: reason with ${what}`, "cancel", { bodyBase64: base64("cancel", "reason", bytes) }, "body"),
    ),
    post("UTF-16 with a mark", "payment", { bodyBase64: wide("utf16le", [0xff, 0xfe]).toString("base64") }, "body"),
    post("UTF-16 without a mark", "payment", { bodyBase64: wide("utf16le", []).toString("base64") }, "body"),
    post("UTF-16, bytes swapped", "payment", { bodyBase64: wide("utf16le", []).swap16().toString("base64") }, "body"),
  ];
}

/** One code point each, of one to four bytes and one or two UTF-16 units. */
const UNITS: Readonly<Record<string, string>> = {
  "ASCII characters": "x",
  spaces: " ",
  "accented characters": "\u00e9",
  "Chinese characters": "\u4e2d",
  emoji: "\u{1f600}",
  "combining marks": "\u0301",
};

function tooLong(): (BadInput | null)[] {
  return TEXTS.flatMap(([operation, path, maximum]) =>
    Object.entries(UNITS).map(([what, unit]) => {
      const value = `{{repeat:${maximum + 1}:${unit}}}`;
      return bodyCase(
        `${operation}: ${path} of ${maximum + 1} ${what}`,
        operation,
        changed(BODIES[operation], path, value),
      );
    }),
  );
}

/** References in a query, where the error names the parameter itself. */
function references(): BadInput[] {
  return KINDS.flatMap((kind) => {
    const values = ["", "a\0b", "\0", "{{repeat:256:x}}", "{{repeat:1000:x}}"];
    const judged = values.flatMap((value): BadInput[] => {
      const expect = judgeParameter(kind, "merchant_reference", [value]);
      const path = listPath(kind, "merchant_reference", [value]);
      return expect ? [{ name: `${kind} list: reference ${JSON.stringify(value)}`, method: "GET", path, expect }] : [];
    });
    const broken = ["%ff", "%C3", "%C3%28", "%ED%A0%80", "%F4%90%80%80", "%c0%af", "%zz", "%", "%4"].map(
      (escape): BadInput => ({
        name: `${kind} list: a query with ${escape}`,
        method: "GET",
        path: `${LISTS[kind]}?merchant_reference=${escape}`,
        expect: invalid("query"),
      }),
    );
    return [...judged, ...broken];
  });
}

export function unicodeCases(): BadInput[] {
  return [...unstorable(), ...notUtf8(), ...tooLong().filter((one) => one !== null), ...references()];
}
