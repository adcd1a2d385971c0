// Owns a service that specs talk to: a free port, a data folder of its own, its log, and its life in their hands.
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endInOrder, type ServiceProcess, spawnService, untilReady, type Variables } from "./service-process";

/** A service as seen from a spec that did not start it. */
export interface ServiceAddress {
  /** Origin without a trailing slash; REST lies below `/v1`. */
  readonly baseUrl: string;
  readonly dataDir: string;
}

export interface Service extends ServiceAddress {
  readonly pid: number;
  /** Everything the service has written since its first start. */
  readonly logs: string;
  /** Ends it by SIGTERM and gives its exit status; the data stays. Throws when it does not end in time. */
  stop(): Promise<number | string>;
  /** Ends its main process without warning, or all its processes but the database's. The data stays. */
  kill9(whom?: "main" | "group"): Promise<void>;
  /** Starts it again on the same port and data, with variables changed; ends it in order first if it still runs. */
  restart(changes?: Variables): Promise<void>;
  /** Ends it and removes its data. */
  dispose(): Promise<void>;
}

export interface ServiceOptions {
  /** Made, and removed in the end, when left out. */
  readonly dataDir?: string;
  /** The service's configuration. Rate limits are out of the way unless given. */
  readonly env?: Variables;
}

/** What specs change of the configuration, unless they say otherwise. */
export const SERVICE_DEFAULTS: Variables = {
  LOG_LEVEL: "info",
  RATE_LIMIT_PER_SECOND: "100000",
  RATE_LIMIT_BURST: "100000",
  WEBHOOK_ALLOW_LOOPBACK: "true",
};

/** A TCP port that nobody listens on at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("the system gave no free port");
  return address.port;
}

/** Where a service's output is kept. */
export function logFile(dataDir: string): string {
  return join(dataDir, "service.log");
}

function makeDataDir(): string {
  const dataDir = mkdtempSync(join(tmpdir(), "sluice-e2e-"));
  // The database may run as another user, who must pass through this folder to its own.
  chmodSync(dataDir, 0o711);
  return dataDir;
}

/** Without a listener SIGTERM ends a process at once, without its exit hooks, and the service would live on. */
function exitOnTermination(): void {
  if (process.listenerCount("SIGTERM") === 0) process.once("SIGTERM", () => process.exit(143));
}

/** Starts a service and waits until it is ready. Throws with its log when it does not become so. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const dataDir = options.dataDir ?? makeDataDir();
  const port = await freePort();
  const baseUrl = `http://localhost:${port}`;
  const log = logFile(dataDir);
  let variables: Variables = { ...SERVICE_DEFAULTS, PORT: String(port), DATA_DIR: dataDir, ...options.env };
  let running: ServiceProcess;

  const removeOwnData = () => {
    if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
  };
  // A spec run that ends by itself or by Ctrl-C leaves no process and no data, even when a spec forgot to.
  const atExit = () => {
    running.signal("SIGKILL", "group");
    removeOwnData();
  };
  const start = async () => {
    running = spawnService(variables, log);
    await untilReady(running, baseUrl, log);
  };
  const stop = () => endInOrder(running);

  process.once("exit", atExit);
  exitOnTermination();
  running = spawnService(variables, log);
  await untilReady(running, baseUrl, log);

  return {
    baseUrl,
    dataDir,
    get pid() {
      return running.pid;
    },
    get logs() {
      return readFileSync(log, "utf8");
    },
    stop,
    async kill9(whom = "main") {
      running.signal("SIGKILL", whom);
      await running.ended;
    },
    async restart(changes = {}) {
      if (!running.hasEnded()) await stop();
      variables = { ...variables, ...changes };
      await start();
    },
    async dispose() {
      try {
        if (!running.hasEnded()) await stop();
      } finally {
        process.off("exit", atExit);
        removeOwnData();
      }
    },
  };
}
