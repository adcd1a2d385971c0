// The server side of the provider protocol: creations, polls and quotes, and the misbehavior of rules.
import type { ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { type Book, isPayable } from "./book";
import { sendError, sendHtml, sendJson } from "./exchange";
import type { Faults, Mode, Rule } from "./faults";
import { type Creation, KINDS, type Kind } from "./wire";

const QUOTES: Readonly<Record<string, string>> = {
  "USDT>BRL": "5.430000",
  "USDC>BRL": "5.430000",
  "USDT>USD": "1.000000",
};

/** The answers of modes that reject a creation without accepting it. */
const REFUSALS: Partial<Record<Mode, readonly [status: number, code: string]>> = {
  decline: [422, "declined"],
  invalid_recipient: [422, "invalid_recipient"],
  not_accept: [400, "not_accepted"],
  server_error: [500, "server_error"],
};

/** Modes in which a cancel call takes effect, whether or not it is answered. */
const EXECUTES: ReadonlySet<Mode> = new Set(["execute_then_drop", "execute_then_hang", "garbage", "delay"]);

/** Answers a signed call below `/v1/`; `path` has no query. */
export async function answerCall(
  book: Book,
  faults: Faults,
  call: { readonly method: string; readonly path: string; readonly query: URLSearchParams; readonly body: string },
  response: ServerResponse,
): Promise<void> {
  const [, , name, reference, action] = call.path.split("/");
  const kind = KINDS.find((candidate) => candidate === name);
  if (!kind) return sendError(response, 404, "not_found");
  if (call.method === "GET" && kind === "topups" && reference === "quote") return answerQuote(call.query, response);
  if (call.method === "POST" && reference && action === "cancel" && kind !== "payouts") {
    return answerCancel(book, faults, kind, reference, response);
  }
  if (call.method === "GET" && reference && !action) return answerQuestion(book, faults, kind, reference, response);
  if (call.method === "POST" && !reference) return answerCreation(book, faults, kind, call.body, response);
  sendError(response, 405, "method_not_allowed");
}

async function answerCreation(
  book: Book,
  faults: Faults,
  kind: Kind,
  body: string,
  response: ServerResponse,
): Promise<void> {
  const { reference } = JSON.parse(body) as Creation;
  const rule = faults.take({ kind, operation: "create", reference });
  if (rule?.mode === "drop") return void response.destroy();
  if (rule?.mode === "hang") return;
  const refusal = rule && REFUSALS[rule.mode];
  if (refusal && !book.find(reference)) {
    const [status, code] = refusal;
    if (code === "declined" || code === "invalid_recipient") book.accept(kind, body, code);
    return sendError(response, status, code);
  }
  if (rule?.mode === "forget" && kind === "payouts" && book.find(reference)) book.note(reference, "executed");
  if (!book.accept(kind, body, "accepted")) return sendError(response, 409, "reference_conflict");
  const entry = book.find(reference);
  if (!entry || (await spoil(rule, response))) return;
  sendJson(response, 201, book.report(entry, "creation"));
}

async function answerQuestion(
  book: Book,
  faults: Faults,
  kind: Kind,
  reference: string,
  response: ServerResponse,
): Promise<void> {
  const rule = faults.take({ kind, operation: "query", reference });
  await answerKnown(book, rule, { kind, reference }, response);
}

/** Closes an unpaid intent; one that was paid or has ended stays unchanged. */
async function answerCancel(
  book: Book,
  faults: Faults,
  kind: Kind,
  reference: string,
  response: ServerResponse,
): Promise<void> {
  const rule = faults.take({ kind, operation: "cancel", reference });
  if (rule?.mode === "pay_first") book.note(reference, "executed");
  const entry = book.find(reference);
  const isReached = rule === null || EXECUTES.has(rule.mode);
  if (isReached && entry?.kind === kind && isPayable(entry)) {
    book.note(reference, kind === "payments" ? "cancelled" : "expired");
  }
  await answerKnown(book, rule, { kind, reference }, response);
}

/** Reports on an accepted intent, or misbehaves according to the rule. */
async function answerKnown(
  book: Book,
  rule: Rule | null,
  { kind, reference }: { readonly kind: Kind; readonly reference: string },
  response: ServerResponse,
): Promise<void> {
  if (rule?.mode === "drop") return void response.destroy();
  if (rule?.mode === "hang") return;
  if (rule?.mode === "server_error") return sendError(response, 500, "server_error");
  const entry = book.find(reference);
  if (!entry || entry.kind !== kind || rule?.mode === "forget") return sendError(response, 404, "unknown_reference");
  if (await spoil(rule, response)) return;
  sendJson(response, 200, book.report(entry, "question"));
}

/** Applies a rule to an answer; returns true if none is left to send. */
async function spoil(rule: Rule | null, response: ServerResponse): Promise<boolean> {
  switch (rule?.mode) {
    case "execute_then_drop":
      response.destroy();
      return true;
    case "execute_then_hang":
      return true;
    case "garbage":
      sendHtml(response, 200, "<html><body>502 Bad Gateway</body></html>");
      return true;
    case "delay":
      await pause(rule.ms ?? 0);
      return response.destroyed;
    default:
      return false;
  }
}

function answerQuote(query: URLSearchParams, response: ServerResponse): void {
  const rate = QUOTES[`${query.get("source")}>${query.get("destination")}`];
  if (!rate) return sendError(response, 404, "not_offered");
  sendJson(response, 200, { rate, fee_basis_points: 10, networks: ["tron", "ethereum"] });
}
