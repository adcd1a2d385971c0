// `npm run dev`: the service for its developers. Next reloads pages and server code; tsx restarts the worker.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { makeClientIfStale, PROJECT_ROOT } from "@/server/build/build";
import { copyReferenceScript } from "@/server/build/reference-script";
import { childVariables, env } from "@/server/platform/env";
import { configureGateways } from "@/server/psp/registry";
import { configureRoutes } from "@/server/psp/routes";
import { startDatabase } from "./database";
import { demoHint, seedDemo } from "./demo";
import { Shutdown } from "./shutdown";
import { type Supervised, supervise } from "./supervise";

const READY_WITHIN_MS = 120_000;
const ASK_EVERY_MS = 200;

const shutdown = new Shutdown();

/** Starts a program of node_modules with this process's variables, and restarts it when it exits. */
function superviseProgram(role: string, program: string, words: readonly string[]): Supervised {
  return supervise(role, () =>
    spawn(process.execPath, [join(PROJECT_ROOT, "node_modules", program), ...words], {
      cwd: PROJECT_ROOT,
      env: childVariables({ NODE_ENV: "development", NEXT_TELEMETRY_DISABLED: "1" }),
      // Without a terminal, because tsx would restart the worker at each key press.
      stdio: ["ignore", "inherit", "inherit"],
    }),
  );
}

/** Resolves once the service answers at its origin. Throws after 120 s without an answer. */
async function untilReady(): Promise<void> {
  const giveUpAt = performance.now() + READY_WITHIN_MS;
  for (;;) {
    const response = await fetch(`http://localhost:${env().port}/readyz`).catch(() => null);
    if (response?.ok) return;
    if (performance.now() > giveUpAt) throw new Error(`no answer on port ${env().port} within ${READY_WITHIN_MS} ms`);
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
  }
}

async function start(): Promise<void> {
  configureGateways(env().providers);
  configureRoutes(env().routes);
  await makeClientIfStale();
  const { isEmbedded } = await startDatabase(shutdown);
  if (isEmbedded) await seedDemo();
  const { host, port } = env();
  const words = ["dev", "--hostname", host, "--port", String(port)];
  const web = superviseProgram("web process", "next/dist/bin/next", words);
  const worker = superviseProgram("worker", "tsx/dist/cli.mjs", ["watch", "server/worker/main.ts"]);
  shutdown.before(
    () => worker.stop(),
    () => web.stop(),
  );
  await untilReady();
  // Next empties its folder when it starts.
  copyReferenceScript(PROJECT_ROOT, ".next/dev");
  process.stdout.write(`ready on ${env().baseUrl}${demoHint()}\n`);
}

shutdown.endOnSignals();
await shutdown.run(start);
