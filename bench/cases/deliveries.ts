// Deliveries per second, compared with a bare loop, and the time to the first attempt.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Bench, Section } from "../bench";
import type { SignedMessage } from "../limit/posts";
import { BARE_POSTS, DELIVERIES, FIRST_ATTEMPT_P50, FIRST_ATTEMPT_P99, SLUICE } from "../names";
import { sendPaced } from "../paced";
import { cpuSecondsOf } from "../proc";
import { type Peer, runPosts, startPeer } from "../processes";
import type { Contestant } from "../rounds";
import type { Party, Stage } from "../stage";
import { percentile, type Round, summarise } from "../statistics";
import { addEndpoint, endingPayment, firstAttempts, setPaused, untilDelivered, workerOf } from "../webhooks/shared";

/** The maximum per merchant: each event causes that many deliveries, with four in flight per endpoint. */
const ENDPOINTS = 10;
const CONNECTIONS = ENDPOINTS * 4;
/** Events of a round, by its length; ten times as many deliveries. */
const EVENTS_PER_SECOND = 150;
const MAKING_PER_SECOND = 400;
const WITHIN_SECONDS = 120;

interface Scene {
  readonly stage: Stage;
  readonly receiver: Peer;
  readonly party: Party;
}

interface AttemptRow {
  readonly url: string;
  readonly request_headers: Record<string, string>;
  readonly body: string;
  readonly duration_ms: number;
  readonly status: number | null;
}

/** What was sent for the events since then. */
function attemptsSince({ stage, party }: Scene, since: Date): Promise<AttemptRow[]> {
  return stage.database.query<AttemptRow>(
    `SELECT e.url, a.request_headers, v.body, a.duration_ms, a.status FROM event v
     JOIN delivery d ON d.merchant_id = v.merchant_id AND d.event_id = v.id
     JOIN webhook_endpoint e ON e.merchant_id = d.merchant_id AND e.id = d.endpoint_id
     JOIN delivery_attempt a ON a.merchant_id = d.merchant_id AND a.delivery_id = d.id
     WHERE v.merchant_id = $1 AND v.created_at >= $2`,
    party.id,
    since,
  );
}

const pathOf = (url: string) => new URL(url).pathname;

/** Payments end while the endpoints are paused; then all their deliveries are released at once. */
async function drain(scene: Scene, seconds: number, messagesPath: string): Promise<Round> {
  const { stage, receiver, party } = scene;
  await setPaused(stage, [party.id], true);
  const since = new Date();
  const next = () => endingPayment(party, "payment_intent.succeeded");
  const makingSeconds = (EVENTS_PER_SECOND * seconds) / MAKING_PER_SECOND;
  await sendPaced({ baseUrl: stage.service.baseUrl, perSecond: MAKING_PER_SECOND, seconds: makingSeconds, next });
  await setPaused(stage, [party.id], false);
  const from = performance.now();
  await untilDelivered(stage, receiver.baseUrl, WITHIN_SECONDS);
  const took = (performance.now() - from) / 1_000;
  const attempts = await attemptsSince(scene, since);
  const messages: SignedMessage[] = attempts.map(({ url, request_headers: headers, body }) => {
    return { path: pathOf(url), headers, body };
  });
  writeFileSync(messagesPath, JSON.stringify(messages));
  const accepted = attempts.filter(({ status }) => status === 204);
  const durations = accepted.map(({ duration_ms: ms }) => ms);
  return { ...summarise(durations, took), failed: attempts.length - accepted.length };
}

function contestants(scene: Scene): Contestant[] {
  const { stage, receiver } = scene;
  const messagesPath = join(stage.service.dataDir, "messages.json");
  const worker = workerOf(stage);
  const countRows = async () => {
    const sql = "SELECT count(*)::int AS n FROM delivery_attempt WHERE merchant_id = $1";
    return (await stage.database.query<{ n: number }>(sql, scene.party.id))[0]?.n ?? 0;
  };
  return [
    {
      name: SLUICE,
      run: (_, seconds) => drain(scene, seconds, messagesPath),
      countRows,
      cpuSeconds: () => cpuSecondsOf(worker),
    },
    { name: BARE_POSTS, run: (connections) => runPosts({ messagesPath, origin: receiver.baseUrl, connections }) },
  ];
}

const PACE = 500;
/** Merchants with one endpoint each, so that an event is one delivery. */
const PACED_MERCHANTS = 5;

async function measureFirstAttempts({ stage, options, note }: Bench, receiver: Peer): Promise<void> {
  const parties: Party[] = [];
  const origin = `${receiver.baseUrl}/paced/`;
  for (let n = 0; n < PACED_MERCHANTS; n += 1) {
    const party = await stage.addParty("Bench paced");
    await addEndpoint(stage, party, `${origin}${n}`);
    parties.push(party);
  }
  let turn = 0;
  const next = () => endingPayment(parties[turn++ % PACED_MERCHANTS] as Party, "payment_intent.succeeded");
  const { baseUrl } = stage.service;
  const { seconds } = options.settings;
  await sendPaced({ baseUrl, perSecond: PACE, seconds, next });
  await untilDelivered(stage, origin, WITHIN_SECONDS);
  const since = new Date();
  const sent = await sendPaced({ baseUrl, perSecond: PACE, seconds: seconds * 4, next });
  await untilDelivered(stage, origin, WITHIN_SECONDS);
  const took = Float64Array.from(await firstAttempts(stage, origin, since));
  if (took.length !== sent) throw new Error(`of ${sent} events ${took.length} were attempted`);
  const remark = `${sent} events, ${PACE} a second; counted from the event's time, which is before its commit`;
  note({ name: FIRST_ATTEMPT_P50, value: percentile(took, 0.5), unit: "ms", note: remark });
  note({ name: FIRST_ATTEMPT_P99, value: percentile(took, 0.99), unit: "ms", note: remark });
}

async function measureDeliveries(bench: Bench): Promise<void> {
  const { stage } = bench;
  const receiver = await startPeer("receiver/server.ts", []);
  try {
    const party = await stage.addParty("Bench deliveries");
    for (let n = 0; n < ENDPOINTS; n += 1) await addEndpoint(stage, party, `${receiver.baseUrl}/hooks/${n}`);
    const scene = { stage, receiver, party };
    await bench.measure({ name: DELIVERIES, connections: [CONNECTIONS], contestants: contestants(scene) });
    await setPaused(stage, [party.id], true);
    await measureFirstAttempts(bench, receiver);
  } finally {
    await receiver.stop();
  }
}

export const deliverySection: Section = { name: "deliveries", run: measureDeliveries };
