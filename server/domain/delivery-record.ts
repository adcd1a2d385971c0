// The record of a delivery: its state and all its attempts.
import type { DeliveryState } from "./delivery";
import type { Environment } from "./scope";

/** One attempt, as it was sent and answered. */
export interface DeliveryAttempt {
  /** 1 for the first. */
  readonly ordinal: number;
  readonly attemptedAt: Date;
  /** HTTP status; null when there was no answer. */
  readonly status: number | null;
  readonly durationMs: number;
  readonly requestHeaders: Readonly<Record<string, string>>;
  /** The first 4 KiB. */
  readonly responseBody: string;
  /** Why there was no whole answer, as a word and as a sentence; null when there was. */
  readonly error: string | null;
  readonly detail: string | null;
}

export interface Delivery {
  readonly merchantId: string;
  readonly id: string;
  readonly environment: Environment;
  readonly endpointId: string;
  readonly eventId: string;
  readonly eventType: string;
  /** What the event is about. */
  readonly intentId: string;
  /** The text that every attempt sends. */
  readonly body: string;
  readonly state: DeliveryState;
  /** Attempts made in all. */
  readonly attemptCount: number;
  /** When the next one is due; null while one is under way, and once it has ended. */
  readonly nextAttemptAt: Date | null;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
  /** The newest first. */
  readonly attempts: readonly DeliveryAttempt[];
}

/** An event as it is stored and sent. */
export interface StoredEvent {
  readonly id: string;
  readonly type: string;
  readonly environment: Environment;
  readonly intentId: string;
  readonly createdAt: Date;
  /** The very text that endpoints are sent. */
  readonly body: string;
}
