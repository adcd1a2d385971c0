// The REST operations of the simulator and the test clock: extensions for test keys.

import { advanceClockBody, sandboxClockResource, simulateBody, simulatedResource } from "@/server/contract/sandbox";
import type { AnyIntent } from "@/server/services/intent-kinds";
import { advanceSandboxClock, getSandboxClock } from "@/server/services/sandbox/clock";
import { simulate } from "@/server/services/sandbox/simulate";
import { type Operation, read, write } from "../operation";
import { presentPaymentIntent } from "../present/payment-intent";
import { presentPayoutIntent } from "../present/payout-intent";
import { presentSandboxClock } from "../present/sandbox-clock";
import { presentTopupIntent } from "../present/topup-intent";

function presentAny(subject: AnyIntent) {
  switch (subject.kind) {
    case "payment_intent":
      return presentPaymentIntent(subject.intent);
    case "payout_intent":
      return presentPayoutIntent(subject.intent);
    case "topup_intent":
      return presentTopupIntent(subject.intent);
  }
}

export const sandboxOperations: readonly Operation[] = [
  write({
    id: "simulate",
    path: "/sandbox/simulate",
    tag: "Sandbox",
    summary: "Move a test object",
    description: "Makes the sandbox provider tell us an outcome now. Test keys only; a live key finds nothing here.",
    extension: true,
    body: simulateBody,
    idempotencyKey: "optional",
    answers: { 200: { schema: simulatedResource, meaning: "The object as it now is." } },
    errors: ["not_found", "approval_required"],
    present: presentAny,
    verb: async ({ context, body, lease }) => {
      await lease.take();
      return { intent: await simulate(context, body.id, body.outcome), completion: "changed" };
    },
  }),
  read({
    id: "getSandboxClock",
    path: "/sandbox/clock",
    tag: "Sandbox",
    summary: "Read the test clock",
    description: "What time it is for your test objects. Test keys only; a live key finds nothing here.",
    extension: true,
    query: null,
    answers: { 200: { schema: sandboxClockResource, meaning: "The clock." } },
    errors: ["not_found"],
    run: async ({ context }) => presentSandboxClock(await getSandboxClock(context.scope)),
  }),
  write({
    id: "advanceSandboxClock",
    path: "/sandbox/clock",
    tag: "Sandbox",
    summary: "Move the test clock forward",
    description:
      "Lets time pass for all your test objects at once: what expires, lapses, is asked about again or is forgotten by " +
      "then does so now. There is no way back. Test keys only; a live key finds nothing here.",
    extension: true,
    body: advanceClockBody,
    idempotencyKey: "optional",
    answers: { 200: { schema: sandboxClockResource, meaning: "The clock as it now is." } },
    errors: ["not_found"],
    present: presentSandboxClock,
    verb: ({ context, body }, sealing) => advanceSandboxClock(context, body.advance_seconds, sealing),
  }),
];
