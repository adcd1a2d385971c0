// The course of one payment method: creation, repetition, poll, payment, callback, closing and expiry.
import type { PaymentOutcome } from "@/server/domain/outcome";
import type { PaymentMethod } from "@/server/domain/payment-methods";
import type { PaymentRequest } from "@/server/psp/gateway";
import { certifyCallback } from "./callbacks";
import { certifyCancel, certifyExpiry } from "./closing";
import {
  afterCall,
  announced,
  type Course,
  call,
  described,
  isSilent,
  newPayment,
  otherSum,
  poll,
  referenceIn,
  until,
} from "./course";
import { certifyRefund } from "./refunds";
import { type Finding, failed, notPossible, passed } from "./step";

/** Runs all steps of one method. */
export async function certifyPayments(course: Course, method: PaymentMethod): Promise<void> {
  const { step, gateway } = course;
  const subject = method.code;
  const unpaid = await certifyExpiry.begin(course, method);
  const request = newPayment(course, method);
  let first: PaymentOutcome = { kind: "unknown", detail: "not called" };
  const created = await step(subject, "create", async () => {
    first = await call((signal) => gateway.createPayment(announced(request), signal));
    if (first.kind !== "requires_action" && first.kind !== "pending") return failed(described(first));
    const other = otherSum(first, request);
    return other === null ? passed(described(first)) : failed(other);
  });
  if (created.result === "passed") {
    await step(subject, "repeat the creation", () => repeat(course, request, first));
    const known = afterCall(course, { ...request, isAnswered: true }, referenceIn(first));
    await step(subject, "poll", () => find(course, known));
    const paid = await pay(course, known, first);
    await certifyCallback(course, subject, request.reference);
    if (paid) await certifyRefund(course, known, paid.receiptId, referenceIn(paid));
    await certifyCancel(course, method);
  }
  await certifyExpiry.end(course, method, unpaid);
}

/** A repeated reference gets the first result, or is refused; the provider has one object. */
async function repeat(course: Course, request: PaymentRequest, first: PaymentOutcome): Promise<Finding> {
  const { gateway } = course;
  const known = afterCall(course, request, referenceIn(first));
  const again = await call((signal) => gateway.createPayment(announced(known), signal));
  if (again.kind === "never_accepted" || again.kind === "not_sent") return failed(described(again));
  const [one, other] = [referenceIn(first), referenceIn(again)];
  if (one !== null && other !== null && one !== other) {
    return failed("the provider created a second object under the same reference");
  }
  const sum = otherSum(again, request);
  if (sum !== null) return failed(sum);
  // Without the provider's reference the adapter finds all objects of ours.
  const objects = await poll((signal) => gateway.queryPayment(request, signal, request.createdAt));
  if (objects.length > 1) return failed(`the provider has ${objects.length} objects under the same reference`);
  return passed(again.kind === "unknown" ? `no second result: ${again.detail}` : "answered with the first result");
}

async function find({ gateway }: Course, known: PaymentRequest): Promise<Finding> {
  const outcomes = await poll((signal) => gateway.queryPayment(known, signal, known.createdAt));
  const silent = outcomes.find(isSilent);
  if (silent) return failed(described(silent));
  const other = outcomes.map((outcome) => otherSum(outcome, known)).find((text) => text !== null);
  return other ? failed(other) : passed(outcomes.map(described).join(", ") || "found, nothing new");
}

/** A person or the sandbox pays; the poll then reports exactly the sum, once. Returns that report if so. */
async function pay(
  course: Course,
  known: PaymentRequest,
  first: PaymentOutcome,
): Promise<Extract<PaymentOutcome, { readonly kind: "succeeded" }> | null> {
  const { step, gateway, tell } = course;
  const { reference, amount, currency, method } = known;
  const look = () => poll((signal) => gateway.queryPayment(known, signal, known.createdAt));
  let report: Extract<PaymentOutcome, { readonly kind: "succeeded" }> | null = null;
  await step(method.code, "pay", async () => {
    const nextAction = first.kind === "requires_action" ? first.nextAction : null;
    tell({ kind: "pay", method: method.code, reference, sum: { amount, currency }, nextAction });
    const outcomes = await until(course, async () => {
      const found = await look();
      return found.some(({ kind }) => kind === "succeeded" || kind === "declined") ? found : null;
    });
    if (!outcomes) return notPossible(`nobody paid within ${Math.round(course.waitMs / 1_000)} s`);
    const paid = outcomes.filter((outcome) => outcome.kind === "succeeded");
    if (paid.length === 0) return failed("the sandbox declined the payment");
    if (paid.length > 1) return failed("the provider reports the money twice");
    const other = outcomes.map((outcome) => otherSum(outcome, known)).find((text) => text !== null);
    if (other) return failed(other);
    const again = (await look()).find((outcome) => outcome.kind === "succeeded");
    if (again?.receiptId !== paid[0]?.receiptId) return failed("a second poll names another receipt");
    report = paid[0] ?? null;
    return passed(`${amount} ${currency} (minor units) arrived, under one receipt`);
  });
  return report;
}
