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
    keyScope: "sandbox:write",
    path: "/sandbox/simulate",
    tag: "Sandbox",
    summary: "Simulate an outcome",
    description: "Makes the sandbox provider report an outcome for a test intent. Test keys only; a live key gets 404.",
    extension: true,
    body: simulateBody,
    idempotencyKey: "optional",
    worksWhileSuspended: true,
    answers: { 200: { schema: simulatedResource, meaning: "The intent after the outcome." } },
    errors: ["not_found", "approval_required"],
    present: presentAny,
    verb: async ({ context, body, lease }) => {
      return { intent: await simulate(context, body.id, body.outcome, lease), completion: "changed" };
    },
  }),
  read({
    id: "getSandboxClock",
    keyScope: "sandbox:read",
    path: "/sandbox/clock",
    tag: "Sandbox",
    summary: "Read the test clock",
    description: "Returns the current time of your test environment. Test keys only; a live key gets 404.",
    extension: true,
    query: null,
    answers: { 200: { schema: sandboxClockResource, meaning: "The clock." } },
    errors: ["not_found"],
    run: async ({ context }) => presentSandboxClock(await getSandboxClock(context.scope)),
  }),
  write({
    id: "advanceSandboxClock",
    keyScope: "sandbox:write",
    path: "/sandbox/clock",
    tag: "Sandbox",
    summary: "Advance the test clock",
    description:
      "Advances the time of your whole test environment. Everything that expires, lapses, is polled or is deleted by the " +
      "new time becomes due now. The clock cannot be moved back. Test keys only; a live key gets 404.",
    extension: true,
    body: advanceClockBody,
    idempotencyKey: "optional",
    worksWhileSuspended: true,
    answers: { 200: { schema: sandboxClockResource, meaning: "The clock after the change." } },
    errors: ["not_found"],
    present: presentSandboxClock,
    verb: ({ context, body }, sealing) => advanceSandboxClock(context, body.advance_seconds, sealing),
  }),
];
