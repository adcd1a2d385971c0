// `next start` on the database of the shared service: the API as a host without our own HTTP server answers it.
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { freePort, type ServiceAddress } from "./service";
import { PROJECT_ROOT, serviceVariables } from "./service-process";

const READY_WITHIN_MS = 120_000;

export interface NextService extends ServiceAddress {
  stop(): Promise<void>;
}

async function untilReady(child: ChildProcess, baseUrl: string): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  for (;;) {
    const isReady = await fetch(`${baseUrl}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    if (child.exitCode !== null) throw new Error(`next start ended with ${child.exitCode}`);
    if (Date.now() > deadline) throw new Error(`next start is not ready after ${READY_WITHIN_MS} ms`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Starts `next start` beside a running service with its database, keys and data folder; `env` is the service's own. */
export async function startNextBeside(
  { baseUrl, dataDir }: ServiceAddress,
  env: Readonly<Record<string, string>>,
): Promise<NextService> {
  const { url } = JSON.parse(readFileSync(join(dataDir, "postgres.json"), "utf8")) as { url: string };
  const port = await freePort();
  const child = spawn(process.execPath, ["node_modules/next/dist/bin/next", "start", "--port", String(port)], {
    cwd: PROJECT_ROOT,
    env: serviceVariables({
      ...env,
      NEXT_TELEMETRY_DISABLED: "1",
      DATABASE_URL: url,
      SLUICE_SECRETS: readFileSync(join(dataDir, "secrets"), "utf8").trim(),
      REFERENCE_KEY: readFileSync(join(dataDir, "reference-key"), "utf8").trim(),
      // Links in answers name the one origin of the service, whichever process answers.
      BASE_URL: baseUrl,
    }),
    stdio: "ignore",
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const killAtExit = () => child.kill("SIGKILL");
  process.once("exit", killAtExit);
  const address = `http://localhost:${port}`;
  await untilReady(child, address);
  return {
    baseUrl: address,
    dataDir,
    async stop() {
      process.off("exit", killAtExit);
      child.kill("SIGTERM");
      await ended;
    },
  };
}
