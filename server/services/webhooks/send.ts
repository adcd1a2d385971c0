// One attempt: the event's stored bytes, signed for this moment, posted to an endpoint.

import type { AttemptFacts } from "@/server/db/webhooks/attempts";
import type { ClaimedDelivery } from "@/server/db/webhooks/claims";
import type { AttemptResult } from "@/server/domain/delivery";
import { now } from "@/server/platform/clock";
import { postToReceiver } from "@/server/receivers/post";
import { signWebhook } from "@/server/receivers/signature";
import { receiverPolicy } from "./receiver-policy";
import { openSecret } from "./secrets";

/** For everything together: name, connection, headers and body. */
export const DEADLINE_MS = 15_000;

export interface SendResult {
  readonly facts: AttemptFacts;
  readonly result: AttemptResult;
}

type Message = Pick<
  ClaimedDelivery,
  "merchantId" | "endpointId" | "environment" | "eventId" | "url" | "secretsSealed" | "body"
>;

/** Posts the message; never throws for what the receiver does. `more` are headers besides the signature's. */
export async function sendMessage(
  { merchantId, endpointId, environment, eventId, url, secretsSealed, body }: Message,
  deadlineMs: number,
  more: Readonly<Record<string, string>> = {},
): Promise<SendResult> {
  const attemptedAt = now();
  const secrets = secretsSealed.map((sealed) => openSecret(merchantId, endpointId, sealed));
  const headers = { ...more, ...signWebhook(secrets, { id: eventId, at: attemptedAt, body }) };
  const policy = receiverPolicy(environment);
  const answer = await postToReceiver({ url, headers, body, policy, deadlineMs });
  const { status, durationMs, error, detail, retryAfterMs } = answer;
  return {
    facts: { status, durationMs, requestHeaders: headers, responseBody: answer.body, error, detail, attemptedAt },
    result: { status, error, retryAfterMs },
  };
}
