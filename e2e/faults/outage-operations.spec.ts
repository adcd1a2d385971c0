// Every operation of the OpenAPI document, the probes, a dashboard page and a procedure while the database is away: each
// is answered in time.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type APIRequestContext, request } from "@playwright/test";
import { createMember, requestSession } from "../dashboard/members";
import { paymentBody, payoutBody, topupBody, unused } from "../rest/bodies";
import { bodyOf, createPayment, createPayout, createTopup } from "../rest/calls";
import { createEndpoint, deliveriesOf, endedPayment, PUBLIC_URL } from "../rest/webhook-calls";
import { openWorld, type World } from "../rest/world";
import { type Api, basicAuthorization } from "../support/api";
import { expect, test } from "../support/fixtures";
import { readKeptData } from "../support/kept-data";
import type { Merchant } from "../support/merchant";
import { type Service, startService } from "../support/service";
import { startBrowser } from "../support/start-browser";

/** The interface's bound for a 503. */
const BOUND_MS = 5_000;
/** The delay that a loaded machine adds between the service's answer and the caller's reading it. */
const MARGIN_MS = 1_500;
/** A request without an answer. */
const PATIENCE_MS = 30_000;

/** Has the database; it ends with it. */
let world: World;
/** Serves on the same database, as on an operator's own. */
let service: Service;
let merchant: Merchant;
let browser: APIRequestContext;
let ids: Readonly<Record<string, string>>;

test.describe.configure({ mode: "serial" });

test.beforeAll(async () => {
  test.setTimeout(360_000);
  world = await openWorld(await startService());
  service = await startService({ env: { ...readKeptData(world.service.dataDir) } });
  merchant = await world.newMerchant();
  ids = await makeObjects();
  const member = await createMember(world.service, merchant, "owner");
  browser = await request.newContext({ baseURL: service.baseUrl });
  expect((await requestSession(browser, member)).ok()).toBe(true);
});

test.afterAll(async () => {
  await browser.dispose();
  await service.dispose();
  await world.close();
});

/** An object for each path of the document that names one. */
async function makeObjects(): Promise<Readonly<Record<string, string>>> {
  const api = world.apiFor(merchant.keys.test);
  const endpoint = await createEndpoint(api, PUBLIC_URL);
  const event = await endedPayment(api);
  return {
    payment_intents: (await createPayment(api)).id,
    payout_intents: (await createPayout(api, { amount: "100" })).id,
    topup_intents: (await createTopup(api)).id,
    webhook_endpoints: endpoint.id,
    events: event.id,
    deliveries: (await deliveriesOf(api, event.id))[0]?.id ?? "",
    api_logs: await loggedCall(api),
  };
}

/** A call of the API log, which is written a moment after the answer. */
async function loggedCall(api: Api): Promise<string> {
  const newest = async () => bodyOf<{ data: readonly { id: string }[] }>(await api.get("/api_logs"), 200).data[0];
  await expect.poll(newest).toBeDefined();
  return (await newest())?.id ?? "";
}

/** A body for each operation that takes one. */
const BODIES: Readonly<Record<string, () => object>> = {
  createPaymentIntent: paymentBody,
  createPayoutIntent: () => payoutBody({ amount: "100" }),
  createTopupIntent: topupBody,
  cancelPayoutIntent: () => ({}),
  resendDelivery: () => ({}),
  createWebhookEndpoint: () => ({ url: `${PUBLIC_URL}/${unused("hook")}` }),
  updateWebhookEndpoint: () => ({ description: unused("hook") }),
  rotateWebhookSecret: () => ({}),
  testWebhookEndpoint: () => ({}),
  replayToWebhookEndpoint: () => ({ since: new Date().toISOString() }),
  simulate: () => ({ id: ids.payment_intents, outcome: "pending" }),
  advanceSandboxClock: () => ({ advance_seconds: 1 }),
};

/** Describes the API and reads nothing. */
const WITHOUT_DATABASE = ["listWebhookEvents"];

interface Call {
  readonly name: string;
  readonly status: number;
  readonly path: string;
  readonly init: RequestInit;
}

interface Document {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly operationId: string; readonly requestBody?: object }>>>
  >;
}

/** One call of every operation, as the document of the service lists them. */
async function operations(): Promise<readonly Call[]> {
  const { paths } = (await (await fetch(`${service.baseUrl}/openapi.json`)).json()) as Document;
  return Object.entries(paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, { operationId: name, requestBody }]) => {
      const body = BODIES[name]?.();
      if (requestBody && !body) throw new Error(`${name} has no body in this spec`);
      const path = template.replace("{id}", ids[template.split("/")[1] ?? ""] ?? "");
      const headers = {
        authorization: basicAuthorization(merchant.keys.test),
        "idempotency-key": unused("outage"),
        ...(body && { "content-type": "application/json" }),
      };
      const init = { method: method.toUpperCase(), headers, ...(body && { body: JSON.stringify(body) }) };
      return { name, path: `/v1${path}`, init, status: WITHOUT_DATABASE.includes(name) ? 200 : 503 };
    }),
  );
}

/** What else the service answers. */
async function otherCalls(): Promise<readonly Call[]> {
  const { cookies } = await browser.storageState();
  const init = { headers: { cookie: cookies.map(({ name, value }) => `${name}=${value}`).join("; ") } };
  const input = encodeURIComponent(JSON.stringify({ environment: "test" }));
  return [
    { name: "the liveness probe", path: "/healthz", init: {}, status: 200 },
    { name: "the readiness probe", path: "/readyz", init: {}, status: 503 },
    { name: "the document", path: "/openapi.json", init: {}, status: 200 },
    { name: "a procedure", path: `/api/trpc/paymentIntents.list?input=${input}`, init, status: 503 },
    { name: "a page", path: "/test/payments", init, status: 503 },
  ];
}

interface Outcome {
  readonly call: Call;
  readonly status: number;
  readonly text: string;
  readonly retryAfter: string | null;
  readonly ms: number;
}

async function send(call: Call): Promise<Outcome> {
  const startedAt = performance.now();
  const signal = AbortSignal.timeout(PATIENCE_MS);
  try {
    const answer = await fetch(`${service.baseUrl}${call.path}`, { ...call.init, redirect: "manual", signal });
    const text = await answer.text();
    const { status, headers } = answer;
    return { call, status, text, retryAfter: headers.get("retry-after"), ms: performance.now() - startedAt };
  } catch (error) {
    return { call, status: 0, text: String(error), retryAfter: null, ms: performance.now() - startedAt };
  }
}

/** Sends everything twice, the second time while the first waits. */
async function callEverything(): Promise<readonly Outcome[]> {
  const waves = await Promise.all([operations(), operations()]);
  const others = await otherCalls();
  return (
    await Promise.all(
      waves.map(async (wave, n) => {
        await sleep(n * 2_000);
        return Promise.all([...wave, ...others].map(send));
      }),
    )
  ).flat();
}

function expectInTime(outcomes: readonly Outcome[]): void {
  for (const { call, status, text, retryAfter } of outcomes) {
    expect(status, `${call.name}: ${text.slice(0, 200)}`).toBe(call.status);
    if (status !== 503) continue;
    if (!call.path.startsWith("/api/")) expect([call.name, retryAfter]).toEqual([call.name, "1"]);
    if (call.path.startsWith("/v1")) expect(text, call.name).toContain("service_unavailable");
  }
  const [slowest] = outcomes.toSorted((one, other) => other.ms - one.ms);
  expect(slowest?.ms, `the slowest is ${slowest?.call.name}`).toBeLessThan(BOUND_MS + MARGIN_MS);
}

/** The database's first process, which accepts connections. */
async function postmaster(): Promise<number> {
  const [row] = await world.database.query<{ folder: string }>("SELECT current_setting('data_directory') AS folder");
  return Number(readFileSync(join(row?.folder ?? "", "postmaster.pid"), "utf8").split("\n")[0]);
}

test("every operation is answered as the document says while the database answers", async () => {
  const outcomes = await Promise.all((await operations()).filter(({ init }) => init.method === "GET").map(send));
  for (const { call, status, text } of outcomes) expect(status, `${call.name}: ${text}`).toBe(200);
  for (const call of (await otherCalls()).filter(({ status }) => status === 503))
    expect((await send(call)).status, call.name).toBe(200);
});

test("while the database hangs, everything is answered within 5 s", async () => {
  const rows = await world.database.query<{ pid: number }>(
    "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'",
  );
  const hanging = [await postmaster(), ...rows.map(({ pid }) => pid)];
  for (const pid of hanging) process.kill(pid, "SIGSTOP");
  try {
    // The readiness probe's answer may be a second old.
    await expect.poll(async () => (await fetch(`${service.baseUrl}/readyz`)).status).toBe(503);
    const outcomes = await callEverything();
    expectInTime(outcomes);
  } finally {
    for (const pid of hanging) process.kill(pid, "SIGCONT");
  }
});

test("after an immediate stop of the database, everything is answered within 5 s", async () => {
  // Without the readiness probe, whose answer may be a second old.
  const wallets = (await operations()).filter(({ name }) => name === "listWallets");
  await expect.poll(async () => (await Promise.all(wallets.map(send))).map(({ status }) => status)).toEqual([200]);
  // As `pg_ctl stop -m immediate` does.
  process.kill(await postmaster(), "SIGQUIT");
  const outcomes = await callEverything();
  expectInTime(outcomes);
});

test("afterwards, a person reads that the page cannot be shown, in the language of the browser", async () => {
  const storageState = await browser.storageState();
  const launched = await startBrowser();
  for (const [locale, title, button] of [
    ["en-US", "This page cannot be shown right now", "Try again"],
    ["es-MX", "Esta página no se puede mostrar ahora", "Intentar de nuevo"],
  ] as const) {
    const page = await launched.newPage({ baseURL: service.baseUrl, locale, storageState });
    await page.goto("/test/payments");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
    await expect(page.getByRole("button")).toHaveText(button);
  }
  await launched.close();
});
