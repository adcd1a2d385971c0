// What an operator's Prometheus sees: the numbers of what was done, and alerts for what is broken.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { PaymentIntentResource } from "@/server/contract/payment-intents";
import { paymentBody } from "../rest/bodies";
import { type Bridge, openBridge } from "../rest/bridge";
import { createPayment, untilStatus } from "../rest/calls";
import { createEndpoint, endedPayment } from "../rest/webhook-calls";
import { expect, test } from "../support/fixtures";
import {
  alertExpressions,
  dashboardExpressions,
  hasPrometheus,
  metricNames,
  type Prometheus,
  promtool,
  recordedExpressions,
  startPrometheus,
} from "../support/prometheus";
import { type Receiver, startReceiver } from "../support/receiver";
import { PROJECT_ROOT } from "../support/service-process";
import { signalWorkers, workersOf } from "../support/worker-processes";
import { webProcessesOf } from "./web-processes";

const TOKEN = "0123456789abcdef0123456789abcdef";
const PAID = 4;
const CREATED_IN_TEST = 12;
/** However two web processes share these, one gets the five faults that open its breaker. */
const UNANSWERED = 9;
const NEEDS = "(skipped: needs prometheus)";

let bridge: Bridge;
let receiver: Receiver;
let prometheus: Prometheus | null = null;

/** Several scrapes; for what hangs, not for what is slow. */
const poll = expect.configure({ timeout: 100_000 }).poll;

/** What fires at the moment. Alerts of budgets are left out: for hours, they remember what the others report. */
async function firingNow(): Promise<ReadonlySet<string>> {
  return new Set([...(await running().firing())].filter((name) => !name.startsWith("SluiceBudgetBurns")));
}

test.describe.configure({ mode: "serial", timeout: 300_000 });
test.beforeAll(async () => {
  test.setTimeout(360_000);
  bridge = await openBridge({ env: { METRICS_TOKEN: TOKEN, WEB_CONCURRENCY: "2", WORKER_CONCURRENCY: "2" } });
  receiver = await startReceiver();
});
test.afterAll(async () => {
  await prometheus?.stop();
  await receiver.stop();
  await bridge.close();
});

async function scrape(): Promise<string> {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const answer = await fetch(`${bridge.world.service.baseUrl}/metrics`, { headers });
  expect(answer.status).toBe(200);
  return answer.text();
}

function running(): Prometheus {
  test.skip(!hasPrometheus(), "needs prometheus");
  if (!prometheus) throw new Error("Prometheus was not started");
  return prometheus;
}

/** The sum over all series of the expression. */
async function total(expression: string): Promise<number> {
  const samples = await running().query(expression);
  return samples.reduce((sum, { value }) => sum + value, 0);
}

const readDocument = (path: string) => readFileSync(join(PROJECT_ROOT, path), "utf8");

test("a scrape names every metric that rules, dashboard and documents use, and each of ours is documented", async () => {
  const exposed = new Set([...(await scrape()).matchAll(/^# TYPE (\S+) /gm)].map(([, name = ""]) => name));
  const rules = [...alertExpressions().values(), ...recordedExpressions()];
  const used = [...rules, ...dashboardExpressions().map(({ expression }) => expression)];
  const documented = metricNames(readDocument("docs/monitoring.md"));
  const named = new Set([...used.flatMap((expression) => [...metricNames(expression)]), ...documented]);
  expect(named.size).toBeGreaterThan(30);
  expect([...named].filter((name) => !exposed.has(name))).toEqual([]);
  const own = [...exposed].filter((name) => name.startsWith("sluice_"));
  expect(own.filter((name) => !documented.has(name))).toEqual([]);
});

test("each alert has its paragraph, and each paragraph its alert", () => {
  const [, alerts = ""] = readDocument("docs/monitoring.md").split("## Alerts");
  const headings = [...alerts.matchAll(/^### (\w+)$/gm)].map(([, name]) => name);
  expect(headings).toEqual([...alertExpressions().keys()]);
  expect(headings.length).toBeGreaterThan(10);
});

test(`promtool finds no fault in rules, their tests, the configuration and a scrape ${NEEDS}`, async () => {
  test.skip(!hasPrometheus(), "needs prometheus");
  for (const name of ["alerts", "slo"]) {
    expect(promtool(["check", "rules", "--lint=all", "--lint-fatal", `${name}.yml`])).toContain("SUCCESS");
    expect(promtool(["test", "rules", `${name}.test.yml`])).toContain("SUCCESS");
  }
  expect(promtool(["check", "config", "--syntax-only", "prometheus.yml"])).toContain("SUCCESS");
  expect(promtool(["check", "metrics"], await scrape())).toBe("");
});

test(`a real Prometheus scrapes the service with its token, and shows what was done in all processes ${NEEDS}`, async () => {
  test.skip(!hasPrometheus(), "needs prometheus");
  const { world, merchant, live } = bridge;
  const api = world.apiFor(merchant.keys.test);
  await createEndpoint(api, `${receiver.url}/hooks`);
  prometheus = await startPrometheus(new URL(world.service.baseUrl).host.replace("localhost", "127.0.0.1"), TOKEN);
  await poll(() => total('up{job="sluice"}')).toBe(1);

  const processes = webProcessesOf(world);
  const answers = [];
  for (let n = 0; n < CREATED_IN_TEST; n += 1)
    answers.push(await processes.send("POST", "/payment_intents", merchant.keys.test, { body: paymentBody() }));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
  for (let n = 0; n < PAID; n += 1) {
    await endedPayment(api);
    const { id, next_action } = await createPayment(live, { payment_method: "BR_BOLETO" });
    await fetch(next_action?.type === "redirect_to_url" ? next_action.url : "", { method: "POST", redirect: "manual" });
    await untilStatus<PaymentIntentResource>(live, id, ["succeeded"]);
  }

  const created = 'sluice_http_requests_total{method="POST",route="/v1/payment_intents",status="201"}';
  await poll(() => total(created)).toBe(CREATED_IN_TEST + 2 * PAID);
  expect((await running().query(created)).map(({ labels }) => labels.process ?? "").sort()).toEqual(["web-1", "web-2"]);
  await poll(() => total('sluice_intents_total{kind="payment_intent",environment="live",status="succeeded"}')).toBe(
    PAID,
  );
  const calls = 'sluice_provider_calls_total{provider="fakepsp",call="create_payment",outcome="requires_action"}';
  await poll(() => total(calls)).toBe(PAID);
  await poll(() => total('sluice_callbacks_total{provider="fakepsp",result="applied"}')).toBe(PAID);
  await poll(() => total('sluice_webhook_attempts_total{result="accepted"}')).toBe(PAID);
  expect(receiver.received).toHaveLength(PAID);

  const [row] = await world.database.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM payment_intent WHERE status IN ('processing', 'requires_action')",
  );
  await poll(() => total('sluice_open_intents{kind="payment_intent"}')).toBe(row?.count);
  await poll(() => total("sluice_process_up")).toBe(5);
  await poll(() => total("sluice_audit_unlinked_entries")).toBe(0);
});

test(`nothing fires while all is well ${NEEDS}`, async () => {
  await poll(firingNow).toEqual(new Set());
});

test(`workers that stand still are reported, and so is the work that waits for them ${NEEDS}`, async () => {
  running();
  const { world, live } = bridge;
  const { id } = await createPayment(live, { payment_method: "BR_BOLETO" });
  signalWorkers(world.service, "SIGSTOP");
  try {
    await world.database.query("UPDATE payment_intent SET due_at = now() - interval '90 seconds' WHERE id = $1", id);
    await poll(firingNow).toEqual(new Set(["SluiceProcessDown", "SluiceWorkOverdue"]));
    const down = await running().query("sluice_process_up == 0");
    expect(down.map(({ labels }) => labels.process ?? "").sort()).toEqual(["worker-1", "worker-2"]);
    expect(await total('max by (work) (sluice_overdue_seconds{work="payment_intent"})')).toBeGreaterThanOrEqual(90);
  } finally {
    signalWorkers(world.service, "SIGCONT");
  }
  await poll(firingNow).toEqual(new Set());
});

test(`a worker that was killed counts as one restart, and its counters begin again without a jump ${NEEDS}`, async () => {
  running();
  const rounds = 'sum(increase(sluice_worker_rounds_total{loop="callbacks"}[1m]))';
  const before = await total(rounds);
  const [victim] = workersOf(bridge.world.service);
  if (victim !== undefined) process.kill(victim, "SIGKILL");
  await poll(() => total("sluice_process_restarts_total")).toBe(1);
  await poll(() => total("sluice_process_up")).toBe(5);
  // Each of two workers makes five rounds a second at most; counting all former ones again would be far more.
  expect(await total(rounds)).toBeLessThan(before + 600);
});

test(`a dead provider is reported by name ${NEEDS}`, async () => {
  running();
  await bridge.psp.kill9();
  for (let n = 0; n < UNANSWERED; n += 1) await createPayment(bridge.live);
  await poll(async () => [...(await running().firing())]).toContain("SluiceProviderUnreachable");
  const [alert] = await running().query(alertExpressions().get("SluiceProviderUnreachable") ?? "");
  expect(alert?.labels.provider).toBe("fakepsp");
  // The breaker allows a trial call after 15 seconds, which may be over by now: what counts is that it was open.
  const opened = 'max_over_time(sluice_provider_breaker_open{provider="fakepsp"}[10m])';
  await poll(() => total(opened)).toBeGreaterThan(0);
  await bridge.psp.restart();
});

/** Panels without a sample as long as nothing of their kind has happened. */
const EMPTY = ["Failures by code", "Failed rounds of loops", "Open exceptions", "Open breakers"];

test(`each expression of rules and dashboard executes; each panel but those of faults shows something ${NEEDS}`, async () => {
  running();
  for (const expression of [...alertExpressions().values(), ...recordedExpressions()])
    await running().query(expression);
  const empty: string[] = [];
  for (const { title, expression } of dashboardExpressions())
    if ((await running().query(expression)).length === 0) empty.push(title);
  expect(empty.filter((title) => !EMPTY.includes(title))).toEqual([]);
});
