// The event envelope: the fields around the catalogue's four (interface §6).
import { API_VERSION } from "./api-version";
import type { Environment } from "./scope";
import type { Failure } from "./transition";

export interface EventFacts {
  readonly id: string;
  readonly type: string;
  readonly at: Date;
  readonly environment: Environment;
  readonly intentId: string;
  readonly status: string;
  readonly failure: Failure | null;
}

/**
 * The body of an event, as text. It is made once, stored with the event and sent as stored: the bytes that a receiver
 * verifies never change, whatever a later release makes of new events.
 */
export function envelopeText({ id, type, at, environment, intentId, status, failure }: EventFacts): string {
  const [kind] = type.split(".");
  return JSON.stringify({
    id,
    type,
    timestamp: at.toISOString(),
    environment,
    api_version: API_VERSION,
    data: {
      [`${kind}_id`]: intentId,
      status,
      failure_code: failure?.code ?? null,
      failure_message: failure?.message ?? null,
    },
  });
}
