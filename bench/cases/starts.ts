// Start times: `npm start` on existing data, and a web process beside a running database.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { freePort } from "@/e2e/support/service";
import { PROJECT_ROOT, serviceVariables } from "@/e2e/support/service-process";
import { median } from "@/e2e/support/statistics";
import type { Bench, Section } from "../bench";
import { WARM_START, WEB_START } from "../names";
import { cpuSecondsOf } from "../proc";

const TIMES = 3;

/** Seconds from `npm start` on a data folder to its "ready"; the service is stopped afterwards. */
async function secondsOfStart(dataDir: string): Promise<number> {
  const port = String(await freePort());
  const from = performance.now();
  const child = spawn("npm", ["start"], {
    cwd: PROJECT_ROOT,
    env: serviceVariables({ PORT: port, DATA_DIR: dataDir }),
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = once(child, "exit");
  let seconds = Number.NaN;
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith("ready on ")) continue;
    seconds = (performance.now() - from) / 1_000;
    child.kill("SIGTERM");
  }
  await ended;
  if (Number.isNaN(seconds)) throw new Error("npm start ended without being ready");
  return seconds;
}

async function measureStarts({ stage, note }: Bench): Promise<void> {
  const web: number[] = [];
  let cpu: number | null = null;
  for (let n = 0; n < TIMES; n += 1) {
    const from = performance.now();
    const beside = await stage.startBeside({});
    web.push((performance.now() - from) / 1_000);
    cpu = cpuSecondsOf(beside.pid);
    await beside.dispose();
  }
  const used = cpu === null ? "" : `, the last with ${cpu.toFixed(1)} s of CPU`;
  note({ name: WEB_START, value: median(web), unit: "s", note: `median of ${TIMES}${used}` });
  await stage.service.stop();
  const warm: number[] = [];
  for (let n = 0; n < TIMES; n += 1) warm.push(await secondsOfStart(stage.service.dataDir));
  note({ name: WARM_START, value: median(warm), unit: "s", note: `median of ${TIMES}, with the embedded database` });
  await stage.reopen();
}

/** Stops and starts the service; it is running again for the next section. */
export const startSection: Section = { name: "start", run: measureStarts };
