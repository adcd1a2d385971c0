// Cases of the Idempotency-Key header: missing where required, too long, not printable, sent twice.
import { BODIES, PATHS } from "../bodies";
import { invalid, type Operation } from "../oracle";
import type { BadInput } from "../table";

const FIELD = "Idempotency-Key";
const OPERATIONS: readonly Operation[] = ["payment", "payout", "topup", "cancel", "simulate"];

const WRONG: Readonly<Record<string, string | readonly string[]>> = {
  empty: "",
  "white space alone": "   ",
  "256 characters": "{{repeat:256:k}}",
  "257 characters": "{{repeat:257:k}}",
  "1,000 characters": "{{repeat:1000:k}}",
  "8,000 characters": "{{repeat:8000:k}}",
  "an accent": "cl\u00e9",
  "Cyrillic letters": "\u043a\u043b\u044e\u0447",
  "Chinese characters": "\u94a5\u5319",
  "an emoji": "key-\u{1f600}",
  "a no-break space within": "a\u00a0b",
  "a zero-width space": "a\u200bb",
  "a byte order mark": "\ufeffkey",
  "full-width letters": "\uff4b\uff45\uff59",
  "a combining accent": "cle\u0301",
  "a tab within": "a\tb",
  "two equal headers": ["a", "a"],
  "two different headers": ["a", "b"],
  "three headers": ["a", "b", "c"],
  "a right header and an empty one": ["{{reference}}", ""],
  "an empty header and a right one": ["", "{{reference}}"],
};

/** Bytes that clients refuse to send, as whole requests. */
const RAW: Readonly<Record<string, string>> = {
  "an escape character": "a\u001bb",
  "a DEL": "a\u007fb",
  "a byte of Latin-1": "a\u00e9",
  "a byte of a C1 control": "a\u0085b",
  "the last byte": "\u00ff",
  "a backspace": "a\bb",
};

function raw(path: string, key: string): string {
  const lines = [
    `POST ${path} HTTP/1.1`,
    "Host: {{host}}",
    "Authorization: {{auth}}",
    "Content-Type: application/json",
    "Content-Length: 2",
    "Connection: close",
    `Idempotency-Key: ${key}`,
  ];
  return `${lines.join("\r\n")}\r\n\r\n{}`;
}

export function idempotencyKeyCases(): BadInput[] {
  const wrong = OPERATIONS.flatMap((operation, turn) =>
    Object.entries(WRONG)
      .filter((_, index) => operation === "topup" || (index + turn) % 2 === 0)
      .map(([what, key]): BadInput => {
        const headers = { "idempotency-key": key };
        const name = `${operation}: ${what}`;
        return {
          name,
          method: "POST",
          path: PATHS[operation],
          headers,
          body: BODIES[operation],
          expect: invalid(FIELD),
        };
      }),
  );
  const bytes = Object.entries(RAW).map(([what, key]): BadInput => {
    // A control byte makes the header malformed HTTP; a byte above ASCII only makes the key wrong.
    const isMalformed = /[\u0000-\u0008\u000a-\u001f\u007f]/.test(key);
    const expect = isMalformed ? { status: 400, code: "validation_failed" } : invalid(FIELD);
    return { name: `payment: ${what}, byte for byte`, raw: raw(PATHS.payment, key), expect };
  });
  const missing: readonly (readonly [string, object])[] = [
    ["a top-up", BODIES.topup],
    ["a top-up without a reference", { ...BODIES.topup, merchant_reference: undefined }],
    ["a top-up that is wrong in other ways too", {}],
  ];
  return [
    ...wrong,
    ...bytes,
    ...missing.map(([what, body]): BadInput => {
      return { name: `${what} without a key`, method: "POST", path: PATHS.topup, body, expect: invalid(FIELD) };
    }),
    ...["key", "x-idempotency-key", "idempotency_key", "idempotencykey"].map((header): BadInput => {
      const headers = { [header]: "{{reference}}" };
      const name = `a top-up with its key in the header ${header}`;
      return { name, method: "POST", path: PATHS.topup, headers, body: BODIES.topup, expect: invalid(FIELD) };
    }),
  ];
}
