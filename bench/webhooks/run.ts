// `npm run bench -- webhooks [--deliveries 1000000]`: none may be lost, none may arrive twice, and the first attempt is soon, while
// one endpoint in ten is hostile. Nothing crashes meanwhile: after a crash a delivery may come again.
import { parseArgs } from "node:util";
import { setStage } from "../stage";
import { percentile } from "../statistics";
import { ENDPOINTS, EVENTS_PER_MERCHANT, playBesideHostile } from "./play";

const DELIVERIES = 1_000_000;
const MERCHANTS = 20;
const HEALTHY = ENDPOINTS - 1;
const MOST_P99_MS = 2_000;

/** Plays the load and prints what came of it. Returns the exit code. */
export async function runWebhooks(words: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...words],
    options: { deliveries: { type: "string", default: String(DELIVERIES) } },
  });
  const seconds = Math.ceil(Number(values.deliveries) / (MERCHANTS * EVENTS_PER_MERCHANT * HEALTHY));
  const stage = await setStage({ isQuick: true });
  try {
    const outcome = await playBesideHostile(stage, { merchants: MERCHANTS, seconds, isSubscribedToAll: true });
    const { events, took, lost, repeated, hostileAttempts, met } = outcome;
    const p99 = percentile(took, 0.99);
    for (const [what, ones] of Object.entries({ lost, repeated }))
      if (ones[0] !== undefined) process.stdout.write(`✗ ${ones.length} ${what}, the first of them ${ones[0]}\n`);
    process.stdout.write(
      `webhooks: ${took.length} deliveries of ${events} events to ${MERCHANTS * HEALTHY} endpoints, beside ${MERCHANTS} hostile ones of ${met.length} kinds with ${hostileAttempts} finished attempts; ${lost.length} lost, ${repeated.length} twice; first attempt after p50 ${percentile(took, 0.5).toFixed(0)}, p99 ${p99.toFixed(0)}, worst ${(took.at(-1) ?? Number.NaN).toFixed(0)} ms\n`,
    );
    // By the requests, and not by the events: one that was not written would be no loss by the ids of events.
    const isWhole = took.length === events * HEALTHY && took.length >= Number(values.deliveries);
    const isMet = isWhole && lost.length + repeated.length === 0 && p99 <= MOST_P99_MS;
    return isMet ? 0 : 1;
  } finally {
    await stage.close();
  }
}
