// `npm run floods`: how long a healthy client waits while strangers flood the service, one flood after the other. Fails if
// its 99th percentile reaches 500 ms.
import { spawn } from "node:child_process";
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { request as playwrightRequest } from "@playwright/test";
import { createMember, requestSession } from "../dashboard/members";
import { paymentBody } from "../rest/bodies";
import { basicAuthorization } from "../support/api";
import { type ApiKey, createMerchant } from "../support/merchant";
import { startService } from "../support/service";
import { FLOODS } from "./floods";

const LIMIT_MS = 500;
/** The healthy client's calls: one each 25 ms, half of them creations. */
const EVERY_MS = 25;
const CALLS = 320;
const GROWS_FOR_MS = 3_000;

interface Waited {
  /** Milliseconds from the moment at which each call was due, in ascending order. */
  readonly ms: readonly number[];
  readonly failed: number;
}

function call(port: number, key: ApiKey, agent: Agent, n: number): Promise<boolean> {
  const isCreation = n % 2 === 0;
  const headers = { authorization: basicAuthorization(key), "content-type": "application/json" };
  const path = isCreation ? "/v1/payment_intents" : "/v1/wallets";
  return new Promise((resolve) => {
    const options = { host: "127.0.0.1", port, agent, headers, path, method: isCreation ? "POST" : "GET" };
    const sent = request(options, (answer) => {
      answer.resume().once("end", () => resolve(answer.statusCode === (isCreation ? 201 : 200)));
    });
    sent.once("error", () => resolve(false));
    sent.end(isCreation ? JSON.stringify(paymentBody()) : undefined);
  });
}

/** Calls at a steady pace, whether or not earlier calls were answered. */
async function callSteadily(port: number, key: ApiKey): Promise<Waited> {
  const agent = new Agent({ keepAlive: true, maxSockets: 20 });
  const startedAt = performance.now();
  let failed = 0;
  const calls = Array.from({ length: CALLS }, async (_, n) => {
    const dueMs = n * EVERY_MS;
    await sleep(dueMs);
    if (!(await call(port, key, agent, n))) failed += 1;
    return performance.now() - startedAt - dueMs;
  });
  const ms = (await Promise.all(calls)).sort((a, b) => a - b);
  agent.destroy();
  return { ms, failed };
}

const percentile = ({ ms }: Waited, share: number): number => ms[Math.ceil(ms.length * share) - 1] ?? 0;

/** Plays a flood in a process of its own while `work` runs; returns the flood's counts too. */
async function during<Result>(name: string, port: number, cookie: string, work: () => Promise<Result>) {
  const flooder = spawn(process.execPath, ["--import", "tsx", "e2e/floods/flooder.ts", name, String(port), cookie], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let counts = "{}";
  flooder.stdout.setEncoding("utf8").on("data", (text: string) => {
    counts = text.trim().split("\n").at(-1) ?? counts;
  });
  await sleep(GROWS_FOR_MS);
  const result = await work();
  flooder.kill("SIGKILL");
  return { result, counts };
}

function show(name: string, waited: Waited, counts = ""): void {
  const ms = [0.5, 0.99, 1].map((share) => percentile(waited, share).toFixed(0).padStart(6));
  process.stdout.write(
    `flood: ${name.padEnd(26)} | p50 ${ms[0]} | p99 ${ms[1]} | max ${ms[2]} ms | ${waited.failed} failed | ${counts}\n`,
  );
}

// Callers have the addresses of their connections, and the limits are the defaults.
const env = { TRUSTED_PROXIES: "192.0.2.1/32", RATE_LIMIT_PER_SECOND: "100", RATE_LIMIT_BURST: "200" };
const service = await startService({ env });
let worst = 0;
let failures = 0;
try {
  const port = Number(new URL(service.baseUrl).port);
  const merchant = await createMerchant(service);
  const browser = await playwrightRequest.newContext({ baseURL: service.baseUrl });
  await requestSession(browser, await createMember(service, merchant, "finance"));
  const cookie = (await browser.storageState()).cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  const measure = () => callSteadily(port, merchant.keys.test);
  await measure();
  show("none", await measure());
  const wanted = process.argv.slice(2);
  for (const name of Object.keys(FLOODS).filter((one) => wanted.length === 0 || wanted.includes(one))) {
    const { result, counts } = await during(name, port, cookie, measure);
    show(name, result, counts);
    worst = Math.max(worst, percentile(result, 0.99));
    failures += result.failed;
    await sleep(2_000);
  }
} finally {
  await service.dispose();
}
process.stdout.write(`floods: the worst p99 is ${worst.toFixed(0)} ms of ${LIMIT_MS} ms, ${failures} calls failed\n`);
process.exit(worst < LIMIT_MS && failures === 0 ? 0 : 1);
