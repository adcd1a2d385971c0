// Load at a constant rate, independent of the time of the answers, as from many customers.
import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import type { HttpRequest } from "./load";
import { messageOf } from "./rounds";

export interface PacedTask {
  readonly baseUrl: string;
  readonly perSecond: number;
  /** Infinity for a load that only `signal` ends. */
  readonly seconds: number;
  /** Ends the load earlier. */
  readonly signal?: AbortSignal;
  readonly next: () => HttpRequest;
  /** A request that is answered 503 is sent again after this time, with the same key, for a minute. By default it fails. */
  readonly retryAfterMs?: number;
  /** Called with the time in ms between a request's turn and its successful answer, and how often it was sent until then. */
  readonly onAnswer?: (ms: number, tries: number) => void;
  /** Called for each request that is not answered with success. By default the load throws in the end. */
  readonly onFailure?: (error: unknown) => void;
}

const TICK_MS = 10;
const CONNECTIONS = 64;
const RETRIED_FOR_MS = 60_000;
const UNAVAILABLE = 503;

interface Answer {
  readonly status: number;
  readonly text: string;
}

async function send(pool: Pool, { method, path, body, key, authorization }: HttpRequest): Promise<Answer> {
  const answer = await pool.request({
    method,
    path,
    headers: {
      "content-type": "application/json",
      ...(authorization === undefined ? {} : { authorization }),
      ...(key === undefined ? {} : { "idempotency-key": key }),
    },
    body: JSON.stringify(body),
  });
  return { status: answer.statusCode, text: await answer.body.text() };
}

/** Returns how often it was sent until it was answered with success. Throws if it is not. */
async function sendUntilDone(pool: Pool, request: HttpRequest, retryAfterMs: number | undefined): Promise<number> {
  const end = performance.now() + RETRIED_FOR_MS;
  for (let tries = 1; ; tries += 1) {
    const { status, text } = await send(pool, request);
    if (status < 300) return tries;
    const isRetried = status === UNAVAILABLE && retryAfterMs !== undefined && performance.now() < end;
    if (!isRetried) throw new Error(`${request.method} ${request.path} was answered ${status}: ${text}`);
    await sleep(retryAfterMs);
  }
}

/**
 * Sends the load and waits for all answers. Returns the number of requests. Throws if an answer is not a success, unless
 * `onFailure` is given.
 */
export async function sendPaced(task: PacedTask): Promise<number> {
  const { baseUrl, perSecond, seconds, signal, next, retryAfterMs, onAnswer } = task;
  const pool = new Pool(baseUrl, { connections: CONNECTIONS });
  const sent: Promise<void>[] = [];
  const failures: unknown[] = [];
  const onFailure = task.onFailure ?? ((error: unknown) => void failures.push(error));
  const from = performance.now();
  const wanted = Math.round(perSecond * seconds);
  const sendOne = async () => {
    const begun = performance.now();
    const tries = await sendUntilDone(pool, next(), retryAfterMs);
    onAnswer?.(performance.now() - begun, tries);
  };
  while (sent.length < wanted && !signal?.aborted) {
    const due = Math.min(wanted, Math.ceil(((performance.now() - from) * perSecond) / 1_000));
    while (sent.length < due) sent.push(sendOne().catch(onFailure));
    await sleep(TICK_MS);
  }
  await Promise.all(sent);
  await pool.close();
  if (failures.length > 0)
    throw new Error(`of ${sent.length} requests ${failures.length} failed; the first: ${messageOf(failures[0])}`);
  return sent.length;
}
