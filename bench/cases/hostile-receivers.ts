// One endpoint in ten misbehaves, in every known way; the others must not be affected.
import { HOSTILE_BEHAVIOURS } from "@/e2e/support/receiver-farm/behaviours";
import { type RunningFarm, startReceiverFarm } from "@/e2e/support/receiver-farm/start";
import type { Bench, Section } from "../bench";
import { HEALTHY_P50, HEALTHY_P99, LOST } from "../names";
import { sendPaced } from "../paced";
import { memoryOf } from "../proc";
import { type Peer, startPeer } from "../processes";
import type { Party, Stage } from "../stage";
import { percentile } from "../statistics";
import {
  addEndpoint,
  endingPayment,
  firstAttempts,
  QUICK_TYPES,
  type QuickType,
  redirectEndpoint,
  setPaused,
  untilDelivered,
  workerOf,
} from "../webhooks";

/** Per merchant, one of them hostile. The others subscribe to one type each, so three of them receive each event. */
const ENDPOINTS = 10;
/** Each is a separate process; more of them in parallel overload a busy machine's database. */
const MAKERS = 2;
const EVENTS_PER_MERCHANT = 10;
/** The hostile endpoints change their behavior this often, so that each behavior is used. */
const STRETCHES = 3;
/** Neighboring behaviors are similar, such as those that hang; a prime stride gives each stretch some of all. */
const STRIDE = 7;
const WITHIN_SECONDS = 180;
const RECEIVED = "/healthy/";

interface Shop {
  readonly party: Party;
  readonly hostileId: string;
}

interface Scene {
  readonly stage: Stage;
  readonly receiver: Peer;
  readonly farm: RunningFarm;
}

/** The behavior of the n-th hostile endpoint in a stretch of the run. */
function hostileUrl(farm: RunningFarm, n: number, stretch: number, shops: number): string {
  const kind = HOSTILE_BEHAVIOURS[((stretch * shops + n) * STRIDE) % HOSTILE_BEHAVIOURS.length] ?? "";
  return `${farm.url(kind)}/${n}`;
}

async function makeShop({ stage, receiver, farm }: Scene, n: number, shops: number): Promise<Shop> {
  const party = await stage.addParty("Bench receivers");
  const hostileId = await addEndpoint(stage, party, hostileUrl(farm, n, 0, shops));
  for (let place = 1; place < ENDPOINTS; place += 1) {
    const type = QUICK_TYPES[place % QUICK_TYPES.length] as QuickType;
    await addEndpoint(stage, party, `${receiver.baseUrl}${RECEIVED}${n}/${place}`, [type]);
  }
  return { party, hostileId };
}

async function makeShops(scene: Scene, count: number): Promise<Shop[]> {
  const shops: Shop[] = [];
  let turn = 0;
  const maker = async () => {
    for (let n = turn++; n < count; n = turn++) shops[n] = await makeShop(scene, n, count);
  };
  await Promise.all(Array.from({ length: MAKERS }, maker));
  return shops;
}

/** "path event-id" of every event that each healthy endpoint must receive, computed from the events. */
async function expectedArrivals({ stage, receiver }: Scene): Promise<string[]> {
  const rows = await stage.database.query<{ url: string; id: string }>(
    `SELECT e.url, v.id FROM webhook_endpoint e
     JOIN event v ON v.merchant_id = e.merchant_id AND v.environment = e.environment AND v.type = ANY(e.event_types)
     WHERE starts_with(e.url, $1)`,
    receiver.baseUrl + RECEIVED,
  );
  return rows.map(({ url, id }) => `${new URL(url).pathname} ${id}`);
}

async function hostileAttempts({ stage }: Scene, shops: readonly Shop[]): Promise<number> {
  const [row] = await stage.database.query<{ n: number }>(
    `SELECT coalesce(sum(attempts), 0)::int AS n FROM delivery WHERE merchant_id = ANY($1) AND endpoint_id = ANY($2)`,
    shops.map(({ party }) => party.id),
    shops.map(({ hostileId }) => hostileId),
  );
  return row?.n ?? 0;
}

/** Sends the load and changes the hostile endpoints after each stretch. Returns the number of events. */
async function play(scene: Scene, shops: readonly Shop[], seconds: number, atEnd: () => void): Promise<number> {
  let events = 0;
  let turn = 0;
  const next = () => {
    const { party } = shops[turn % shops.length] as Shop;
    const type = QUICK_TYPES[Math.floor(turn / shops.length) % QUICK_TYPES.length] as QuickType;
    turn += 1;
    return endingPayment(party, type);
  };
  for (let stretch = 0; stretch < STRETCHES; stretch += 1) {
    if (stretch > 0) {
      for (const [n, { party, hostileId }] of shops.entries())
        await redirectEndpoint(scene.stage, party, hostileId, hostileUrl(scene.farm, n, stretch, shops.length));
    }
    const pace = { perSecond: EVENTS_PER_MERCHANT * shops.length, seconds: seconds / STRETCHES };
    events += await sendPaced({ baseUrl: scene.stage.service.baseUrl, ...pace, next });
    atEnd();
  }
  return events;
}

async function measureHostile({ options, note }: Bench, scene: Scene): Promise<void> {
  const { stage, receiver } = scene;
  const origin = receiver.baseUrl + RECEIVED;
  const shops = await makeShops(scene, options.isQuick ? 4 : 20);
  const worker = workerOf(stage);
  const memory: number[] = [];
  const sampleMemory = () => void memory.push(memoryOf(worker)?.now ?? Number.NaN);
  sampleMemory();
  const since = new Date();
  const events = await play(scene, shops, options.isQuick ? 9 : 66, sampleMemory);
  await untilDelivered(stage, origin, WITHIN_SECONDS);
  const took = Float64Array.from(await firstAttempts(stage, origin, since));
  const arrived = new Set((await (await fetch(receiver.baseUrl)).json()) as string[]);
  const lost = (await expectedArrivals(scene)).filter((one) => !arrived.has(one));
  const pace = shops.length * EVENTS_PER_MERCHANT;
  const remark = `${events} events, ${pace} a second; ${took.length} deliveries to ${shops.length * (ENDPOINTS - 1)} healthy endpoints, beside ${shops.length} hostile ones`;
  note({ name: HEALTHY_P50, value: percentile(took, 0.5), unit: "ms", note: remark });
  note({ name: HEALTHY_P99, value: percentile(took, 0.99), unit: "ms", note: remark });
  note({ name: "healthy receivers beside hostile ones, longest", value: took.at(-1) ?? Number.NaN, unit: "ms" });
  const met = Object.entries(await scene.farm.connections()).filter(
    ([kind, count]) => count > 0 && HOSTILE_BEHAVIOURS.includes(kind),
  );
  note({ name: "kinds of hostile receivers that were connected to", value: met.length, unit: "count" });
  note({ name: "finished attempts at hostile receivers", value: await hostileAttempts(scene, shops), unit: "count" });
  for (const [n, value] of memory.entries())
    note({ name: `worker, memory after ${n} of ${STRETCHES} stretches beside hostile ones`, value, unit: "MiB" });
  note({ name: LOST, value: lost.length, unit: "count", note: "by the ids of events and what arrived" });
  const ids = shops.map(({ party }) => party.id);
  await setPaused(stage, ids, true);
  if (lost.length > 0) throw new Error(`${lost.length} deliveries were lost, the first of them ${lost[0]}`);
}

async function measureAmongReceivers(bench: Bench): Promise<void> {
  const [receiver, farm] = await Promise.all([startPeer("receiver/server.ts", []), startReceiverFarm()]);
  try {
    await measureHostile(bench, { stage: bench.stage, receiver, farm });
  } finally {
    await Promise.all([receiver.stop(), farm.stop()]);
  }
}

export const hostileSection: Section = { name: "hostile-receivers", run: measureAmongReceivers };
