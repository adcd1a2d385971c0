// The bench's provider in a separate process: answers creations and polls, pays some payments and calls back, declines
// some, and lets the others expire. Its first argument is a `ProviderTask`. PUT / sets a `Course`, GET / returns a `Book`.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Pool } from "undici";
import { readBody, sendJson } from "@/e2e/support/fake-psp/exchange";
import { sign } from "@/e2e/support/fake-psp/signing";
import { type Book, type Course, fateOf, type ProviderTask } from "./course";

interface Payment {
  readonly reference: string;
  readonly merchantId: string;
  readonly amount: string;
  readonly currency: string;
  readonly expiresAt: number;
  isPaid: boolean;
  polls: number;
}

interface Creation {
  readonly reference: string;
  readonly merchant_id: string;
  readonly amount: string;
  readonly currency: string;
}

const RETRY_MS = 1_000;

const task = JSON.parse(process.argv[2] ?? "") as ProviderTask;
const path = `/providers/${task.name}/callbacks`;
const payments = new Map<string, Payment>();
const book = { created: 0, paid: 0, declined: 0, polls: 0, mostPolls: 0, callbacks: 0, retriedCallbacks: 0, unsent: 0 };
let course: Course = { expiresAfterMs: 60_000, paidFromMs: 0, paidToMs: 0 };
let callbacks: Pool | null = null;

function report({ reference, amount, currency, expiresAt, isPaid }: Payment): object {
  const core = { reference, provider_reference: `px_${reference}`, intent_amount: amount, intent_currency: currency };
  if (isPaid) return { ...core, status: "succeeded", amount, currency, receipt_id: `rc_${reference}` };
  if (Date.now() >= expiresAt) return { ...core, status: "expired" };
  const expires_at = new Date(expiresAt).toISOString();
  const next_action = { type: "display_qr_code", data: `BENCH-QR-${reference}`, expires_at };
  return { ...core, status: "requires_action", next_action };
}

/** Posts the report until it is acknowledged. */
async function callBack(payment: Payment): Promise<void> {
  const callback_id = `cb_${payment.reference}`;
  const body = JSON.stringify({ callback_id, merchant_id: payment.merchantId, ...report(payment) });
  const timestamp = Math.floor(Date.now() / 1_000);
  const headers = {
    "content-type": "application/json",
    "sluice-timestamp": String(timestamp),
    "sluice-signature": sign(task.secret, timestamp, "POST", path, body),
  };
  const answer = await callbacks?.request({ method: "POST", path, headers, body }).catch(() => null);
  await answer?.body.dump();
  if (answer && answer.statusCode < 300) {
    book.callbacks += 1;
    book.unsent -= 1;
    return;
  }
  book.retriedCallbacks += 1;
  setTimeout(() => void callBack(payment), RETRY_MS);
}

function pay(payment: Payment): void {
  payment.isPaid = true;
  book.paid += 1;
  book.unsent += 1;
  void callBack(payment);
}

async function create(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { reference, merchant_id: merchantId, amount, currency } = JSON.parse(await readBody(request)) as Creation;
  const fate = fateOf(amount);
  book.created += 1;
  if (fate === "declined") {
    book.declined += 1;
    return sendJson(response, 422, { error: { code: "declined", message: "The bench provider declines it." } });
  }
  const { expiresAfterMs, paidFromMs, paidToMs } = course;
  const expiresAt = Date.now() + expiresAfterMs;
  const payment = { reference, merchantId, amount, currency, expiresAt, isPaid: false, polls: 0 };
  payments.set(reference, payment);
  sendJson(response, 201, report(payment));
  if (fate === "paid") setTimeout(pay, paidFromMs + Math.random() * (paidToMs - paidFromMs), payment);
}

function answerPoll(reference: string, response: ServerResponse): void {
  const payment = payments.get(reference);
  if (!payment) return sendJson(response, 404, { error: { code: "unknown_reference", message: "Never accepted." } });
  payment.polls += 1;
  book.polls += 1;
  book.mostPolls = Math.max(book.mostPolls, payment.polls);
  sendJson(response, 200, report(payment));
}

async function follow(request: IncomingMessage, response: ServerResponse): Promise<void> {
  course = JSON.parse(await readBody(request)) as Course;
  if (course.callbackOrigin) callbacks ??= new Pool(course.callbackOrigin, { connections: task.connections });
  sendJson(response, 200, {});
}

/** Returns the counts since the last call. */
function showBook(response: ServerResponse): void {
  sendJson(response, 200, book satisfies Book);
  Object.assign(book, { created: 0, paid: 0, declined: 0, polls: 0, mostPolls: 0, callbacks: 0, retriedCallbacks: 0 });
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url = "" } = request;
  if (url === "/") return method === "PUT" ? follow(request, response) : showBook(response);
  if (method === "POST") return create(request, response);
  answerPoll(url.split("/").at(-1) ?? "", response);
}

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    process.stderr.write(`bench provider: ${String(error)}\n`);
    response.destroy();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
