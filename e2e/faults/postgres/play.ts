// Plays one fault of the database under load, on a service that is never restarted.
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Bridge, openBridge } from "../../rest/bridge";
import { type PostgresServer, startPostgres } from "../../support/postgres/server";
import { freePort, onDatabase } from "../../support/service";
import type { Variables } from "../../support/service-process";
import { type Disk, mountDisk } from "./disk";
import type { Fault } from "./faults";
import { type Allowed, judge } from "./judge";
import { startLoad, type Written } from "./load";

export interface DatabaseStage {
  readonly server: PostgresServer;
  /** Holds the server's files; null where it is not wanted, and without root. */
  readonly disk: Disk | null;
  readonly bridge: Bridge;
  close(): Promise<void>;
}

/** What clients met. */
interface Met {
  readonly acknowledged: number;
  /** Answers 503. */
  readonly unavailable: number;
  /** Connections without an answer. */
  readonly broken: number;
}

export interface PlayedFault extends Met {
  /** What proves the fault. */
  readonly proof: string;
  /** From the end of the fault to the next acknowledged write, in ms. */
  readonly recoveryMs: number;
  readonly problems: readonly string[];
}

const BEFORE = 24;
const AFTER = 24;
const PAUSE_MS = 5;
const RECOVERS_WITHIN_MS = 60_000;
const LEASE_SECONDS = "1";

interface StageOptions {
  /** Changes of the service's configuration. */
  readonly env?: Variables;
  /** Environment variables of the database server. */
  readonly databaseEnv?: Variables;
  /** Puts the server's files on a small disk in memory, which a fault can fill. Without root, they stay on the real one. */
  readonly isDiskSmall?: boolean;
}

/** Starts a database server, a service on it, and the fake provider. */
export async function openDatabaseStage({
  env = {},
  databaseEnv = {},
  isDiskSmall = false,
}: StageOptions = {}): Promise<DatabaseStage> {
  const folder = mkdtempSync(join(tmpdir(), "sluice-postgres-"));
  // Postgres may run as another user, who needs access through this folder to its own.
  chmodSync(folder, 0o711);
  const disk = isDiskSmall ? mountDisk(join(folder, "disk")) : null;
  const server = await startPostgres(join(folder, "disk", "server"), await freePort(), databaseEnv);
  const database = onDatabase(server.url);
  const bridge = await openBridge({ database, env: { IDEMPOTENCY_LEASE_SECONDS: LEASE_SECONDS, ...env } });
  return {
    server,
    disk,
    bridge,
    async close() {
      await bridge.close();
      if (server.pid() !== null) await server.stop("fast");
      disk?.unmount();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Waits until the load has come so far; returns how long that took, in ms. Throws after a minute. */
export async function until(condition: () => boolean): Promise<number> {
  const startedAt = performance.now();
  while (!condition()) {
    if (performance.now() - startedAt > RECOVERS_WITHIN_MS) throw new Error("nothing is acknowledged any more");
    await sleep(PAUSE_MS);
  }
  return performance.now() - startedAt;
}

/** Counts what the clients of these writes met. */
export function metBy(written: readonly Written[]): Met {
  const attempts = written.flatMap((one) => one.attempts);
  return {
    acknowledged: written.filter(({ isDefinite }) => isDefinite).length,
    unavailable: attempts.filter(({ status }) => status === 503).length,
    broken: attempts.filter(({ status }) => status === 0).length,
  };
}

/** Plays a fault of the database once the load runs, and ends the load some time after it. */
export function playFault(stage: DatabaseStage, fault: Fault): Promise<PlayedFault> {
  return playUnderLoad(stage, () => fault(stage.server, stage.disk));
}

/** The same for any fault; `cause` returns what proves it. */
export async function playUnderLoad(
  { bridge }: Pick<DatabaseStage, "bridge">,
  cause: () => Promise<string>,
  allowed: Allowed = {},
): Promise<PlayedFault> {
  const load = startLoad(bridge);
  await until(() => load.count() >= BEFORE);
  const proof = await cause();
  const atEnd = load.count();
  const recoveryMs = await until(() => load.count() > atEnd);
  await until(() => load.count() >= atEnd + AFTER);
  const written = await load.stop();
  await bridge.world.reconnect();
  return {
    proof,
    ...metBy(written),
    recoveryMs: Math.round(recoveryMs),
    problems: await judge(bridge, written, allowed),
  };
}
