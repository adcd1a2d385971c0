// Posts events to a developer's own address, signed as an endpoint's messages are.
import { createHmac } from "node:crypto";
import { growingPause, sleep } from "../retries.js";
import type { WebhookEvent } from "../webhooks.js";
import { CommandFailure } from "./failure.js";

/** The time limit of one message, that of the service. */
const DEADLINE_MS = 15_000;
/** How long a receiver that is not running is waited for: it restarts when its code changes. */
const RESTART_MS = 15_000;

/** An event as the API shows it: what endpoints receive, and the kind of the resource. */
export type ListedEvent = WebhookEvent & { readonly object: "event" };

/** The secret of the messages that are forwarded with this key: the same on every machine, and stored nowhere. */
export function forwardingSecret(secretKey: string): string {
  return `whsec_${createHmac("sha256", secretKey).update("sluice listen").digest("base64")}`;
}

/** Returns the body that endpoints receive, byte for byte. */
export function bodyOf({ object: _, ...envelope }: ListedEvent): string {
  return JSON.stringify(envelope);
}

/** Returns the headers of a message that is sent at `now`, in milliseconds since 1970. */
export function signMessage(secret: string, id: string, body: string, now: number): Record<string, string> {
  const timestamp = String(Math.floor(now / 1_000));
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` };
}

/** Parses the address to forward to: a URL, `localhost:4000/hooks`, or a port of this machine. */
export function parseTarget(text: string): string {
  const full = /^\d+$/.test(text) ? `http://localhost:${text}` : text.includes("://") ? text : `http://${text}`;
  if (!URL.canParse(full) || !/^https?:\/\//.test(full))
    throw new CommandFailure("usage", "--forward-to is a URL such as http://localhost:4000/hooks.");
  return full;
}

export interface Forwarded {
  /** The receiver's HTTP status; null without an answer. */
  readonly status: number | null;
  readonly durationMs: number;
  /** Why there was no answer. */
  readonly error: string | null;
}

function reasonOf(failure: unknown): string {
  const { name, message, cause } = failure as { name?: string; message?: string; cause?: { code?: string } };
  if (name === "TimeoutError") return `no answer within ${DEADLINE_MS / 1_000} s`;
  return cause?.code ?? message ?? String(failure);
}

async function post(url: string, secret: string, event: ListedEvent, signal: AbortSignal): Promise<Forwarded> {
  const body = bodyOf(event);
  const startedAt = performance.now();
  const result = (status: number | null, error: string | null) => ({
    status,
    error,
    durationMs: Math.round(performance.now() - startedAt),
  });
  try {
    const response = await fetch(url, {
      method: "POST",
      redirect: "manual",
      headers: {
        "content-type": "application/json",
        "user-agent": "Sluice-Webhooks/1 (sluice listen)",
        ...signMessage(secret, event.id, body, Date.now()),
      },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]),
    });
    await response.arrayBuffer();
    return result(response.status, null);
  } catch (failure) {
    signal.throwIfAborted();
    return result(null, reasonOf(failure));
  }
}

/**
 * Posts an event and returns what came of it. While nothing listens at the address, tries again for up to 15 s. Throws the
 * reason of an aborted signal.
 */
export async function forward(
  url: string,
  secret: string,
  event: ListedEvent,
  signal: AbortSignal,
): Promise<Forwarded> {
  const end = performance.now() + RESTART_MS;
  for (let attempts = 0; ; attempts += 1) {
    const result = await post(url, secret, event, signal);
    if (result.error !== "ECONNREFUSED" || performance.now() >= end) return result;
    await sleep(growingPause(attempts), signal);
  }
}

/** True if the receiver accepted the message. */
export function isAccepted({ status }: Forwarded): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** Returns what came of it in words, such as `204 in 12 ms`. */
export function outcomeOf({ status, error, durationMs }: Forwarded): string {
  return status === null ? `failed: ${error}` : `${status} in ${durationMs} ms`;
}
