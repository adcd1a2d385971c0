// Finds the invoices of a top-up at BTCPay. It creates a second one if it is asked twice, so all of them count.
import type { NeverAccepted, Unknown } from "@/server/domain/outcome";
import { forOperator } from "../account-guard";
import type { TopupRequest } from "../gateway";
import { isOurs } from "./bodies";
import { describe } from "./client";
import type { BtcpayContext } from "./context";
import { type BtcpayInvoice, type BtcpayMethod, invoice, list, named, paymentMethods } from "./objects";
import { CALLS } from "./tables";

/** More invoices under one reference than ever exist. */
const LIMIT = 20;

/** An invoice with its addresses and payments. */
export interface Found {
  readonly invoice: BtcpayInvoice;
  readonly methods: readonly BtcpayMethod[];
}

const malformed = (what: string): Unknown => ({ kind: "unknown", detail: `${what} that is malformed` });

/**
 * Returns our invoices, oldest first; or what is known without one. The list is the configured store's, archived invoices
 * included, so an empty one proves that the store has none. A full list proves nothing.
 */
export async function listInvoices(
  { client }: BtcpayContext,
  request: TopupRequest,
  signal: AbortSignal,
): Promise<readonly BtcpayInvoice[] | NeverAccepted | Unknown> {
  const query = { orderId: request.reference, includeArchived: "true", take: LIMIT.toString() };
  const answer = await client(CALLS.listInvoices, { query }, signal);
  const items = answer.kind === "data" ? list.safeParse(answer.data) : null;
  if (!items?.success) return { kind: "unknown", detail: describe(answer) };
  if (items.data.length >= LIMIT) return { kind: "unknown", detail: "a list that may not be complete" };
  const ours: BtcpayInvoice[] = [];
  for (const item of items.data) {
    const { data: names } = named.safeParse(item);
    if (!names) return malformed("an invoice");
    if (!isOurs(request, names)) continue;
    const parsed = invoice.safeParse(item);
    if (!parsed.success) return malformed("an invoice");
    ours.push(parsed.data);
  }
  const recorded = request.earlier?.providerReference ?? null;
  if (recorded !== null && !ours.some(({ id }) => id === recorded)) {
    return forOperator("BTCPay no longer lists the invoice that it created.");
  }
  if (ours.length === 0) return { kind: "never_accepted", detail: "the store has no invoice with the reference" };
  return ours.toSorted((one, other) => one.createdTime - other.createdTime || (one.id < other.id ? -1 : 1));
}

/** Reads the addresses and payments of an invoice, those that vanished included. */
export async function readMethods(
  { client }: BtcpayContext,
  { id: invoiceId }: BtcpayInvoice,
  signal: AbortSignal,
): Promise<readonly BtcpayMethod[] | Unknown> {
  const query = { onlyAccountedPayments: "false" };
  const answer = await client(CALLS.paymentMethods, { invoiceId, query }, signal);
  const parsed = answer.kind === "data" ? paymentMethods.safeParse(answer.data) : null;
  return parsed?.success ? parsed.data : { kind: "unknown", detail: describe(answer) };
}
