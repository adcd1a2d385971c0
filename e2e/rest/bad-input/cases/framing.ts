// Cases of HTTP itself: requests that two parsers could interpret differently, sent byte for byte.
import type { BadInput, Refusal } from "../table";

const MALFORMED: Refusal = { status: 400, code: "validation_failed" };
const HOST = "Host: {{host}}";
const AUTH = "Authorization: {{auth}}";
const JSON_TYPE = "Content-Type: application/json";
const END = "\r\n\r\n";

/** A request line and headers; the body follows verbatim. */
function message(line: string, headers: readonly string[], body = ""): string {
  return [line, ...headers].join("\r\n") + END + body;
}

const get = (...headers: string[]) => message("GET /v1/wallets HTTP/1.1", [HOST, AUTH, ...headers]);
const post = (headers: readonly string[], body: string) =>
  message("POST /v1/payment_intents HTTP/1.1", [HOST, AUTH, JSON_TYPE, ...headers], body);
const chunked = (body: string) => post(["Transfer-Encoding: chunked"], body);
const line = (first: string) => message(first, [HOST, AUTH]);

const SMUGGLING: Readonly<Record<string, string>> = {
  "a length and chunks": post(["Content-Length: 2", "Transfer-Encoding: chunked"], "0\r\n\r\n"),
  "chunks and a length": post(["Transfer-Encoding: chunked", "Content-Length: 2"], "0\r\n\r\n"),
  "two different lengths": post(["Content-Length: 2", "Content-Length: 3"], "{} "),
  "two equal lengths": post(["Content-Length: 2", "Content-Length: 2"], "{}"),
  "a list of lengths": post(["Content-Length: 2, 2"], "{}"),
  "a negative length": post(["Content-Length: -1"], "{}"),
  "a signed length": post(["Content-Length: +2"], "{}"),
  "a hexadecimal length": post(["Content-Length: 0x2"], "{}"),
  "a fractional length": post(["Content-Length: 2.0"], "{}"),
  "a length of letters": post(["Content-Length: two"], "{}"),
  "an empty length": post(["Content-Length: "], "{}"),
  "a length with a space within": post(["Content-Length: 1 0"], "{}"),
  "a length beyond 64 bits": post(["Content-Length: 99999999999999999999"], "{}"),
  "a length in full-width digits": post(["Content-Length: \u00ef\u00bc\u0092"], "{}"),
  "a space before the colon of a length": post(["Content-Length : 2"], "{}"),
  "an unknown transfer encoding": post(["Transfer-Encoding: xchunked"], "0\r\n\r\n"),
  "chunks that are not last": post(["Transfer-Encoding: chunked, gzip"], "0\r\n\r\n"),
  "chunks, then identity": post(["Transfer-Encoding: chunked", "Transfer-Encoding: identity"], "0\r\n\r\n"),
  "a transfer encoding of identity": post(["Transfer-Encoding: identity"], "{}"),
  "an empty transfer encoding": post(["Transfer-Encoding: "], "{}"),
  "a space before the colon of chunks": post(["Transfer-Encoding : chunked"], "0\r\n\r\n"),
  "a folded transfer encoding": post(["Transfer-Encoding:\r\n chunked"], "0\r\n\r\n"),
  "a vertical tab before chunks": post(["Transfer-Encoding: \u000bchunked"], "0\r\n\r\n"),
  "chunks in quotes": post(['Transfer-Encoding: "chunked"'], "0\r\n\r\n"),
};

const CHUNKS: Readonly<Record<string, string>> = {
  "a chunk size of letters": chunked("zz\r\n{}\r\n0\r\n\r\n"),
  "an empty chunk size": chunked("\r\n{}\r\n0\r\n\r\n"),
  "a negative chunk size": chunked("-2\r\n{}\r\n0\r\n\r\n"),
  "a signed chunk size": chunked("+2\r\n{}\r\n0\r\n\r\n"),
  "a chunk size with a prefix": chunked("0x2\r\n{}\r\n0\r\n\r\n"),
  "a chunk size beyond 64 bits": chunked("fffffffffffffffff\r\n{}"),
  "a chunk longer than its size": chunked("1\r\n{}\r\n0\r\n\r\n"),
  "a space before a chunk size": chunked(" 2\r\n{}\r\n0\r\n\r\n"),
  "a chunk that ends with a bare line feed": chunked("2\n{}\n0\n\n"),
  "a chunk size that ends with a bare carriage return": chunked("2\r{}\r\n0\r\n\r\n"),
  "a forged trailer": chunked("2\r\n{}\r\n0\r\nBad Name: x\r\n\r\n"),
};

const LINES: Readonly<Record<string, string>> = {
  "no version": line("GET /v1/wallets"),
  "no target": line("GET HTTP/1.1"),
  "no method": line("/v1/wallets HTTP/1.1"),
  "a version of letters": line("GET /v1/wallets HTTP/one"),
  "a version that does not exist": line("GET /v1/wallets HTTP/9.9"),
  "a version that came before headers": line("GET /v1/wallets HTTP/0.9"),
  "a version that is not spoken in text": line("GET /v1/wallets HTTP/2.0"),
  "a greeting of HTTP/2": `PRI * HTTP/2.0${END}SM${END}`,
  "another protocol": line("GET /v1/wallets HTTPS/1.1"),
  "a protocol in small letters": line("GET /v1/wallets http/1.1"),
  "a version without a dot": line("GET /v1/wallets HTTP/11"),
  "a version and more": line("GET /v1/wallets HTTP/1.1 x"),
  "a method in small letters": line("get /v1/wallets HTTP/1.1"),
  "a method of no meaning": line("HELLO /v1/wallets HTTP/1.1"),
  "a method and a control byte": line("GET\u0001 /v1/wallets HTTP/1.1"),
  "a method with a space within": line("GE T /v1/wallets HTTP/1.1"),
  "a space before the method": line(" GET /v1/wallets HTTP/1.1"),
  "a space in the target": line("GET /v1/wal lets HTTP/1.1"),
  "a NUL in the target": line("GET /v1/wallets\0 HTTP/1.1"),
  "a control byte in the target": line("GET /v1/wal\u0001lets HTTP/1.1"),
  "a tab in the target": line("GET /v1/wallets\tx HTTP/1.1"),
  "a target without a slash": line("GET v1/wallets HTTP/1.1"),
  "a target of an asterisk": line("OPTIONS * HTTP/1.1"),
  "an absolute target": line("GET http://{{host}}/v1/wallets HTTP/1.1"),
  "an absolute target of another host": line("GET http://example.com/v1/wallets HTTP/1.1"),
  "an absolute target of another scheme": line("GET ftp://{{host}}/v1/wallets HTTP/1.1"),
  "a target of a host": line("GET {{host}} HTTP/1.1"),
  "a TLS greeting": "\u0016\u0003\u0001\u0000\u0001\u0001\u0000\u0000\u0000\r\n\r\n",
  "a greeting of SSH": `SSH-2.0-OpenSSH_9.6${END}`,
  "a command of Redis": "*1\r\n$4\r\nPING\r\n\r\n",
  "random bytes": "\u0080\u0081\u00ff\u0000\u0001\r\n\r\n",
};

const HEADERS: Readonly<Record<string, string>> = {
  "no Host": message("GET /v1/wallets HTTP/1.1", [AUTH]),
  "an empty Host": message("GET /v1/wallets HTTP/1.1", ["Host: ", AUTH]),
  "two Hosts": get("Host: example.com"),
  "two equal Hosts": get(HOST),
  "a Host with a space": message("GET /v1/wallets HTTP/1.1", ["Host: a b", AUTH]),
  "a Host with a path": message("GET /v1/wallets HTTP/1.1", ["Host: a/b", AUTH]),
  "a Host with a user": message("GET /v1/wallets HTTP/1.1", ["Host: a@b", AUTH]),
  "a Host with a port of letters": message("GET /v1/wallets HTTP/1.1", ["Host: a:b", AUTH]),
  "a Host with a port that is too large": message("GET /v1/wallets HTTP/1.1", ["Host: a:99999", AUTH]),
  "a Host with brackets open": message("GET /v1/wallets HTTP/1.1", ["Host: [::1", AUTH]),
  "a folded header": get("X-Note: a\r\n b"),
  "a header folded by a tab": get("X-Note: a\r\n\tb"),
  "a folded first header": message("GET /v1/wallets HTTP/1.1", [" X-Note: a", HOST, AUTH]),
  "a space before a colon": get("X-Note : a"),
  "a space in a header's name": get("X Note: a"),
  "a header without a name": get(": a"),
  "a header without a colon": get("X-Note"),
  "a control byte in a header's name": get("X-\u0001Note: a"),
  "a byte above ASCII in a header's name": get("X-Not\u00e9: a"),
  "a parenthesis in a header's name": get("X(Note): a"),
  "a NUL in a header": get("X-Note: a\0b"),
  "a control byte in a header": get("X-Note: a\u0001b"),
  "a bare carriage return in a header": get("X-Note: a\rb"),
  "lines that end with a bare line feed": "GET /v1/wallets HTTP/1.1\nHost: {{host}}\nAuthorization: {{auth}}\n\n",
  "a header of 17,000 bytes": get("X-Note: {{repeat:17000:a}}"),
  "a header's name of 17,000 bytes": get("{{repeat:17000:a}}: x"),
  "headers of 17,000 bytes together": get("{{repeat:170:X-Note: {{repeat:90:a}}\r\n}}X-End: a"),
  "129 headers": get("{{repeat:127:a: b\r\n}}X-End: a"),
  "2,500 headers": get("{{repeat:2500:a: b\r\n}}X-End: a"),
  "a line of 20,000 bytes": line("GET /v1/{{repeat:20000:a}} HTTP/1.1"),
  "an expectation of something else": post(["Expect: more", "Content-Length: 2"], "{}"),
  "an expectation of a final answer": post(["Expect: 200-ok", "Content-Length: 2"], "{}"),
};

const NOT_ALLOWED: Readonly<Record<string, readonly [string, Refusal]>> = {
  TRACE: [line("TRACE /v1/wallets HTTP/1.1"), { status: 405, code: "method_not_allowed", allow: "GET, POST" }],
  CONNECT: [message("CONNECT example.com:443 HTTP/1.1", [HOST]), { status: 405, code: "method_not_allowed" }],
  "CONNECT to ourselves": [
    message("CONNECT {{host}} HTTP/1.1", [HOST, AUTH]),
    { status: 405, code: "method_not_allowed" },
  ],
  "a wrong body after an expectation of 100": [
    post(["Expect: 100-continue", "Content-Length: 1", "Connection: close"], "{"),
    { status: 400, code: "validation_failed", field: "body" },
  ],
  "an upgrade without credentials": [
    message("GET /v1/wallets HTTP/1.1", [HOST, "Connection: Upgrade, close", "Upgrade: websocket"]),
    { status: 401, code: "unauthorized" },
  ],
  "an upgrade to HTTP/2 without credentials": [
    message("GET /v1/wallets HTTP/1.1", [
      HOST,
      "Connection: Upgrade, HTTP2-Settings, close",
      "Upgrade: h2c",
      "HTTP2-Settings: AAMAAABk",
    ]),
    { status: 401, code: "unauthorized" },
  ],
  "HTTP/1.0 without credentials": [message("GET /v1/wallets HTTP/1.0", [HOST]), { status: 401, code: "unauthorized" }],
  "a chunked body that is no JSON": [
    post(["Transfer-Encoding: chunked", "Connection: close"], "1\r\n{\r\n0\r\n\r\n"),
    { status: 400, code: "validation_failed", field: "body" },
  ],
  "a body with GET": [
    message("GET /v1/no_such_route HTTP/1.1", [HOST, AUTH, "Content-Length: 2", "Connection: close"], "{}"),
    { status: 404, code: "not_found" },
  ],
};

export function framingCases(): BadInput[] {
  const groups = [SMUGGLING, CHUNKS, LINES, HEADERS];
  const malformed = groups.flatMap((group) =>
    Object.entries(group).map(([name, raw]): BadInput => ({ name, raw, expect: MALFORMED })),
  );
  return [
    ...malformed,
    ...Object.entries(NOT_ALLOWED).map(([name, [raw, expect]]): BadInput => ({ name, raw, expect })),
  ];
}
