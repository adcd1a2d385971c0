// Where trials are played: a service with its database, and the fake provider. Each lane plays one trial at a time with a
// merchant and victims of its own. Retries and checks go to the service, which no cut touches.
import { join } from "node:path";
import type { Bridge } from "../../rest/bridge";
import { type Api, createApi, fetchValidator } from "../../support/api";
import { type Mailbox, openMailbox } from "../../support/mailbox";
import type { ApiKey, Merchant } from "../../support/merchant";
import { type Receiver, startReceiver } from "../../support/receiver";
import type { Resident } from "../../support/resident";
import { SERVICE_DEFAULTS } from "../../support/service";
import { openDatabaseStage } from "../postgres/play";
import { type Cutter, openCutter } from "./cutter";
import { startVictim, type VictimKind, type VictimProcess } from "./victim";

/** Victims that are ready before they are needed: a double fault may kill two, and starting takes longer than a trial. */
const AHEAD = 2;

/** A process whose messages all pass through its cutter. */
export interface Victim extends VictimProcess {
  readonly cutter: Cutter;
  /** The address of the web victim. */
  readonly baseUrl: string;
  /** A client of the web victim. */
  api(key: ApiKey): Api;
  /** The address under which the victim reaches `address` through the cutter; `name` is what its messages are about. */
  through(name: string, address: string): Promise<string>;
}

export interface Lane {
  readonly bridge: Bridge;
  /** A merchant whose test environment only this lane changes. */
  readonly merchant: Merchant;
  /** Accepts every event. */
  readonly receiver: Receiver;
  /** What the victims and rescuers mail. */
  readonly mailbox: Mailbox;
  /** A client of the service itself. */
  api(key: ApiKey): Api;
  /** The present victim of a kind, or the next one if it was killed. */
  victim(kind: VictimKind): Promise<Victim>;
  /** A worker that no cut touches; on a stage without workers the only one. */
  rescuer(): Promise<Resident>;
  /** As if the leases of all idempotency keys had run out. */
  endLeases(): Promise<void>;
  /** Returns what kills the database server, once no process is about to start on it. */
  databaseKill(): Promise<DatabaseKill>;
}

export interface DatabaseKill {
  /** Kills the postmaster and all its processes at once, and starts the server again. */
  kill(): void;
  /** Resolves once the server accepts connections again; at once if it was not killed. Rejects if it was not replaced. */
  restarted(): Promise<void>;
}

export interface Stage {
  readonly bridge: Bridge;
  openLane(): Promise<Lane>;
  close(): Promise<void>;
}

/** Opens the stage; takes about ten seconds. Without `hasWorker`, only victims and rescuers do the worker's work. */
export async function openStage({ hasWorker }: { readonly hasWorker: boolean }): Promise<Stage> {
  const database = await openDatabaseStage({ env: { WORKER_CONCURRENCY: hasWorker ? "1" : "0" } });
  const { bridge, server } = database;
  const { service } = bridge.world;
  const log = join(service.dataDir, "victims.log");
  const validate = await fetchValidator(service.baseUrl);
  const [receiver, mailbox] = await Promise.all([startReceiver(), openMailbox()]);
  const variables = (through: Victim["through"]) => victimVariables(bridge, mailbox, through);
  const cutters: Cutter[] = [];
  const started: Promise<VictimProcess>[] = [];
  let latest: Promise<unknown> = Promise.resolve();

  /** Starts one process after the other: several at once take longer than a database waits. */
  function start<One extends VictimProcess>(one: () => Promise<One>): Promise<One> {
    const process = latest.then(one);
    // A rejection reaches the one who takes it.
    latest = process.catch(() => undefined);
    started.push(process);
    return process;
  }

  async function makeVictim(kind: VictimKind): Promise<Victim> {
    const cutter = openCutter();
    cutters.push(cutter);
    const fronts = new Map<string, Promise<string>>();
    const through = (name: string, address: string) => {
      const front = fronts.get(address) ?? frontOf(cutter, name, address);
      fronts.set(address, front);
      return front;
    };
    const victim = await startVictim(kind, await variables(through), log);
    const { port = 0 } = (victim.ready ?? {}) as { port?: number };
    const baseUrl = `http://localhost:${port}`;
    return { ...victim, cutter, through, baseUrl, api: (key) => createApi(baseUrl, key, validate) };
  }

  /** The victims of one kind, each used until it dies. The next ones start when the first has died. */
  function victimsOf(kind: VictimKind) {
    const startOne = () => start(() => makeVictim(kind));
    const ahead: Promise<Victim>[] = [];
    let present = startOne();
    return async () => {
      if (!(await present).isAlive()) {
        present = ahead.shift() ?? startOne();
        while (ahead.length < AHEAD) ahead.push(startOne());
      }
      return present;
    };
  }

  async function databaseKill(): Promise<DatabaseKill> {
    await latest;
    const before = server.pid();
    let restarting: Promise<void> | null = null;
    return {
      kill() {
        restarting ??= server.killAll().then(server.start);
        // A rejection reaches the one who waits.
        restarting.catch(() => {});
      },
      async restarted() {
        if (!restarting) return;
        await restarting;
        if (server.pid() === before) throw new Error("the database server was not killed");
      },
    };
  }

  async function openLane(): Promise<Lane> {
    const kinds = new Map<VictimKind, () => Promise<Victim>>();
    let rescuer: Promise<Resident> | null = null;
    return {
      bridge,
      merchant: await bridge.world.newMerchant(),
      receiver,
      mailbox,
      api: (key) => createApi(service.baseUrl, key, validate),
      victim(kind) {
        const victims = kinds.get(kind) ?? victimsOf(kind);
        kinds.set(kind, victims);
        return victims();
      },
      rescuer() {
        const direct = async (_: string, address: string) => address;
        rescuer ??= start(async () => startVictim("worker", await variables(direct), log));
        return rescuer;
      },
      async endLeases() {
        await bridge.world.database.query("UPDATE idempotency_key SET lease_until = now() WHERE lease_until > now()");
      },
      databaseKill,
    };
  }

  return {
    bridge,
    openLane,
    async close() {
      for (const one of await Promise.allSettled(started)) {
        if (one.status === "rejected") continue;
        one.value.kill();
        await one.value.ended;
      }
      await Promise.all(cutters.map((cutter) => cutter.close()));
      await database.close();
      await receiver.stop();
      await mailbox.close();
    },
  };
}

async function frontOf(cutter: Cutter, name: string, address: string): Promise<string> {
  const target = new URL(address);
  target.port = String(await cutter.front({ name, host: target.hostname, port: Number(target.port) }));
  target.hostname = "127.0.0.1";
  return target.href.replace(/\/$/, "");
}

/** The service's own configuration, with its database, provider and mail server at the addresses that `through` gives. */
async function victimVariables({ psp, world }: Bridge, mailbox: Mailbox, through: Victim["through"]) {
  const { baseUrl, variables } = world.service;
  const { DATABASE_URL = "", SLUICE_SECRETS = "", REFERENCE_KEY = "", IDEMPOTENCY_LEASE_SECONDS = "" } = variables;
  return {
    ...SERVICE_DEFAULTS,
    SLUICE_SECRETS,
    REFERENCE_KEY,
    IDEMPOTENCY_LEASE_SECONDS,
    BASE_URL: baseUrl,
    DATABASE_URL: await through("database", DATABASE_URL),
    PROVIDERS: JSON.stringify([psp.config({ url: await through("provider", psp.url) })]),
    SMTP_URL: await through("mail", mailbox.url),
    MAIL_FROM: "Sluice <pay@sluice.example>",
  };
}
