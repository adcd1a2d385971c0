// The configuration: the only reader of process.env, fully validated before anything starts.
import type { BlockList } from "node:net";
import { addressesOf, type Cell, type Cells, cellsSetting, namedCells } from "./cells-setting";
import type { OpenIdSetting } from "./openid-setting";
import type { TracingSetting } from "./tracing/setting";
import { transportFaults } from "./transport";
import { VariableReader, type Variables } from "./variable-reader";

const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface Env {
  /** Address that the service listens on. */
  readonly host: string;
  /** TCP port of the service; 0 asks the system for a free one. */
  readonly port: number;
  /** Null until an operator names one or `provideRuntime` supplies the embedded one. */
  readonly databaseUrl: string | null;
  /** Address of Postgres without a pooler, for migrations; null if `databaseUrl` serves. */
  readonly databaseDirectUrl: string | null;
  /** Address of a streaming replica, which reports read; null if they read the database itself. */
  readonly reportDatabaseUrl: string | null;
  /** The databases with merchants: that of `databaseUrl`, and further ones. */
  readonly cells: Cells;
  /** Those whose work this service's workers do: all, unless WORKER_CELLS names some. */
  readonly workerCells: readonly Cell[];
  /** unnamed: for a pooler that does not pass named statements on. */
  readonly databaseStatements: "named" | "unnamed";
  /** Web processes; with one, the service's main process answers requests itself. */
  readonly webConcurrency: number;
  readonly workerConcurrency: number;
  /** Maximum connections per process. */
  readonly databasePoolSize: number;
  /** Folder of the embedded default's data, as given (relative to the working directory). */
  readonly dataDir: string;
  /** Origin of the service, without a trailing slash. */
  readonly baseUrl: string;
  /** False if `baseUrl` is the default, at which nobody else reaches the service. */
  readonly isBaseUrlSet: boolean;
  /** Null if mail is not sent. */
  readonly smtpUrl: string | null;
  /** The sender of mail; not null if `smtpUrl` is set. */
  readonly mailFrom: string | null;
  /** Null if members sign in with Sluice only. */
  readonly openId: OpenIdSetting | null;
  /** The operator's screener of payouts; null without one. */
  readonly screener: { readonly url: string; readonly secret: string } | null;
  /** Networks of the proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: BlockList;
  /** Secrets of 32 bytes, newest first; empty only before the embedded default has created its own. */
  readonly secrets: readonly Buffer[];
  /** Secrets of digests in records, newest first; empty if those of `secrets` apply. */
  readonly recordSecrets: readonly Buffer[];
  /** Key of derived dispatch references, 32 bytes; it never changes. Null if the operator sets none. */
  readonly referenceKey: Buffer | null;
  /** off: nothing new is sent to providers; polls of sent intents continue. */
  readonly dispatch: "on" | "off";
  readonly providerDeadlineMs: number;
  readonly idempotencyLeaseSeconds: number;
  readonly rateLimitPerSecond: number;
  readonly rateLimitBurst: number;
  readonly webhookAllowLoopback: boolean;
  /** Retention of the API log, in days; 0 stores none. */
  readonly apiLogDays: number;
  /** Retention of ended sessions, in days. */
  readonly sessionDays: number;
  /** Retention of notices, in days; they are shown for 7. */
  readonly noticeDays: number;
  readonly logLevel: LogLevel;
  /** What a scraper of /metrics proves itself by; null if nothing is measured. */
  readonly metricsToken: string | null;
  /** Null if no spans are exported. */
  readonly tracing: TracingSetting | null;
  /** Path of a JSON file, or JSON itself, with the external providers; parsed by the provider registry. */
  readonly providers: string | null;
  /** The same for routes. */
  readonly routes: string | null;
}

/** Lists every fault of the configuration; never contains a value, which may be a secret. */
export class ConfigurationError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(
      `The configuration has ${faults.length === 1 ? "a fault" : `${faults.length} faults`}:\n${faults.map((fault) => `  - ${fault}`).join("\n")}`,
    );
    this.name = "ConfigurationError";
    this.faults = faults;
  }
}

/** A worker's claim outlasts all its calls; a longer deadline would delay a dead worker's intents too long. */
export const LONGEST_PROVIDER_DEADLINE_MS = 20_000;

function isOrigin(url: URL): boolean {
  const bare = url.pathname === "/" && url.search === "" && url.hash === "" && url.username === "";
  return (url.protocol === "http:" || url.protocol === "https:") && bare;
}

/**
 * Builds the configuration from a set of variables; reads nothing else but the files of secrets that they name. Throws
 * ConfigurationError with every fault, each with its variable and the expected value.
 */
export function loadEnv(source: Variables): Env {
  const read = new VariableReader(source);
  const port = read.integer("PORT", 3000, 0, 65_535);
  const isPostgres = (url: URL) => url.protocol === "postgres:" || url.protocol === "postgresql:";
  const postgres = (name: string) =>
    read.url(name, isPostgres, "a Postgres address such as postgres://user:password@host:5432/sluice");
  const databaseUrl = postgres("DATABASE_URL");
  const databaseDirectUrl = postgres("DATABASE_DIRECT_URL");
  const reportDatabaseUrl = postgres("REPORT_DATABASE_URL");
  const databases = {
    DATABASE_URL: databaseUrl,
    DATABASE_DIRECT_URL: databaseDirectUrl,
    REPORT_DATABASE_URL: reportDatabaseUrl,
  };
  for (const [name, address] of Object.entries(databases))
    if (databaseUrl === null && address !== null) read.faults.push(`${name} is set without DATABASE_URL: set both`);
  const { cells, faults } = cellsSetting({ databaseUrl, databaseDirectUrl, reportDatabaseUrl }, read.text("CELLS"));
  const worked = namedCells("WORKER_CELLS", read.text("WORKER_CELLS"), cells);
  read.faults.push(...faults, ...worked.faults);
  const baseUrl = read.url("BASE_URL", isOrigin, "an origin such as https://pay.example.com, without path or query");
  const isSmtp = (url: URL) => url.protocol === "smtp:" || url.protocol === "smtps:";
  const smtpUrl = read.url("SMTP_URL", isSmtp, "an SMTP address such as smtps://user:password@mail.example.com");
  if (smtpUrl !== null && read.text("MAIL_FROM") === null)
    read.faults.push("MAIL_FROM is missing: it is required with SMTP_URL; set the sender, such as pay@example.com");
  const openId = read.openId();
  const screener = read.screener();
  const others = { OIDC_ISSUER: openId?.issuer ?? null, SCREENING_URL: screener?.url ?? null };
  const allowInsecure = read.flag("ALLOW_INSECURE");
  if (!allowInsecure)
    read.faults.push(
      ...transportFaults({
        baseUrl,
        others,
        databases: { ...databases, ...addressesOf(cells) },
        databaseHost: read.text("PGHOST"),
      }),
    );
  const secrets = read.secretsOrFile("SLUICE_SECRETS");
  const isGiven = read.text("SLUICE_SECRETS") !== null || read.text("SLUICE_SECRETS_FILE") !== null;
  if (databaseUrl !== null && !isGiven) {
    read.faults.push(
      "SLUICE_SECRETS is missing: it, or SLUICE_SECRETS_FILE, is required with DATABASE_URL; set one or more secrets of 32 bytes in base64, newest first, separated by commas (openssl rand -base64 32)",
    );
  }
  const env: Env = {
    host: read.address("HOST", "127.0.0.1"),
    port,
    databaseUrl,
    databaseDirectUrl,
    reportDatabaseUrl,
    cells,
    workerCells: worked.cells,
    databaseStatements: read.choice("DATABASE_STATEMENTS", "named", ["named", "unnamed"]),
    webConcurrency: read.integer("WEB_CONCURRENCY", 1, 1, 64),
    workerConcurrency: read.integer("WORKER_CONCURRENCY", 1, 0, 64),
    databasePoolSize: read.integer("DATABASE_POOL_SIZE", 10, 1, 1_000),
    dataDir: read.text("DATA_DIR") ?? ".data",
    baseUrl: (baseUrl ?? `http://localhost:${port}`).replace(/\/$/, ""),
    isBaseUrlSet: baseUrl !== null,
    openId,
    screener,
    trustedProxies: read.networks("TRUSTED_PROXIES"),
    smtpUrl,
    mailFrom: read.text("MAIL_FROM"),
    secrets,
    recordSecrets: read.secretsOrFile("SLUICE_RECORD_SECRETS"),
    referenceKey: read.key("REFERENCE_KEY"),
    dispatch: read.choice("DISPATCH", "on", ["on", "off"]),
    providerDeadlineMs: read.integer("PROVIDER_DEADLINE_MS", 2_500, 1, LONGEST_PROVIDER_DEADLINE_MS),
    idempotencyLeaseSeconds: read.integer("IDEMPOTENCY_LEASE_SECONDS", 60, 1, 86_400),
    rateLimitPerSecond: read.integer("RATE_LIMIT_PER_SECOND", 100, 1, 1_000_000),
    rateLimitBurst: read.integer("RATE_LIMIT_BURST", 200, 1, 1_000_000),
    webhookAllowLoopback: read.flag("WEBHOOK_ALLOW_LOOPBACK"),
    apiLogDays: read.integer("API_LOG_DAYS", 7, 0, 365),
    sessionDays: read.integer("SESSION_DAYS", 30, 1, 3_650),
    noticeDays: read.integer("NOTICE_DAYS", 90, 7, 3_650),
    logLevel: read.choice("LOG_LEVEL", "info", LOG_LEVELS),
    metricsToken: read.token("METRICS_TOKEN"),
    tracing: read.tracing(allowInsecure),
    providers: read.text("PROVIDERS"),
    routes: read.text("ROUTES"),
  };
  if (read.faults.length > 0) throw new ConfigurationError(read.faults);
  return env;
}

/** Next's bundles and the custom server are separate module graphs; they share state through globalThis. */
const shared = globalThis as typeof globalThis & { sluiceEnv?: Env };

/** Returns the process's configuration, read once. Throws ConfigurationError. */
export function env(): Env {
  shared.sluiceEnv ??= loadEnv(process.env);
  return shared.sluiceEnv;
}

/** Returns a variable that another setting names, such as the secret of a provider; null if it is not set. */
export function readVariable(name: string): string | null {
  return process.env[name]?.trim() || null;
}

export interface Runtime {
  readonly databaseUrl: string;
  /** Absolute path of the embedded default's secrets; omitted if the operator's apply. */
  readonly secretsFile?: string;
  /** Omitted if REFERENCE_KEY is set. */
  readonly referenceKey?: Buffer;
  /** Omitted if BASE_URL, or its default with PORT, applies. */
  readonly baseUrl?: string;
}

/** Returns the variables of a child process: this process's and `more`. */
export function childVariables(more: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...process.env, ...more };
}

/** Variables that a build needs from the machine. None of them configures the service. */
const BUILD_VARIABLE =
  /^(?:PATH|HOME|USER|SHELL|TMPDIR|TMP|TEMP|TZ|LANG|LC_\w+|TERM|CI|NO_COLOR|FORCE_COLOR|NODE_OPTIONS)$/;

/** Returns the variables of a build: those of the machine and `more`, without secrets. */
export function buildVariables(more: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const ofMachine = Object.entries(process.env).filter(([name]) => BUILD_VARIABLE.test(name));
  return { ...(Object.fromEntries(ofMachine) as NodeJS.ProcessEnv), ...more };
}

/** Tells next-auth the origin of the service, which it reads from a variable. */
export function tellNextAuth(): void {
  process.env.NEXTAUTH_URL = env().baseUrl;
}

/** For commands, whose output is a document: logs only warnings and errors unless LOG_LEVEL is set. */
export function logWarningsOnly(): void {
  process.env.LOG_LEVEL ??= "warn";
}

/** Returns true under `npm run dev`, where React and Next evaluate reloaded code. */
export function isDevelopment(): boolean {
  return process.env.NODE_ENV === "development";
}

/** Sets the variable that selects Next's build of React; call it before importing Next. */
export function declareProduction(): void {
  Object.assign(process.env, { NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" });
}

/** Adds settings that are known only after the start, for this process, its children and Next's module graph. */
export function provideRuntime(runtime: Runtime): Env {
  process.env.DATABASE_URL = runtime.databaseUrl;
  if (runtime.secretsFile !== undefined) {
    process.env.SLUICE_SECRETS_FILE = runtime.secretsFile;
    delete process.env.SLUICE_SECRETS;
  }
  if (runtime.referenceKey) process.env.REFERENCE_KEY = runtime.referenceKey.toString("base64");
  if (runtime.baseUrl !== undefined) process.env.BASE_URL = runtime.baseUrl;
  delete shared.sluiceEnv;
  return env();
}
