// Lives at a constant rate: the load, the backlog meanwhile, and the wait until all of them have ended.
import { setTimeout as sleep } from "node:timers/promises";
import { sendPaced } from "../paced";
import { messageOf } from "../rounds";
import type { Party } from "../stage";
import { percentile } from "../statistics";
import { type Backlog, QUEUES, readBacklog, reasonsAgainst } from "./backlog";
import { lifeRequest, type Scene } from "./scene";

export interface LoadTask {
  readonly parties: readonly Party[];
  /** Lives per second. */
  readonly rate: number;
  readonly seconds: number;
  readonly sampleEveryMs: number;
  /** The backlog is sampled from then on, once the first lives have ended. */
  readonly sampledAfterMs: number;
}

export interface LoadResult {
  readonly lives: number;
  readonly samples: readonly Backlog[];
  /** Creates, from their turn to their answer, in ms. */
  readonly p50: number;
  readonly p99: number;
}

/** Sends the load. Throws if a request was not answered with success. */
export async function sendLives(scene: Scene, task: LoadTask): Promise<LoadResult> {
  const { parties, rate, seconds, sampleEveryMs, sampledAfterMs } = task;
  const { database, service } = scene.stage;
  const samples: Backlog[] = [];
  const latencies: number[] = [];
  let begun = 0;
  const loading = sendPaced({
    baseUrl: service.baseUrl,
    perSecond: rate,
    seconds,
    next: () => lifeRequest(parties, begun++),
    onAnswer: (ms) => latencies.push(ms),
  });
  const ended = new AbortController();
  const { signal } = ended;
  const sampling = (async () => {
    await sleep(sampledAfterMs, undefined, { signal }).catch(() => {});
    while (!signal.aborted) {
      samples.push(await readBacklog(database, begun - latencies.length));
      await sleep(sampleEveryMs, undefined, { signal }).catch(() => {});
    }
  })();
  const lives = await loading.finally(() => ended.abort());
  await sampling;
  const sorted = Float64Array.from(latencies).sort();
  return { lives, samples, p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) };
}

const LOOK_EVERY_MS = 500;

/** Waits until all payments of the parties have ended, and all that follows is done. Throws if it takes too long. */
export async function untilEnded(scene: Scene, parties: readonly Party[], withinSeconds: number): Promise<void> {
  const { database } = scene.stage;
  const end = performance.now() + withinSeconds * 1_000;
  for (;;) {
    const backlog = await readBacklog(database, 0);
    const [open] = await database.query<{ payments: number; unfolded: number }>(
      `SELECT (SELECT count(*)::int FROM payment_intent WHERE merchant_id = ANY($1) AND due_at IS NOT NULL) AS payments,
              (SELECT count(*)::int FROM audit_chain c JOIN figure_mark m USING (merchant_id)
               WHERE merchant_id = ANY($1) AND c.last_sequence > m.last_sequence) AS unfolded`,
      parties.map(({ id }) => id),
    );
    const isDone = QUEUES.every((queue) => queue === "duePayments" || backlog[queue] === 0);
    if (isDone && open?.payments === 0 && open.unfolded === 0) return;
    if (performance.now() > end) {
      const left = JSON.stringify({ ...backlog, ...open });
      throw new Error(`lives have not ended after ${withinSeconds} s: ${left}`);
    }
    await sleep(LOOK_EVERY_MS);
  }
}

/** True if the service keeps up with the load: it answers every request in time, no queue grows, and all lives end in time. */
export async function isSustained(scene: Scene, task: LoadTask, endWithinSeconds: number): Promise<boolean> {
  try {
    const { samples, p99 } = await sendLives(scene, task);
    const reasons = reasonsAgainst(samples, task.rate, p99);
    await untilEnded(scene, task.parties, endWithinSeconds);
    const found = reasons.length === 0 ? "sustained" : reasons.join(", ");
    process.stdout.write(`${task.rate} lives a second: ${found}; creates p99 ${p99.toFixed(0)} ms\n`);
    return reasons.length === 0;
  } catch (error) {
    process.stdout.write(`${task.rate} lives a second: ${messageOf(error)}\n`);
    return false;
  }
}
