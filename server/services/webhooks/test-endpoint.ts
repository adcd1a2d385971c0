// Sending an example of an event to an endpoint, to see whether it arrives.
import { findSealedSecrets } from "@/server/db/webhooks/endpoints";
import { isAccepted } from "@/server/domain/delivery";
import type { DeliveryAttempt } from "@/server/domain/delivery-record";
import { notFoundError } from "@/server/domain/errors";
import { envelopeText } from "@/server/domain/event-envelope";
import { EVENT_CATALOGUE, type EventType } from "@/server/domain/events";
import type { CallContext } from "@/server/domain/scope";
import type { Failure } from "@/server/domain/transition";
import { now } from "@/server/platform/clock";
import { newId } from "@/server/platform/ids";
import type { Completed, Idempotency } from "../idempotency/completion";
import { getWebhookEndpoint } from "./endpoints";
import { sendMessage } from "./send";
import { countTest } from "./test-limit";

/** The caller waits, so this is shorter than a delivery's. */
const DEADLINE_MS = 10_000;

/** Tells an example from what has happened. */
const TEST_HEADER = { "webhook-test": "true" };

export interface TestResult extends Omit<DeliveryAttempt, "ordinal"> {
  readonly endpointId: string;
  readonly eventId: string;
  readonly type: EventType;
  readonly isAccepted: boolean;
}

function exampleOf(type: EventType, context: CallContext) {
  const { intent, failure } = EVENT_CATALOGUE[type];
  const id = newId("event");
  const body = envelopeText({
    id,
    type,
    at: now(),
    environment: context.scope.environment,
    intentId: newId(intent === "payment_intent" ? "paymentIntent" : "payoutIntent"),
    status: type.slice(intent.length + 1),
    failure: failure as Failure | null,
  });
  return { eventId: id, body };
}

/**
 * Posts an example of the type to the endpoint once, signed as every delivery and marked by the header `webhook-test`;
 * gives what came of it. The object it names does not exist; nothing is kept of it. Throws not_found,
 * and rate_limited after six tests of the endpoint within a minute.
 */
export async function testWebhookEndpoint(
  context: CallContext,
  { id, type }: { readonly id: string; readonly type: EventType },
  { lease }: Idempotency<TestResult>,
): Promise<Completed<TestResult>> {
  const { merchantId, environment } = context.scope;
  const { url } = await getWebhookEndpoint(context.scope, id);
  await lease.take();
  // After the key: a retry of a test in progress is not another test.
  countTest(id);
  const secretsSealed = await findSealedSecrets(context.scope, id);
  if (secretsSealed.length === 0) throw notFoundError();
  const example = exampleOf(type, context);
  const message = { merchantId, environment, endpointId: id, url, secretsSealed, ...example };
  const { facts, result } = await sendMessage(message, DEADLINE_MS, TEST_HEADER);
  const { eventId } = example;
  return { intent: { ...facts, endpointId: id, eventId, type, isAccepted: isAccepted(result) }, completion: "changed" };
}
