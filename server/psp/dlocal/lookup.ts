// Finds the payment of an intent at dLocal: by the recorded id, or by our reference.
import type { NeverAccepted, Unknown } from "@/server/domain/outcome";
import { forOperator, unknownReference } from "../account-guard";
import type { PaymentRequest } from "../gateway";
import { type DlocalAnswer, describe, meaningOf } from "./client";
import type { DlocalContext } from "./context";
import { type DlocalPayment, order, payment } from "./objects";
import { CALLS } from "./tables";

/** Returns the payment; or what is known without one. */
export async function findPayment(
  context: DlocalContext,
  { reference, earlier }: PaymentRequest,
  signal: AbortSignal,
): Promise<DlocalPayment | NeverAccepted | Unknown> {
  const id = earlier?.providerReference ?? null;
  if (id === null) return findByOrder(context, reference, signal);
  const answer = await read(context, CALLS.readPayment.path, "{id}", id, signal);
  if (meaningOf(answer) !== "not_found") return paymentIn(answer);
  const unknown = await unknownReference(context.guard, signal);
  if (unknown.kind !== "never_accepted") return unknown;
  return forOperator("dLocal no longer has the payment that it created.");
}

/** The order names the payment. Only an unknown order says that dLocal has no payment of ours. */
async function findByOrder(
  context: DlocalContext,
  reference: string,
  signal: AbortSignal,
): Promise<DlocalPayment | NeverAccepted | Unknown> {
  const answer = await read(context, CALLS.readOrder.path, "{order_id}", reference, signal);
  if (meaningOf(answer) === "not_found") return unknownReference(context.guard, signal);
  const parsed = answer.kind === "data" ? order.safeParse(answer.data) : null;
  if (!parsed?.success) return { kind: "unknown", detail: describe(answer) };
  const { order_id, payment_id } = parsed.data;
  if (order_id !== reference) return { kind: "unknown", detail: "an order with another reference" };
  return paymentIn(await read(context, CALLS.readPayment.path, "{id}", payment_id, signal));
}

function read(
  { client }: DlocalContext,
  path: string,
  parameter: string,
  value: string,
  signal: AbortSignal,
): Promise<DlocalAnswer> {
  return client({ method: "GET", path: path.replace(parameter, encodeURIComponent(value)) }, signal);
}

function paymentIn(answer: DlocalAnswer): DlocalPayment | Unknown {
  const parsed = answer.kind === "data" ? payment.safeParse(answer.data) : null;
  return parsed?.success ? parsed.data : { kind: "unknown", detail: describe(answer) };
}
