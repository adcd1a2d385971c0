// A web process is killed: every client has an answer or a closed connection at once, and new connections are answered.
import { Agent } from "node:http";
import { openWorld, type World } from "../rest/world";
import { expect, test } from "../support/fixtures";
import type { ApiKey } from "../support/merchant";
import { startService } from "../support/service";
import { type Raw, type WebProcesses, webProcessesOf } from "./web-processes";

let world: World;
let key: ApiKey;
let processes: WebProcesses;

test.describe.configure({ mode: "serial" });
test.beforeAll(async () => {
  test.setTimeout(360_000);
  world = await openWorld(await startService({ env: { WEB_CONCURRENCY: "2", WORKER_CONCURRENCY: "1" } }));
  key = (await world.newMerchant()).keys.test;
  processes = webProcessesOf(world);
});
test.afterAll(() => world.close());

const AT_ONCE = 16;

const readWallets = (agent?: Agent) => processes.send("GET", "/wallets", key, agent ? { agent } : {});
const many = <Result>(work: () => Promise<Result>) => Array.from({ length: AT_ONCE }, work);

/** Waits until both processes answer; returns their ids. */
async function bothProcesses(): Promise<readonly [number, number]> {
  let found: number[] = [];
  const ask = async () => {
    found = processes.answerersOf(await Promise.all(many(() => readWallets())));
    return found.length;
  };
  await expect.poll(ask, { timeout: 120_000 }).toBe(2);
  return found as unknown as readonly [number, number];
}

const statusesOf = (answers: readonly Raw[]) => [...new Set(answers.map(({ status }) => status))];

test("connections handed to a process that never took them are answered by the other", async () => {
  test.setTimeout(180_000);
  const [victim] = await bothProcesses();
  // A stopped process takes nothing that the main process hands it, as in the moment before it dies.
  process.kill(victim, "SIGSTOP");
  const waiting = many(() => readWallets());
  // All but the one that was handed to the stopped process.
  let answered = 0;
  for (const request of waiting) void request.then(() => (answered += 1)).catch(() => {});
  await expect.poll(() => answered).toBe(AT_ONCE - 1);
  process.kill(victim, "SIGKILL");
  expect(statusesOf(await Promise.all(waiting))).toEqual([200]);
});

test("requests in flight on kept connections are cut at once, and the same agent goes on", async () => {
  test.setTimeout(180_000);
  const [victim] = await bothProcesses();
  const agents = many(async () => new Agent({ keepAlive: true, maxSockets: 1 }));
  const kept = await Promise.all(agents);
  await Promise.all(kept.map((agent) => readWallets(agent)));
  process.kill(victim, "SIGSTOP");
  const inFlight = kept.map((agent) =>
    readWallets(agent).then(
      ({ status }) => status,
      () => "cut",
    ),
  );
  process.kill(victim, "SIGKILL");
  const outcomes = await Promise.all(inFlight);
  expect(new Set(outcomes)).toEqual(new Set([200, "cut"]));
  expect(statusesOf(await Promise.all(kept.map((agent) => readWallets(agent))))).toEqual([200]);
  for (const agent of kept) agent.destroy();
});

test("under load, every connection opened after the kill is answered by the other", async () => {
  test.setTimeout(180_000);
  const [victim] = await bothProcesses();
  const before = many(() =>
    readWallets().then(
      ({ status }) => status,
      () => "cut",
    ),
  );
  process.kill(victim, "SIGKILL");
  const after = many(() => readWallets());
  expect(statusesOf(await Promise.all(after))).toEqual([200]);
  for (const outcome of await Promise.all(before)) expect([200, "cut"]).toContain(outcome);
});
