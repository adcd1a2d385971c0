// What the webhook cases share: endpoints, payments that end immediately, the worker's process, waiting until idle.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { HttpRequest } from "../load";
import { childrenOf, commandOf } from "../proc";
import { type Party, paymentBody, type Stage } from "../stage";

/** Endings of amounts that end a sandbox payment immediately, by the type of the event. */
const ENDINGS = {
  "payment_intent.succeeded": "02",
  "payment_intent.failed": "01",
  "payment_intent.expired": "05",
} as const;

export type QuickType = keyof typeof ENDINGS;
export const QUICK_TYPES = Object.keys(ENDINGS) as readonly QuickType[];

/** A payment that ends immediately, with an event of this type. */
export function endingPayment({ authorization }: Party, type: QuickType): HttpRequest {
  const id = randomUUID();
  const body = { ...paymentBody(`order-${id}`), amount: `10${ENDINGS[type]}` };
  return { method: "POST", path: "/v1/payment_intents", key: `key-${id}`, body, authorization };
}

async function call(stage: Stage, party: Party, method: "POST" | "PATCH", path: string, body: object): Promise<string> {
  const response = await fetch(`${stage.service.baseUrl}/v1${path}`, {
    method,
    headers: { authorization: party.authorization, "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(60_000),
  });
  if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { id: string }).id;
}

/** Adds an endpoint; returns its id. */
export function addEndpoint(stage: Stage, party: Party, url: string, types?: readonly QuickType[]): Promise<string> {
  return call(stage, party, "POST", "/webhook_endpoints", { url, ...(types ? { event_types: types } : {}) });
}

/** Changes an endpoint's URL, and enables the endpoint if it was disabled. */
export async function redirectEndpoint(stage: Stage, party: Party, id: string, url: string): Promise<void> {
  await call(stage, party, "PATCH", `/webhook_endpoints/${id}`, { url, state: "enabled" });
}

/** Pauses or resumes all deliveries of these merchants at one moment. */
export async function setPaused({ database }: Stage, ids: readonly string[], isPaused: boolean): Promise<void> {
  await database.query(
    `UPDATE webhook_endpoint SET state = $2, disabled_reason = NULL, disabled_at = NULL
     WHERE merchant_id = ANY($1) AND deleted_at IS NULL`,
    ids,
    isPaused ? "paused" : "enabled",
  );
}

const LOOK_EVERY_MS = 20;

/** Waits until nothing is pending for endpoints whose URL has this prefix. Throws if it takes too long. */
export async function untilDelivered({ database }: Stage, origin: string, withinSeconds: number): Promise<void> {
  const end = performance.now() + withinSeconds * 1_000;
  for (;;) {
    const waiting = await database.query(
      `SELECT FROM webhook_endpoint e WHERE starts_with(e.url, $1) AND EXISTS (
         SELECT FROM delivery d WHERE d.merchant_id = e.merchant_id AND d.endpoint_id = e.id AND d.state = 'pending')
       LIMIT 1`,
      origin,
    );
    if (waiting.length === 0) return;
    if (performance.now() > end) throw new Error(`deliveries still wait after ${withinSeconds} s`);
    await sleep(LOOK_EVERY_MS);
  }
}

/** The process id of the service's worker. */
export function workerOf({ service }: Pick<Stage, "service">): number {
  const pid = childrenOf(service.pid).find((child) => commandOf(child).includes("worker"));
  if (pid === undefined) throw new Error("the service's worker was not found");
  return pid;
}

/** Milliseconds from the event's time, before its commit, to its first attempts at endpoints with this URL prefix. */
export async function firstAttempts({ database }: Stage, origin: string, since: Date): Promise<number[]> {
  // The tables were just filled: without statistics the planner would take them for empty.
  await database.query("ANALYZE event, delivery, delivery_attempt, webhook_endpoint");
  const rows = await database.query<{ ms: number }>(
    `SELECT extract(epoch FROM a.attempted_at - v.created_at)::float * 1000 AS ms
     FROM webhook_endpoint e
     JOIN delivery d ON d.merchant_id = e.merchant_id AND d.endpoint_id = e.id
     JOIN event v ON v.merchant_id = d.merchant_id AND v.id = d.event_id
     JOIN delivery_attempt a ON a.merchant_id = d.merchant_id AND a.delivery_id = d.id AND a.ordinal = 1
     WHERE starts_with(e.url, $1) AND v.created_at >= $2 ORDER BY 1`,
    origin,
    since,
  );
  return rows.map(({ ms }) => ms);
}
