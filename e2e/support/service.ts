// A service that specs control: a free port, its own data folder and its log.
import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endInOrder, type ServiceProcess, spawnService, untilReady, type Variables } from "./service-process";

/** A service as seen from a spec that did not start it. */
export interface ServiceAddress {
  /** Origin without a trailing slash; REST is below `/v1`. */
  readonly baseUrl: string;
  readonly dataDir: string;
  /** What names a database of the spec's own and its secrets; without it, the service has the embedded one. */
  readonly database?: DatabaseVariables;
  /** The cell of the specs' merchants, if the service has several: then its database is the one that specs read. */
  readonly cell?: { readonly name: string; readonly databaseUrl: string };
}

/** The service's variables about its database. */
export interface DatabaseVariables extends Variables {
  readonly DATABASE_URL: string;
  readonly SLUICE_SECRETS: string;
  readonly REFERENCE_KEY: string;
}

/** Returns the variables of a service on a new database, with new secrets. */
export function onDatabase(url: string): DatabaseVariables {
  const key = () => randomBytes(32).toString("base64");
  return { DATABASE_URL: url, SLUICE_SECRETS: key(), REFERENCE_KEY: key() };
}

export interface Service extends ServiceAddress {
  readonly pid: number;
  readonly port: number;
  /** Its configuration at the last start. */
  readonly variables: Variables;
  /** The service's whole output since its first start. */
  readonly logs: string;
  /** Stops it by SIGTERM and returns its exit status; the data stays. Throws if it does not exit in time. */
  stop(): Promise<number | string>;
  /** Kills its main process, or all its processes except the database's. The data stays. */
  kill9(whom?: "main" | "group"): Promise<void>;
  /** Restarts it on the same port and data, with variables changed. Stops it first if it still runs. */
  restart(changes?: Variables): Promise<void>;
  /** Stops it and removes its data. */
  dispose(): Promise<void>;
}

export interface ServiceOptions {
  /** If omitted, a folder is created and removed with the service. */
  readonly dataDir?: string;
  /** The service's configuration. By default, rate limits are too high to matter. */
  readonly env?: Variables;
  readonly database?: DatabaseVariables;
  /** The folder of its code; by default this project's. */
  readonly root?: string;
}

/** The specs' default changes of the configuration. */
export const SERVICE_DEFAULTS: Variables = {
  LOG_LEVEL: "info",
  RATE_LIMIT_PER_SECOND: "100000",
  RATE_LIMIT_BURST: "100000",
  WEBHOOK_ALLOW_LOOPBACK: "true",
  // Specs are the proxy in front of the service: they choose the address of a caller.
  TRUSTED_PROXIES: "127.0.0.1/32,::1/128",
};

/** A TCP port that is free at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("the system gave no free port");
  return address.port;
}

/** The file of a service's output. */
export function logFile(dataDir: string): string {
  return join(dataDir, "service.log");
}

function makeDataDir(): string {
  const dataDir = mkdtempSync(join(tmpdir(), "sluice-e2e-"));
  // The database may run as another user, who needs access through this folder to its own.
  chmodSync(dataDir, 0o711);
  return dataDir;
}

/** Without a listener, SIGTERM ends a process without its exit hooks, and the service would keep running. */
function exitOnTermination(): void {
  if (process.listenerCount("SIGTERM") === 0) process.once("SIGTERM", () => process.exit(143));
}

/** Starts a service and waits until it is ready. If it does not become ready, throws with its log. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const dataDir = options.dataDir ?? makeDataDir();
  const port = await freePort();
  const baseUrl = `http://localhost:${port}`;
  const log = logFile(dataDir);
  let variables: Variables = {
    ...SERVICE_DEFAULTS,
    PORT: String(port),
    DATA_DIR: dataDir,
    ...options.database,
    ...options.env,
  };
  let running: ServiceProcess;

  const removeOwnData = () => {
    if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
  };
  // A run that ends normally or by Ctrl-C leaves no process and no data, even if a spec forgot to dispose of them.
  const atExit = () => {
    running.signal("SIGKILL", "group");
    removeOwnData();
  };
  const start = async () => {
    running = spawnService(variables, log, options.root);
    await untilReady(running, baseUrl, log);
  };
  const stop = () => endInOrder(running);

  process.once("exit", atExit);
  exitOnTermination();
  running = spawnService(variables, log, options.root);
  await untilReady(running, baseUrl, log);

  return {
    baseUrl,
    dataDir,
    ...(options.database && { database: options.database }),
    port,
    get variables() {
      return variables;
    },
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
