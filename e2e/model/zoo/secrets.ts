// Planted bugs that reveal a secret: by the time that a comparison takes, or in the log.
import type { Patch } from "./patch";

const TIME = { project: "unit", tests: ["server/constant-time.test.ts"] } as const;
const KEYS = { project: "db", tests: ["server/services/api-keys/constant-time.db.test.ts"] } as const;
const LOG = { project: "db", tests: ["server/http/logged-lines.db.test.ts"] } as const;

export const SECRET_PATCHES: readonly Patch[] = [
  {
    name: "comparisons: texts are compared up to the first difference",
    file: "server/platform/crypto.ts",
    within: "equalTexts",
    find: "timingSafeEqual(left, right)",
    replace: "left.equals(right)",
    caughtBy: TIME,
  },
  {
    name: "comparisons: a first byte that differs is answered at once",
    file: "server/platform/crypto.ts",
    within: "equalTexts",
    find: "left.length === right.length && timingSafeEqual(left, right)",
    replace:
      "left.length === right.length && (left.length === 0 || left[0] === right[0]) && timingSafeEqual(left, right)",
    caughtBy: TIME,
  },
  {
    name: "comparisons: the signature of a bridge with ===",
    file: "server/psp/http/signature.ts",
    within: "isSigned",
    find: 'equalTexts(signatureOf(secret, timestamp, message), headers.get(SIGNATURE_HEADER) ?? "")',
    replace: "signatureOf(secret, timestamp, message) === headers.get(SIGNATURE_HEADER)",
    caughtBy: TIME,
  },
  {
    name: "comparisons: a token of Xendit with ===",
    file: "server/psp/xendit/callbacks.ts",
    within: "createXenditReceiver",
    find: "equalTexts(one, token)",
    replace: "one === token",
    caughtBy: TIME,
  },
  {
    name: "comparisons: the token of the metrics with ===",
    file: "server/http/metrics.ts",
    within: "isToken",
    find: "equalTexts(sha256Hex(given), sha256Hex(token))",
    replace: "given === token",
    caughtBy: TIME,
  },
  {
    name: "comparisons: a secret key with ===",
    file: "server/services/api-keys/authenticate.ts",
    within: "authenticate",
    find: "equalTexts(given, expected)",
    replace: "given === expected",
    caughtBy: KEYS,
  },
  {
    name: "comparisons: an unknown key is rejected at once",
    file: "server/services/api-keys/authenticate.ts",
    within: "authenticate",
    find: "equalTexts(given, expected)",
    replace: "key !== null && equalTexts(given, expected)",
    caughtBy: KEYS,
  },
  {
    name: "log: a callback's body",
    file: "server/http/handler.ts",
    within: "takeCallback",
    find: "await receiveCallback(provider, request.headers, body);",
    replace: 'log().info({ requestId, body }, "callback");\nawait receiveCallback(provider, request.headers, body);',
    caughtBy: LOG,
  },
  {
    name: "log: a callback that cannot be read, with its body",
    file: "server/services/callbacks/receive-callback.ts",
    within: "conclude",
    find: "{ callback: callbackName(callback), reason: result, why }",
    replace: "{ callback: callbackName(callback), reason: result, why, body: callback.body }",
    caughtBy: LOG,
  },
  {
    name: "log: a request with its query",
    file: "server/http/handler.ts",
    within: "handleApiRequest",
    find: "logRequest({ requestId, method, path: url.pathname, status, ms })",
    replace: "logRequest({ requestId, method, path: url.pathname + url.search, status, ms })",
    caughtBy: LOG,
  },
  {
    name: "log: a request with its body",
    file: "server/http/handler.ts",
    within: "handleApiRequest",
    find: "measureRequest({ method, route: trace.template, status, ms });",
    replace:
      'measureRequest({ method, route: trace.template, status, ms });\nlog().info({ requestId, request: JSON.stringify(trace.request ?? null) }, "body");',
    caughtBy: LOG,
  },
];
