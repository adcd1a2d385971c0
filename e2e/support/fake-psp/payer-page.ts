// The fake provider's own page, to which payers are redirected: one button that pays.
import type { ServerResponse } from "node:http";
import { type Book, isPayable } from "./book";
import { sendError, sendHtml } from "./exchange";

/** Shows the page (GET), or pays once and reports it (POST). */
export async function answerPayer(
  book: Book,
  method: string,
  reference: string,
  report: (reference: string) => Promise<unknown>,
  response: ServerResponse,
): Promise<void> {
  const entry = book.find(reference);
  if (!entry || entry.kind !== "payments") return sendError(response, 404, "not_found");
  const { amount, currency, hosted_url } = entry.creation;
  if (method === "GET") {
    const button = `<form method="post"><button type="submit">Pay ${amount} ${currency}</button></form>`;
    return sendHtml(response, 200, `<!doctype html><title>Fake provider</title><h1>Fake provider</h1>${button}`);
  }
  if (method !== "POST") return sendError(response, 405, "method_not_allowed");
  if (isPayable(entry)) book.note(reference, "executed");
  await report(reference);
  response.writeHead(303, { location: hosted_url ?? "/" }).end();
}
