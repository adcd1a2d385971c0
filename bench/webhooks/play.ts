// Healthy webhook receivers beside hostile ones: one endpoint in ten misbehaves, in every known way. The others must not be affected.
import { HOSTILE_BEHAVIOURS } from "@/e2e/support/receiver-farm/behaviours";
import { type RunningFarm, startReceiverFarm } from "@/e2e/support/receiver-farm/start";
import { sendPaced } from "../paced";
import { type Peer, startPeer } from "../processes";
import type { Arrivals } from "../receiver/arrivals";
import type { Party, Stage } from "../stage";
import {
  addEndpoint,
  endingPayment,
  firstAttempts,
  QUICK_TYPES,
  type QuickType,
  redirectEndpoint,
  setPaused,
  untilDelivered,
} from "./shared";

/** Per merchant, one of them hostile. */
export const ENDPOINTS = 10;
/** Each is a separate process; more of them in parallel overload a busy machine's database. */
const MAKERS = 2;
/** Events of a merchant in a second. */
export const EVENTS_PER_MERCHANT = 10;
/** The hostile endpoints change their behavior this often, so that each behavior is used. */
const STRETCHES = 3;
/** Neighboring behaviors are similar, such as those that hang; a prime stride gives each stretch some of all. */
const STRIDE = 7;
const WITHIN_SECONDS = 180;
const RECEIVED = "/healthy/";

export interface HostileLoad {
  readonly merchants: number;
  /** Each merchant has ten events a second for so long. */
  readonly seconds: number;
  /** Whether each healthy endpoint receives all events, or those of one type of three. */
  readonly isSubscribedToAll: boolean;
  /** Called before the load, and after each of its three stretches. */
  atStretch?(): void;
}

export interface HostileOutcome {
  readonly events: number;
  /** From the time of an event to its first attempts at healthy endpoints, in ms, in ascending order. */
  readonly took: Float64Array;
  /** "path event-id" of what a healthy endpoint has not received. */
  readonly lost: readonly string[];
  /** The same, once for each time that it arrived again. */
  readonly repeated: readonly string[];
  readonly hostileAttempts: number;
  /** The kinds of hostile receivers that were connected to. */
  readonly met: readonly string[];
}

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

async function makeShop({ stage, receiver, farm }: Scene, n: number, load: HostileLoad): Promise<Shop> {
  const party = await stage.addParty("Bench receivers");
  const hostileId = await addEndpoint(stage, party, hostileUrl(farm, n, 0, load.merchants));
  for (let place = 1; place < ENDPOINTS; place += 1) {
    const type = QUICK_TYPES[place % QUICK_TYPES.length] as QuickType;
    const types = load.isSubscribedToAll ? QUICK_TYPES : [type];
    await addEndpoint(stage, party, `${receiver.baseUrl}${RECEIVED}${n}/${place}`, types);
  }
  return { party, hostileId };
}

async function makeShops(scene: Scene, load: HostileLoad): Promise<Shop[]> {
  const shops: Shop[] = [];
  let turn = 0;
  const maker = async () => {
    for (let n = turn++; n < load.merchants; n = turn++) shops[n] = await makeShop(scene, n, load);
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
async function send(scene: Scene, shops: readonly Shop[], { seconds, atStretch }: HostileLoad): Promise<number> {
  let events = 0;
  let turn = 0;
  const next = () => {
    const { party } = shops[turn % shops.length] as Shop;
    const type = QUICK_TYPES[Math.floor(turn / shops.length) % QUICK_TYPES.length] as QuickType;
    turn += 1;
    return endingPayment(party, type);
  };
  atStretch?.();
  for (let stretch = 0; stretch < STRETCHES; stretch += 1) {
    if (stretch > 0) {
      for (const [n, { party, hostileId }] of shops.entries())
        await redirectEndpoint(scene.stage, party, hostileId, hostileUrl(scene.farm, n, stretch, shops.length));
    }
    const pace = { perSecond: EVENTS_PER_MERCHANT * shops.length, seconds: seconds / STRETCHES };
    events += await sendPaced({ baseUrl: scene.stage.service.baseUrl, ...pace, next });
    atStretch?.();
  }
  return events;
}

async function play(scene: Scene, load: HostileLoad): Promise<HostileOutcome> {
  const { stage, receiver, farm } = scene;
  const origin = receiver.baseUrl + RECEIVED;
  const shops = await makeShops(scene, load);
  const since = new Date();
  const events = await send(scene, shops, load);
  await untilDelivered(stage, origin, WITHIN_SECONDS);
  const took = Float64Array.from(await firstAttempts(stage, origin, since));
  const { arrived, repeated } = (await (await fetch(receiver.baseUrl)).json()) as Arrivals;
  const known = new Set(arrived);
  const lost = (await expectedArrivals(scene)).filter((one) => !known.has(one));
  const met = Object.entries(await farm.connections()).filter(
    ([kind, count]) => count > 0 && HOSTILE_BEHAVIOURS.includes(kind),
  );
  const ids = shops.map(({ party }) => party.id);
  const outcome = { events, took, lost, repeated, hostileAttempts: await hostileAttempts(scene, shops) };
  await setPaused(stage, ids, true);
  return { ...outcome, met: met.map(([kind]) => kind) };
}

/** Sends the load to merchants of its own, and waits until their healthy endpoints have everything. Throws if that takes too long. */
export async function playBesideHostile(stage: Stage, load: HostileLoad): Promise<HostileOutcome> {
  const [receiver, farm] = await Promise.all([startPeer("receiver/server.ts", []), startReceiverFarm()]);
  try {
    return await play({ stage, receiver, farm }, load);
  } finally {
    await Promise.all([receiver.stop(), farm.stop()]);
  }
}
