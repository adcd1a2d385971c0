// An attempt of a delivery as a span of the trace of its event's intent.
import type { ClaimedDelivery } from "@/server/db/webhooks/claims";
import { isAccepted } from "@/server/domain/delivery";
import { isTraced, type SpanEnd, traced, withinIntentTrace } from "@/server/platform/tracing/tracing";
import { resultOf } from "./attempt-metrics";
import { type SendResult, sendMessage } from "./send";

/** The intent that an event is about, by its body. Null if the body names none, as that of a test message. */
function intentOf({ type, body }: ClaimedDelivery): string | null {
  const { data } = JSON.parse(body) as { readonly data?: Readonly<Record<string, unknown>> };
  const id = data?.[`${type.split(".")[0]}_id`];
  return typeof id === "string" ? id : null;
}

function conclude({ result }: SendResult): SpanEnd {
  const { status } = result;
  return {
    attributes: { "sluice.outcome": resultOf(result), ...(status !== null && { "http.response.status_code": status }) },
    error: isAccepted(result) ? undefined : resultOf(result),
  };
}

/** Posts the message; see `sendMessage`. The receiver's URL may contain a secret, so the span names the endpoint. */
export function sendTraced(delivery: ClaimedDelivery, deadlineMs: number): Promise<SendResult> {
  if (!isTraced()) return sendMessage(delivery, deadlineMs);
  const { id, merchantId, environment, endpointId, eventId, type, step } = delivery;
  const attributes = {
    "sluice.merchant_id": merchantId,
    "sluice.environment": environment,
    "sluice.endpoint_id": endpointId,
    "sluice.delivery_id": id,
    "sluice.event_id": eventId,
    "sluice.event_type": type,
    "sluice.attempt": step + 1,
  };
  const start = () => ({ name: `deliver ${type}`, kind: "producer" as const, attributes });
  const send = () => traced(start, () => sendMessage(delivery, deadlineMs), conclude);
  const intentId = intentOf(delivery);
  return intentId === null ? send() : withinIntentTrace(intentId, send);
}
