// The steps about payments that nobody pays: closing one in time, and the end of another's window.
import { setTimeout as sleep } from "node:timers/promises";
import type { PaymentMethod } from "@/server/domain/payment-methods";
import { now } from "@/server/platform/clock";
import type { PaymentRequest } from "@/server/psp/gateway";
import { afterCall, announced, type Course, call, described, isSilent, newPayment, poll, referenceIn } from "./course";
import { type Finding, failed, notPossible, passed } from "./step";

const MONEY: ReadonlySet<string> = new Set(["succeeded", "pending"]);

/** Creates a payment and closes it at once, twice. */
export async function certifyCancel(course: Course, method: PaymentMethod): Promise<void> {
  const { gateway, step } = course;
  await step(method.code, "cancel", async () => {
    if (!gateway.cancelPayment) return notPossible("the provider cannot close payments; late money goes to suspense");
    const request = newPayment(course, method);
    const created = await call((signal) => gateway.createPayment(announced(request), signal));
    if (isSilent(created)) return failed(`no payment to close: ${described(created)}`);
    const known = afterCall(course, { ...request, isAnswered: true }, referenceIn(created));
    const closed = await close(course, known);
    return closed.result === "passed" ? close(course, known) : closed;
  });
}

async function close({ gateway }: Course, known: PaymentRequest): Promise<Finding> {
  const closed = await call(
    async (signal) => (await gateway.cancelPayment?.(known, signal)) ?? { kind: "unknown", detail: "not closed" },
  );
  const isClosed = closed.kind === "expired" || closed.kind === "cancelled";
  return isClosed ? passed(`closed: ${closed.kind}; a repetition changes nothing`) : failed(described(closed));
}

/** The payment of the step, or why there is none. */
type Unpaid = PaymentRequest | Finding;

/** Creates the payment that nobody pays. Its window passes while other steps run. */
async function begin(course: Course, method: PaymentMethod): Promise<Unpaid> {
  if (course.expiryMs === null) return notPossible("left out by --expiry");
  const request = newPayment(course, method, course.expiryMs);
  const created = await call((signal) => course.gateway.createPayment(announced(request), signal));
  if (isSilent(created))
    return failed(`no payment with a window of ${course.expiryMs / 1_000} s: ${described(created)}`);
  return afterCall(course, { ...request, isAnswered: true }, referenceIn(created));
}

/** Waits for the end of the window and closes the payment, as Sluice does; without closing, no money may be reported. */
async function end(course: Course, method: PaymentMethod, unpaid: Unpaid): Promise<void> {
  await course.step(method.code, "expiry", async () => {
    if ("result" in unpaid) return unpaid;
    const { signal } = course;
    await sleep(Math.max(0, unpaid.expiresAt.getTime() - now().getTime()), undefined, { signal }).catch(() => {});
    if (signal.aborted) return notPossible("the course was stopped before the end of the window");
    if (course.gateway.cancelPayment) {
      const closed = await close(course, unpaid);
      return closed.result === "passed" ? passed("closed at the end of its window") : closed;
    }
    const outcomes = await poll((called) => course.gateway.queryPayment(unpaid, called, unpaid.expiresAt));
    const wrong = outcomes.find((outcome) => isSilent(outcome) || MONEY.has(outcome.kind));
    if (wrong) return failed(`an unpaid payment after its window: ${described(wrong)}`);
    return passed("no money is reported; the provider may leave it open");
  });
}

export const certifyExpiry = { begin, end };
