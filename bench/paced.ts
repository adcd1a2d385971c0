// Load at a constant rate, independent of the time of the answers, as from many customers.
import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import type { HttpRequest } from "./load";

export interface PacedTask {
  readonly baseUrl: string;
  readonly perSecond: number;
  readonly seconds: number;
  readonly next: () => HttpRequest;
  /** Called with the time in ms between a request's turn and its successful answer. */
  readonly onAnswer?: (ms: number) => void;
}

const TICK_MS = 10;
const CONNECTIONS = 64;

async function send(pool: Pool, { method, path, body, key, authorization }: HttpRequest): Promise<void> {
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
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`${method} ${path} was answered ${answer.statusCode}: ${text}`);
}

/** Sends the load and waits for all answers. Returns the number of requests. Throws if an answer is not a success. */
export async function sendPaced({ baseUrl, perSecond, seconds, next, onAnswer }: PacedTask): Promise<number> {
  const pool = new Pool(baseUrl, { connections: CONNECTIONS });
  const sent: Promise<void>[] = [];
  const failures: unknown[] = [];
  const from = performance.now();
  const wanted = Math.round(perSecond * seconds);
  const sendOne = async () => {
    const begun = performance.now();
    await send(pool, next());
    onAnswer?.(performance.now() - begun);
  };
  while (sent.length < wanted) {
    const due = Math.min(wanted, Math.ceil(((performance.now() - from) * perSecond) / 1_000));
    while (sent.length < due) sent.push(sendOne().catch((error: unknown) => void failures.push(error)));
    await sleep(TICK_MS);
  }
  await Promise.all(sent);
  await pool.close();
  if (failures.length > 0)
    throw new Error(`of ${sent.length} requests ${failures.length} failed`, { cause: failures[0] });
  return sent.length;
}
