// Cases of a body's media type, encoding and size.
import { BODIES, headersOf, PATHS } from "../bodies";
import { invalid, type Operation } from "../oracle";
import type { BadInput, Refusal } from "../table";

const WRONG_TYPES: readonly string[] = [
  ..."text/plain text/html text/json text/xml text/javascript application/javascript application/x-json application/jsonp".split(
    " ",
  ),
  ..."application/xml application/octet-stream application/x-www-form-urlencoded application/x-ndjson application/jsonl".split(
    " ",
  ),
  ..."application/json5 application/ld+json application/hal+json application/problem+json application/vnd.api+json".split(
    " ",
  ),
  ..."application/merge-patch+json application/cbor application/msgpack application/graphql application/grpc image/png".split(
    " ",
  ),
  ..."multipart/form-data multipart/mixed;boundary=x application/* */* json application application/ /json JSON".split(
    " ",
  ),
  ..."applicationjson application/jso application/jsonx xapplication/json application/json+x null undefined".split(" "),
  "multipart/form-data; boundary=----a",
  "application /json",
  "application/ json",
  "application/json, text/plain",
  "text/plain, application/json",
  "application/json; charset=latin1",
  "application/json; charset=iso-8859-1",
  "application/json; charset=utf-16",
  "application/json; charset=utf-7",
  "application/json; charset=us-ascii",
  "application/json; charset=",
  "application/json; charset=utf-8x",
  "application/json; charset=utf-8; charset=latin1",
  "application/json charset=utf-8",
  "application\\json",
  '"application/json"',
  "application/json\u00e9",
  "",
];

const ENCODINGS: readonly string[] = [
  ..."gzip x-gzip GZIP deflate br zstd compress aes128gcm chunked utf-8 base64 nothing *".split(" "),
  "gzip, identity",
  "identity, gzip",
  "gzip, gzip",
];

const TOO_LARGE: Refusal = { status: 413, code: "payload_too_large" };
const POSTS: readonly Operation[] = ["payment", "payout", "topup", "cancel", "simulate"];

/** Bodies of exactly that many bytes, all of them JSON. */
function sized(bytes: number): Readonly<Record<string, string>> {
  return {
    "one long text": `{"x":"{{repeat:${bytes - 8}:x}}"}`,
    "white space before": `{{repeat:${bytes - 2}: }}{}`,
    "white space after": `{}{{repeat:${bytes - 2}:\n}}`,
    "a list of zeros": `[{{repeat:${(bytes - 3) / 2}:0,}}0]`,
    "text of two-byte characters": `{"x":"{{repeat:${(bytes - 9) / 2}:\u00e9}}x"}`,
  };
}

const JUST_OVER = 64 * 1024 + 1;

function sizes(): BadInput[] {
  const shapes = Object.entries(sized(JUST_OVER)).map(([what, body]): BadInput => {
    return { name: `one byte too many: ${what}`, method: "POST", path: PATHS.payment, body, expect: TOO_LARGE };
  });
  const everywhere = POSTS.map((operation): BadInput => {
    const body = "{{repeat:100000:x}}";
    const name = `${operation}: 100,000 bytes`;
    return { name, method: "POST", path: PATHS[operation], ...headersOf(operation), body, expect: TOO_LARGE };
  });
  const large = [70_000, 131_072, 250_000, 1_000_000].map((bytes): BadInput => {
    const body = `{{repeat:${bytes}:9}}`;
    return { name: `${bytes} bytes of nines`, method: "POST", path: PATHS.payment, body, expect: TOO_LARGE };
  });
  const chunked = Object.entries(sized(JUST_OVER)).map(([what, body]): BadInput => {
    const headers = { "transfer-encoding": "chunked" };
    return {
      name: `one byte too many, in chunks: ${what}`,
      method: "POST",
      path: PATHS.payment,
      headers,
      body,
      expect: TOO_LARGE,
    };
  });
  const [first = ""] = Object.values(sized(JUST_OVER - 1));
  return [
    ...shapes,
    ...everywhere,
    ...large,
    ...chunked,
    {
      name: "as many bytes as are allowed, and wrong",
      method: "POST",
      path: PATHS.payment,
      body: first,
      expect: invalid("amount"),
    },
  ];
}

export function mediaCases(): BadInput[] {
  const types = WRONG_TYPES.flatMap((type, index) => {
    const operations = [POSTS[index % POSTS.length], POSTS[(index + 2) % POSTS.length]] as Operation[];
    return operations.map((operation): BadInput => {
      const headers = { ...headersOf(operation).headers, "content-type": type };
      const name = `${operation}: Content-Type ${JSON.stringify(type)}`;
      const expect = invalid("Content-Type");
      return { name, method: "POST", path: PATHS[operation], headers, body: BODIES[operation], expect };
    });
  });
  const untyped = POSTS.map((operation): BadInput => {
    const headers = { ...headersOf(operation).headers, "content-type": null };
    const body = operation === "cancel" ? { reason: "late" } : BODIES[operation];
    const expect = invalid("Content-Type");
    return { name: `${operation}: no Content-Type`, method: "POST", path: PATHS[operation], headers, body, expect };
  });
  const doubled = [
    ["application/json", "application/json"],
    ["application/json", "text/plain"],
    ["text/plain", "application/json"],
  ].map((types): BadInput => {
    const headers = { "content-type": types };
    const name = `Content-Type sent twice: ${types.join(" and ")}`;
    return {
      name,
      method: "POST",
      path: PATHS.payment,
      headers,
      body: BODIES.payment,
      expect: invalid("Content-Type"),
    };
  });
  const encodings = ENCODINGS.map((encoding): BadInput => {
    const headers = { "content-encoding": encoding };
    const name = `Content-Encoding ${encoding}`;
    return {
      name,
      method: "POST",
      path: PATHS.payment,
      headers,
      body: BODIES.payment,
      expect: invalid("Content-Encoding"),
    };
  });
  const binary: Readonly<Record<string, string>> = {
    "gzip under the name of JSON": "H4sIAAAAAAAAA6tWSsxNzS/NK1GyUjI0MDVQqgUAv6V5oBIAAAA=",
    "a PNG under the name of JSON": "iVBORw0KGgoAAAANSUhEUg==",
    "a PDF under the name of JSON": "JVBERi0xLjcKJeLjz9M=",
    "one NUL": "AA==",
    "100 NULs": Buffer.alloc(100).toString("base64"),
  };
  const bytes = Object.entries(binary).map(([name, bodyBase64]): BadInput => {
    return { name, method: "POST", path: PATHS.payment, bodyBase64, expect: invalid("body") };
  });
  const empty = (["payment", "payout", "simulate"] as const).map((operation): BadInput => {
    return {
      name: `${operation}: an empty body`,
      method: "POST",
      path: PATHS[operation],
      body: "",
      expect: invalid("body"),
    };
  });
  return [...types, ...untyped, ...doubled, ...encodings, ...bytes, ...empty, ...sizes()];
}
