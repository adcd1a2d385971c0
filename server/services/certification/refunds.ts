// The steps about sending a payment's money back: once, in full, also when the call is repeated.
import type { RefundOutcome } from "@/server/domain/outcome";
import { now } from "@/server/platform/clock";
import { newId } from "@/server/platform/ids";
import type { Gateway, PaymentRequest, RefundRequest } from "@/server/psp/gateway";
import { afterCall, announced, type Course, call, described, isSilent, otherSum, poll, referenceIn } from "./course";
import { type Finding, failed, notPossible, passed } from "./step";

interface Refunding {
  readonly createRefund: NonNullable<Gateway["createRefund"]>;
  readonly queryRefund: NonNullable<Gateway["queryRefund"]>;
}

/** Refunds a payment that was paid under the receipt. Nothing for an adapter that does not refund. */
export async function certifyRefund(
  course: Course,
  payment: PaymentRequest,
  receiptId: string | null,
  providerReference: string | null,
): Promise<void> {
  const { gateway, step, subAccount } = course;
  const { createRefund, queryRefund } = gateway;
  if (!createRefund || !queryRefund) return;
  const { merchantId, environment, amount, currency, reference } = payment;
  const request: RefundRequest = {
    reference: newId("suspenseRefund"),
    merchantId,
    environment,
    createdAt: now(),
    amount,
    currency,
    payment: { reference, providerReference, receiptId },
    subAccount,
  };
  let first: RefundOutcome = { kind: "unknown", detail: "not called" };
  const subject = payment.method.code;
  const created = await step(subject, "refund", async () => {
    first = await call((signal) => createRefund(announced(request), signal));
    if (first.kind === "never_accepted") return notPossible(`the sandbox does not refund it: ${described(first)}`);
    if (isSilent(first)) return failed(described(first));
    const other = otherSum(first, request);
    return other === null ? passed(described(first)) : failed(other);
  });
  if (created.result !== "passed") return;
  await step(subject, "repeat the refund", () => repeat({ createRefund, queryRefund }, course, request, first));
}

/** A repeated reference gets the first result, or is refused; the provider has one refund of it. */
async function repeat(
  { createRefund, queryRefund }: Refunding,
  course: Course,
  request: RefundRequest,
  first: RefundOutcome,
): Promise<Finding> {
  const known = afterCall(course, request, referenceIn(first));
  const again = await call((signal) => createRefund(announced(known), signal));
  if (again.kind === "never_accepted" || again.kind === "not_sent") return failed(described(again));
  const [one, other] = [referenceIn(first), referenceIn(again)];
  if (one !== null && other !== null && one !== other) {
    return failed("the provider refunded a second time under the same reference");
  }
  // Without the provider's reference the adapter finds all refunds of ours.
  for (const asked of [request, known]) {
    const found = await poll((signal) => queryRefund(asked, signal, now()));
    const wrong = found.find(isSilent);
    if (wrong) return failed(described(wrong));
    const sum = found.map((outcome) => otherSum(outcome, request)).find((text) => text !== null);
    if (sum) return failed(sum);
  }
  return passed(again.kind === "unknown" ? `no second result: ${again.detail}` : "answered with the first result");
}
