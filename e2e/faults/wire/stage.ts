// Where trials are played: a service with its database and worker, and the fake provider. Each lane plays one trial at a time
// with a merchant and victims of its own. Retries and checks go to the service, which no cut touches.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Bridge, openBridge } from "../../rest/bridge";
import { type Api, createApi, fetchValidator } from "../../support/api";
import type { ApiKey, Merchant } from "../../support/merchant";
import { type Receiver, startReceiver } from "../../support/receiver";
import { SERVICE_DEFAULTS } from "../../support/service";
import { type Cutter, openCutter } from "./cutter";
import { startVictim, type VictimProcess } from "./victim";

/** An execution that died is resumed after this time, in seconds. */
const LEASE_SECONDS = "1";

/** A process whose messages all pass through its cutter. */
interface Victim extends VictimProcess {
  readonly cutter: Cutter;
  /** A client of this process. */
  api(key: ApiKey): Api;
}

export interface Lane {
  readonly bridge: Bridge;
  /** A merchant whose test environment only this lane changes. */
  readonly merchant: Merchant;
  /** Accepts every event. */
  readonly receiver: Receiver;
  /** A client of the service itself. */
  api(key: ApiKey): Api;
  /** The present victim, or the next one if it was killed. */
  victim(): Promise<Victim>;
}

export interface Stage {
  readonly bridge: Bridge;
  openLane(): Promise<Lane>;
  close(): Promise<void>;
}

/** Opens the stage; takes about ten seconds. */
export async function openStage(): Promise<Stage> {
  const bridge = await openBridge({ env: { IDEMPOTENCY_LEASE_SECONDS: LEASE_SECONDS } });
  const { service } = bridge.world;
  const validate = await fetchValidator(service.baseUrl);
  const receiver = await startReceiver();
  const victims: Promise<Victim>[] = [];

  async function makeVictim(): Promise<Victim> {
    const cutter = openCutter();
    const log = join(service.dataDir, "victims.log");
    const started = await startVictim(await victimVariables(bridge, cutter), log);
    return { ...started, cutter, api: (key) => createApi(started.baseUrl, key, validate) };
  }

  let latest: Promise<unknown> = Promise.resolve();

  /** Starts one victim after the other: several at once take longer than a database waits. A rejection reaches its taker. */
  function nextVictim(): Promise<Victim> {
    const victim = latest.then(makeVictim);
    latest = victim.catch(() => undefined);
    victims.push(victim);
    return victim;
  }

  async function openLane(): Promise<Lane> {
    let present = nextVictim();
    // Starting takes longer than a trial, so the next one starts while this one is used.
    let next: Promise<Victim> | null = null;
    return {
      bridge,
      merchant: await bridge.world.newMerchant(),
      receiver,
      api: (key) => createApi(service.baseUrl, key, validate),
      async victim() {
        if (!(await present).isAlive()) {
          present = next ?? nextVictim();
          next = nextVictim();
        }
        return present;
      },
    };
  }

  return {
    bridge,
    openLane,
    async close() {
      for (const started of await Promise.allSettled(victims)) {
        if (started.status === "rejected") continue;
        const { kill, ended, cutter } = started.value;
        kill();
        await ended;
        await cutter.close();
      }
      await bridge.close();
      await receiver.stop();
    },
  };
}

/** The service's own configuration, with the database and the provider behind the cutter. */
async function victimVariables({ psp, world }: Bridge, cutter: Cutter) {
  const { dataDir, baseUrl } = world.service;
  const fileOf = (name: string) => readFileSync(join(dataDir, name), "utf8").trim();
  const { url } = JSON.parse(fileOf("postgres.json")) as { url: string };
  const front = async (name: string, address: string) => {
    const target = new URL(address);
    target.port = String(await cutter.front({ name, host: target.hostname, port: Number(target.port) }));
    target.hostname = "127.0.0.1";
    return target.href.replace(/\/$/, "");
  };
  return {
    ...SERVICE_DEFAULTS,
    BASE_URL: baseUrl,
    DATABASE_URL: await front("database", url),
    PROVIDERS: JSON.stringify([psp.config({ url: await front("provider", psp.url) })]),
    SLUICE_SECRETS: fileOf("secrets"),
    REFERENCE_KEY: fileOf("reference-key"),
    IDEMPOTENCY_LEASE_SECONDS: LEASE_SECONDS,
  };
}
