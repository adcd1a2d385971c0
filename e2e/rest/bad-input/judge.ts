// Checks that a rejection is exactly the contract's and contains nothing internal.
import type { Answer } from "./send";
import type { Refusal } from "./table";

const CHALLENGE = 'Basic realm="merchant-api", charset="UTF-8"';

/** Stack traces, SQL, names of the service's components, file paths, versions. */
const INTERNAL =
  /\bat \S+ \(|node_modules|\.[cm]?[jt]sx?\b|\b(?:SELECT|INSERT|UPDATE|WHERE)\b|\bDELETE\s+FROM\b|prisma|postgres|\bpg_|sqlstate|\bzod\b|hono|undici|next\.js|\/(?:usr|tmp|var|root|etc|opt)\/|\b\d+\.\d+\.\d+\b/i;

/** Codes with one body whatever the cause: it must not reveal why an object is out of reach or credentials fail. */
const ONE_BODY: readonly string[] = ["not_found", "unauthorized"];

function readEnvelope(text: string): { code: string; message: string } | string {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return `the body is no JSON: ${text.slice(0, 200)}`;
  }
  const error = (body as { error?: unknown } | null)?.error;
  if (typeof error !== "object" || error === null) return `there is no error member: ${text.slice(0, 200)}`;
  const names = [...Object.keys(body as object), ...Object.keys(error)].join();
  if (names !== "error,code,message") return `the members are ${names}`;
  const { code, message } = error as { code: unknown; message: unknown };
  if (typeof code !== "string" || typeof message !== "string" || message === "") return "a member is no text";
  return { code, message };
}

function faultsOfHeaders(answer: Answer, expected: Refusal): string[] {
  const { headers } = answer;
  const faults: string[] = [];
  const require = (name: string, value: string) => {
    if (headers[name] !== value) faults.push(`${name} is ${headers[name] ?? "absent"}, not ${value}`);
  };
  require("content-type", "application/json; charset=utf-8");
  if (expected.status === 401) require("www-authenticate", CHALLENGE);
  if (expected.allow !== undefined) require("allow", expected.allow);
  if (!/^req_[0-9a-z]{26}$/.test(headers["request-id"] ?? "")) faults.push("there is no Request-Id");
  if (headers["set-cookie"] !== undefined) faults.push("a cookie is set");
  if (headers["x-powered-by"] !== undefined || headers.server !== undefined) faults.push("a header names the software");
  return faults;
}

/** Judges answers one after another; stores the bodies that must never differ. */
export function createJudge() {
  const bodies = new Map<string, string>();

  /** Lists the faults of an answer to a request that must be rejected with `expected`; empty without faults. */
  return function faultsOf(answer: Answer, expected: Refusal, isRaw: boolean): string[] {
    const { status, text } = answer;
    if (status !== expected.status) return [`${status}, not ${expected.status}: ${text.slice(0, 200)}`];
    const envelope = readEnvelope(text);
    if (typeof envelope === "string") return [envelope];
    const { code, message } = envelope;
    const faults = faultsOfHeaders(answer, expected);
    if (code !== expected.code) faults.push(`${code}, not ${expected.code}: ${message}`);
    if (expected.field !== undefined && !message.startsWith(`${expected.field} `)) {
      faults.push(`the message does not begin with ${expected.field}: ${message}`);
    }
    if (INTERNAL.test(message)) faults.push(`the message tells something internal: ${message}`);
    if (ONE_BODY.includes(code) && text !== (bodies.get(code) ?? text))
      faults.push(`another body for ${code}: ${text}`);
    bodies.set(code, bodies.get(code) ?? text);
    if (isRaw && !answer.hasClosed) faults.push("the connection was left open");
    return faults;
  };
}
