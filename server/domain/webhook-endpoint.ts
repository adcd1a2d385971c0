// A webhook endpoint: the URL that receives a merchant's events, and the event types it subscribes to.
import type { DisabledReason, EndpointState } from "./delivery";
import type { EventType } from "./events";
import type { Environment } from "./scope";

export interface WebhookEndpoint {
  readonly merchantId: string;
  readonly id: string;
  readonly environment: Environment;
  readonly url: string;
  readonly description: string;
  /** Null for all, also for those of a later catalogue. */
  readonly eventTypes: readonly EventType[] | null;
  readonly state: EndpointState;
  readonly disabledReason: DisabledReason | null;
  readonly disabledAt: Date | null;
  /** Until when the secret before the last rotation signs too; null when there is none. */
  readonly previousSecretUntil: Date | null;
  /** Since when nothing has been accepted; null while all is well. */
  readonly failingSince: Date | null;
  /** The last warning given about that, in hours; 0 for none. */
  readonly warnedHours: number;
  /** When something was last accepted, to the minute; null before the first. */
  readonly lastAcceptedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Deliveries that did not reach an endpoint: how many, and the time of the oldest's event. */
export interface MissedDeliveries {
  readonly count: number;
  readonly since: Date;
}
