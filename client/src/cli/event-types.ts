import type { WebhookEvent } from "../webhooks.js";
import { CommandFailure } from "./failure.js";

export type EventType = WebhookEvent["type"];

/** The catalogue, which is closed. */
export const EVENT_TYPES = [
  "payment_intent.succeeded",
  "payment_intent.failed",
  "payment_intent.expired",
  "payout_intent.succeeded",
  "payout_intent.failed",
  "payout_intent.cancelled",
] as const satisfies readonly EventType[];

/** Parses the name of an event type. Throws usage. */
export function parseEventType(text: string): EventType {
  const known = EVENT_TYPES.find((type) => type === text);
  if (!known) throw new CommandFailure("usage", `${text} is no event; they are ${EVENT_TYPES.join(", ")}.`);
  return known;
}
