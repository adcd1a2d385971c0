// Forwarding a merchant's events to a developer's own machine as they come, signed, without an endpoint.
import { setTimeout as pause } from "node:timers/promises";
import type { StoredEvent } from "@/server/domain/delivery-record";
import { validationError } from "@/server/domain/errors";
import type { Scope } from "@/server/domain/scope";
import { now } from "@/server/platform/clock";
import { hmac } from "@/server/platform/crypto";
import { keyRing } from "@/server/platform/keys";
import { checkReceiverUrl } from "@/server/receivers/address-policy";
import type { DeliveryAnswer } from "@/server/receivers/answer";
import { postToReceiver } from "@/server/receivers/post";
import { signWebhook } from "@/server/receivers/signature";
import { merchantSettings } from "../merchants/settings";
import { followEvents } from "./events";

const LOOK_EVERY_MS = 300;
const BATCH = 100;
/** Events of one moment are committed in any order; one that comes late by this is still seen. */
const OVERLAP_MS = 30_000;
const DEADLINE_MS = 15_000;
/** Whoever can run this command has the machine already. */
const POLICY = { httpsOnly: false, allowLoopback: true };

/** The secret of a merchant's forwarded events: always the same one, as long as the operator's secret is. */
export function forwardingSecret({ merchantId, environment }: Scope): string {
  const { key } = keyRing().current("webhook-secret");
  return `whsec_${hmac(key, `forward|${merchantId}|${environment}`).toString("base64")}`;
}

export interface ForwardedEvent {
  readonly event: StoredEvent;
  readonly answer: DeliveryAnswer;
}

export interface Forwarding {
  readonly url: string;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Told once it begins: what comes about from now on is sent. */
  onReady(): void;
  /** Told of each event that was sent. */
  onForwarded(forwarded: ForwardedEvent): void;
}

async function forward(scope: Scope, url: string, event: StoredEvent): Promise<ForwardedEvent> {
  const { id, body } = event;
  const headers = { ...signWebhook([forwardingSecret(scope)], { id, at: now(), body }) };
  return { event, answer: await postToReceiver({ url, headers, body, policy: POLICY, deadlineMs: DEADLINE_MS }) };
}

/**
 * Sends every event that comes about from now on to the URL, once and in order, until the signal. Throws not_found for an
 * unknown merchant and validation_failed for a URL that cannot be called.
 */
export async function forwardEvents(scope: Scope, { url, signal, onReady, onForwarded }: Forwarding): Promise<void> {
  const checked = checkReceiverUrl(url, POLICY);
  if (!checked.ok) throw validationError("forward-to", checked.why);
  await merchantSettings(scope.merchantId);
  const startedAt = now();
  const seen = new Map<string, Date>();
  let newest = startedAt;
  onReady();
  while (!signal.aborted) {
    const from = new Date(Math.max(startedAt.getTime(), newest.getTime() - OVERLAP_MS));
    const events = await followEvents(scope, from, seen, BATCH);
    for (const event of events) {
      if (signal.aborted) return;
      onForwarded(await forward(scope, url, event));
      seen.set(event.id, event.createdAt);
      if (event.createdAt > newest) newest = event.createdAt;
    }
    for (const [id, at] of seen) if (at < from) seen.delete(id);
    if (events.length === 0) await pause(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
  }
}
