// Top-ups by invoices of BTCPay, each with an address of its own.
import type { NotSent, TopupOutcome } from "@/server/domain/outcome";
import type { Creation, TopupRequest } from "../gateway";
import { creationFailure } from "../readings";
import { invoiceBody } from "./bodies";
import { noInvoice } from "./client";
import type { BtcpayContext } from "./context";
import { type Found, listInvoices, readMethods } from "./lookup";
import { type BtcpayInvoice, invoice } from "./objects";
import { instructionsOf, objectionTo, outcomesOf } from "./outcomes";
import { CALLS } from "./tables";

/**
 * Creates the invoice and returns its address. A repeated call first looks for an invoice of an earlier one: BTCPay does not
 * recognize a repetition. Without an address yet, the top-up is pending.
 */
export async function createTopup(
  context: BtcpayContext,
  request: Creation<TopupRequest>,
  signal: AbortSignal,
): Promise<TopupOutcome> {
  const body = invoiceBody(context, request);
  if (typeof body === "string") return { kind: "never_accepted", detail: `not sent: ${body}` };
  if (request.earlier) {
    const found = await listInvoices(context, request, signal);
    if (!("kind" in found)) return shown(context, request, found[0], signal);
    if (found.kind === "unknown") return found.needsOperator ? found : notSent(found.detail);
  }
  const { announcedAt } = request;
  const answer = await context.client(CALLS.createInvoice, { body, announcedAt }, signal);
  const parsed = answer.kind === "data" ? invoice.safeParse(answer.data) : null;
  if (!parsed?.success) return creationFailure(noInvoice(answer), request.earlier !== undefined);
  return shown(context, request, parsed.data, signal);
}

/** Returns the totals of all payments on all invoices of the top-up. */
export async function queryTopup(
  context: BtcpayContext,
  request: TopupRequest,
  signal: AbortSignal,
): Promise<TopupOutcome[]> {
  const invoices = await listInvoices(context, request, signal);
  if ("kind" in invoices) return [invoices];
  const read = await Promise.all(invoices.map((one) => readMethods(context, one, signal)));
  const found: Found[] = [];
  for (const [at, methods] of read.entries()) {
    if ("kind" in methods) return [methods];
    const { [at]: one } = invoices;
    if (one) found.push({ invoice: one, methods });
  }
  return outcomesOf(context, request, found);
}

function notSent(detail: string): NotSent {
  return { kind: "not_sent", detail: `not sent: an earlier invoice was looked for without result: ${detail}` };
}

async function shown(
  context: BtcpayContext,
  request: TopupRequest,
  one: BtcpayInvoice | undefined,
  signal: AbortSignal,
): Promise<TopupOutcome> {
  if (!one) return { kind: "unknown", detail: "a list without an invoice" };
  const objection = objectionTo(context, request, one);
  if (objection) return objection;
  const methods = await readMethods(context, one, signal);
  if ("kind" in methods) return { kind: "pending", providerReference: one.id };
  return instructionsOf(context, request, { invoice: one, methods });
}
