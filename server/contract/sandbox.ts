// The wire form of the simulator and the test environment's clock, extensions for test keys.
import { z } from "zod";
import { kindOf, object, timestamp } from "./fields";
import { paymentIntentResource } from "./payment-intents";
import { payoutIntentResource } from "./payout-intents";
import { topupIntentResource } from "./topup-intents";

export const simulateBody = object({
  id: z.string({ error: "must be a string" }).meta({ description: "The id of one of your test intents, of any kind." }),
  outcome: z.string({ error: "must be a string" }).meta({
    description:
      "Payment intents: requires_action, pending, succeeded, declined, cancelled, expired. Payout intents: succeeded, " +
      "declined, invalid_recipient, returned. Top-up intents: funds_seen, funds_dropped, succeeded, declined, expired, underpaid, " +
      "overpaid.",
  }),
}).meta({ id: "Simulate" });

export const simulatedResource = z.union([paymentIntentResource, payoutIntentResource, topupIntentResource]);

/** The maximum offset of a test environment's clock, in seconds: 400 days. */
export const FURTHEST_SECONDS = 34_560_000;

const WHOLE = "must be a whole number of seconds";

export const advanceClockBody = object({
  advance_seconds: z
    .int({ error: WHOLE })
    .min(1, { error: "must be 1 or more" })
    .max(FURTHEST_SECONDS, { error: `must be ${FURTHEST_SECONDS} or less` })
    .meta({
      description: "The number of seconds to advance the clock; at most 400 days in total.",
      examples: [90_000],
    }),
}).meta({ id: "AdvanceClock" });

export const sandboxClockResource = object({
  object: kindOf("sandbox_clock"),
  now: timestamp.meta({ description: "The current time of your test environment." }),
  offset_seconds: z
    .int()
    .min(0)
    .meta({ description: "The number of seconds by which the test clock is ahead of real time." }),
}).meta({ id: "SandboxClock" });

export type SandboxClockResource = z.infer<typeof sandboxClockResource>;
