// Runs the service like its operator: one process started by the production entry, stopped or killed as needed.
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

export const PROJECT_ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The first start after a change builds the pages. */
const READY_WITHIN_MS = 300_000;
const END_WITHIN_MS = 25_000;

/** Variables that configure a service; those of the user who runs the specs must not reach it. */
const OWN_VARIABLES =
  /^(HOST|PORT|ALLOW_INSECURE|DATA_DIR|BASE_URL|CELLS|DATABASE_\w+|REPORT_DATABASE_URL|SLUICE_\w+|PROVIDERS|PROVIDER_\w+|IDEMPOTENCY_\w+|OIDC_\w+|SCREENING_\w+|RATE_LIMIT_\w+|TRUSTED_PROXIES|WEBHOOK_\w+|WEB_CONCURRENCY|WORKER_CONCURRENCY|LOG_LEVEL|METRICS_TOKEN|OTEL_\w+|NODE_ENV|NODE_OPTIONS|NEXTAUTH_\w+|FORCE_COLOR)$/;

export type Variables = Readonly<Record<string, string>>;

/** The variables of this process, without any that configure the service, and with `more`. */
export function serviceVariables(more: Variables): NodeJS.ProcessEnv {
  const foreign = Object.entries(process.env).filter(([name]) => !OWN_VARIABLES.test(name));
  return { ...Object.fromEntries(foreign), NODE_ENV: "production", ...more };
}

export interface ServiceProcess {
  readonly pid: number;
  /** Resolves with the exit status, or the name of the signal that ended it. */
  readonly ended: Promise<number | string>;
  hasEnded(): boolean;
  /** Sends a signal to the main process, or to its whole process group. */
  signal(name: NodeJS.Signals, whom?: "main" | "group"): void;
}

function superviseChild(child: ChildProcess, pid: number): ServiceProcess {
  let hasEnded = false;
  const ended = new Promise<number | string>((resolve) => {
    child.once("exit", (code, signal) => {
      hasEnded = true;
      resolve(code ?? signal ?? "unknown");
    });
  });
  return {
    pid,
    ended,
    hasEnded: () => hasEnded,
    signal(name, whom = "main") {
      try {
        process.kill(whom === "group" ? -pid : pid, name);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
      }
    },
  };
}

/**
 * Starts the production entry of the code in the folder `root`; its output is appended to the file `log`. Does not wait
 * until it is ready.
 */
export function spawnService(variables: Variables, log: string, root = PROJECT_ROOT): ServiceProcess {
  const entry = join(root, "server/start.mjs");
  // Earlier releases started from their sources.
  const words = existsSync(entry) ? [entry] : ["--import", "tsx", join(root, "server/main.ts")];
  return spawnNode(words, variables, log, root);
}

/** Starts Node with these arguments in the folder `root`; its output is appended to the file `log`. */
export function spawnNode(
  words: readonly string[],
  variables: Variables,
  log: string,
  root = PROJECT_ROOT,
): ServiceProcess {
  const output = openSync(log, "a", 0o600);
  const child = spawn(process.execPath, words, {
    cwd: root,
    env: serviceVariables(variables),
    // A process group of its own, so that Ctrl-C reaches only the specs, which then stop the service.
    detached: true,
    stdio: ["ignore", output, output],
  });
  closeSync(output);
  if (child.pid === undefined) throw new Error("the service could not be started");
  return superviseChild(child, child.pid);
}

async function isReady(baseUrl: string): Promise<boolean> {
  try {
    const answer = await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(2_000) });
    return answer.status === 200;
  } catch {
    return false;
  }
}

/** Waits until the service is ready. If it exits instead or takes too long, throws with the end of its output. */
export async function untilReady(running: ServiceProcess, baseUrl: string, log: string): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  while (!(await isReady(baseUrl))) {
    const stderrTail = () => readFileSync(log, "utf8").slice(-4_000);
    if (running.hasEnded()) throw new Error(`the service ended instead of becoming ready:\n${stderrTail()}`);
    if (Date.now() > deadline)
      throw new Error(`the service is not ready after ${READY_WITHIN_MS} ms:\n${stderrTail()}`);
    await sleep(50);
  }
}

/** Stops the service by SIGTERM and returns its exit status. If it does not exit in time, kills it and throws. */
export async function endInOrder(running: ServiceProcess): Promise<number | string> {
  running.signal("SIGTERM");
  const timeout = new AbortController();
  const late = sleep(END_WITHIN_MS, "late" as const, { signal: timeout.signal }).catch(() => "late" as const);
  const first = await Promise.race([running.ended, late]);
  timeout.abort();
  if (running.hasEnded()) return first;
  running.signal("SIGKILL", "group");
  await running.ended;
  throw new Error(`the service did not end within ${END_WITHIN_MS} ms of SIGTERM`);
}
