// Traces over OTLP: an intent's way through all processes is one trace, which tells no secret and delays nothing.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PaymentIntentResource } from "@/server/contract/payment-intents";
import type { PayoutIntentResource } from "@/server/contract/payout-intents";
import { RECIPIENT } from "../rest/bodies";
import { type Bridge, openBridge } from "../rest/bridge";
import { cancelPayout, createPayment, createPayout, simulate, untilStatus } from "../rest/calls";
import { createEndpoint } from "../rest/webhook-calls";
import { openWorld } from "../rest/world";
import { expect, test } from "../support/fixtures";
import { type CollectedSpan, type Collector, startCollector } from "../support/otlp-collector";
import { type Receiver, startReceiver } from "../support/receiver";
import { startService } from "../support/service";

const HEADER_KEY = "key-of-the-collector";
/** Exports at once, so that specs do not wait. */
const SOON = { OTEL_BSP_SCHEDULE_DELAY: "100" };

/** For what hangs, not for what is slow. */
const poll = expect.configure({ timeout: 90_000 }).poll;

let bridge: Bridge;
let receiver: Receiver;
let collector: Collector;

test.describe.configure({ mode: "serial" });
test.beforeAll(async () => {
  test.setTimeout(300_000);
  collector = await startCollector();
  receiver = await startReceiver();
  bridge = await openBridge({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: `api-key=${HEADER_KEY}`,
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=specs",
      ...SOON,
    },
  });
});
test.afterAll(async () => {
  await bridge.close();
  await receiver.stop();
  await collector.stop();
});

/** The trace that an intent's id names: its UUID. */
function traceOf(id: string): CollectedSpan[] {
  const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
  let value = 0n;
  for (const character of id.split("_")[1] ?? "") value = value * 32n + BigInt(alphabet.indexOf(character));
  const traceId = value.toString(16).padStart(32, "0");
  return collector.spans.filter((span) => span.traceId === traceId);
}

const namesIn = (spans: readonly CollectedSpan[]) =>
  spans.map(({ name, resource }) => `${resource["sluice.process"]}: ${name}`);

/** Polls until the intent's trace has these spans, each named with its process; returns all of its spans. */
async function untilTraced(id: string, ...names: readonly string[]): Promise<CollectedSpan[]> {
  await poll(() => namesIn(traceOf(id))).toEqual(expect.arrayContaining([...names]));
  return traceOf(id);
}

function expectOneTree(spans: readonly CollectedSpan[], first: string): void {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  expect(ids.size).toBe(spans.length);
  expect(spans.filter(({ parentId }) => parentId === "").map(({ name }) => name)).toEqual([first]);
  expect(spans.filter(({ parentId }) => parentId !== "" && !ids.has(parentId))).toEqual([]);
  for (const { start, end } of spans) expect(end).toBeGreaterThanOrEqual(start);
}

test("a payout is one trace from its request over its provider to its delivery, across both processes", async () => {
  const { world, merchant } = bridge;
  const api = world.apiFor(merchant.keys.test);
  await createEndpoint(api, `${receiver.url}/hooks`);
  await world.cli(
    "wallets",
    "fund",
    "--merchant",
    merchant.id,
    "--environment",
    "test",
    "--currency",
    "BRL",
    "--amount",
    "100000",
  );
  const approve = await world.approver(merchant.id);
  const { id } = await createPayout(api);
  await approve(id);
  await untilStatus<PayoutIntentResource>(api, id, ["succeeded"]);

  const spans = await untilTraced(
    id,
    "web: POST /v1/payout_intents",
    "web: commit payout_intent.create",
    "worker: follow up payout_intent",
    "worker: provider create_payout",
    "worker: commit payout_intent.provider_settled",
    "worker: deliver payout_intent.succeeded",
  );
  expectOneTree(spans, "POST /v1/payout_intents");
  const find = (name: string) => spans.find((span) => span.name === name);
  expect(find("POST /v1/payout_intents")?.attributes).toMatchObject({
    "http.route": "/v1/payout_intents",
    "http.response.status_code": "201",
    "sluice.merchant_id": merchant.id,
    "sluice.environment": "test",
  });
  expect(find("commit payout_intent.create")?.attributes).toMatchObject({
    "sluice.intent_id": id,
    "sluice.verdict": "committed",
  });
  expect(find("deliver payout_intent.succeeded")?.attributes).toMatchObject({ "sluice.outcome": "accepted" });
  expect(find("provider create_payout")?.parentId).toBe(find("follow up payout_intent")?.spanId);
  expect(spans[0]?.resource).toMatchObject({ "service.name": "sluice", "deployment.environment.name": "specs" });
});

test("a payment is one trace, with the call to its provider within the request that made it", async () => {
  const { world, merchant, live, psp } = bridge;
  const api = world.apiFor(merchant.keys.test);
  const { id } = await createPayment(api);
  await simulate(api, id, "succeeded");
  const spans = await untilTraced(id, "web: POST /v1/sandbox/simulate", "worker: deliver payment_intent.succeeded");
  expectOneTree(spans, "POST /v1/payment_intents");
  const request = spans.find(({ name }) => name === "POST /v1/payment_intents");
  expect(spans.find(({ name }) => name === "provider create_payment")?.parentId).toBe(request?.spanId);

  const paid = await createPayment(live, { payment_method: "BR_BOLETO" });
  const page = paid.next_action?.type === "redirect_to_url" ? paid.next_action.url : "";
  await fetch(page, { method: "POST", redirect: "manual" });
  await untilStatus<PaymentIntentResource>(live, paid.id, ["succeeded"]);
  const throughProvider = await untilTraced(
    paid.id,
    "web: provider create_payment",
    "worker: commit payment_intent.provider_succeeded",
  );
  expectOneTree(throughProvider, "POST /v1/payment_intents");
  expect(throughProvider.map(({ attributes }) => attributes["sluice.provider"])).toContain(psp.name);
});

test("a request that changes an intent is in the intent's trace, and one that reads is a trace of its own", async () => {
  const { live } = bridge;
  const { id } = await createPayout(live);
  await cancelPayout(live, id, "a secret reason");
  const spans = await untilTraced(id, "web: POST /v1/payout_intents/:id/cancel", "web: commit payout_intent.cancel");
  expectOneTree(spans, "POST /v1/payout_intents");
  await live.get(`/payout_intents/${id}`);
  await poll(() => collector.spans.map(({ name }) => name)).toContain("GET /v1/payout_intents/:id");
  expect(traceOf(id).map(({ name }) => name)).not.toContain("GET /v1/payout_intents/:id");
});

test("a call that fails is an error in the trace, and the answer of a receiver too", async () => {
  const { world, merchant, live, psp } = bridge;
  await psp.misbehave({ mode: "drop", kind: "payments", operation: "create", times: 1 });
  const { id } = await createPayment(live);
  const [call] = (await untilTraced(id, "web: provider create_payment")).filter(({ name }) =>
    name.startsWith("provider"),
  );
  expect(call).toMatchObject({ isError: true, attributes: { "sluice.outcome": "unknown", "error.type": "unknown" } });
  await psp.behave();

  receiver.answer(500);
  const api = world.apiFor(merchant.keys.test);
  const payment = await createPayment(api);
  await simulate(api, payment.id, "succeeded");
  const spans = await untilTraced(payment.id, "worker: deliver payment_intent.succeeded");
  expect(spans.find(({ name }) => name.startsWith("deliver"))).toMatchObject({
    isError: true,
    attributes: { "sluice.outcome": "5xx", "http.response.status_code": "500" },
  });
  receiver.answer(200);
});

test("spans name neither secrets nor account numbers, bodies or addresses, and the log has no key of the collector", async () => {
  const { merchant, world } = bridge;
  const { live, test: testKey } = merchant.keys;
  const { secret } = await createEndpoint(world.apiFor(testKey), `${receiver.url}/path-with-a-token`);
  const told = collector.raw();
  expect(told).toContain("POST /v1/payout_intents");
  const hidden = [
    live.secretKey,
    testKey.secretKey,
    secret,
    RECIPIENT.account_number,
    RECIPIENT.holder_name,
    receiver.url,
    "a secret reason",
    "order-",
    "payout-",
  ];
  expect(hidden.filter((text) => told.includes(text))).toEqual([]);
  expect(world.service.logs).not.toContain(HEADER_KEY);
});

test("a request of the dashboard is traced in Next's own bundles too", async () => {
  const answer = await fetch(`${bridge.world.service.baseUrl}/api/trpc/payoutIntents.approve`, { method: "POST" });
  expect(answer.status).toBe(403);
  await poll(() => collector.spans.map(({ name }) => name)).toContain("POST /api/trpc");
  const span = collector.spans.find(({ name }) => name === "POST /api/trpc");
  expect(span?.attributes).toMatchObject({ "http.response.status_code": "403" });
});

test("probes are no traces", async () => {
  await fetch(`${bridge.world.service.baseUrl}/readyz`);
  await bridge.live.get("/wallets");
  await poll(() => collector.spans.map(({ name }) => name)).toContain("GET /v1/wallets");
  expect(collector.spans.filter(({ name }) => name.includes("readyz"))).toEqual([]);
});

for (const behavior of ["failing", "silent"] as const) {
  test(`a ${behavior} collector loses spans and nothing else, and the service ends in order`, async () => {
    const { world, live } = bridge;
    collector.behave(behavior);
    const [before, seen] = [collector.requests(), collector.spans.length];
    for (let n = 0; n < 5; n += 1) await createPayment(live);
    await poll(() => collector.requests()).toBeGreaterThan(before);
    await createPayment(live);
    expect(collector.spans).toHaveLength(seen);
    // Its exit status; a process that waited for the collector would be killed, and this would throw.
    expect(await world.service.stop()).toBe(0);
    collector.behave("well");
    await world.service.restart();
    await world.reconnect();
  });
}

test("without a collector's address, no process loads OpenTelemetry's SDK", async () => {
  const folder = mkdtempSync(join(tmpdir(), "sluice-loaded-"));
  const script = join(folder, "note.cjs");
  writeFileSync(
    script,
    `const { writeFileSync } = require("node:fs");
     process.on("exit", () => {
       const loaded = Object.keys(require("node:module")._cache).filter((path) => path.includes("node_modules"));
       writeFileSync(${JSON.stringify(folder)} + "/" + process.pid + ".json", JSON.stringify([process.argv[1], loaded]));
     });`,
  );
  const play = async (env: Readonly<Record<string, string>>) => {
    const world = await openWorld(await startService({ env: { ...env, NODE_OPTIONS: `--require ${script}` } }));
    const { keys } = await world.newMerchant();
    const api = world.apiFor(keys.test);
    await createPayment(api);
    await world.close();
    const notes = readdirSync(folder).filter((name) => name.endsWith(".json"));
    const ended = notes.map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as [string, string[]]);
    for (const name of notes) rmSync(join(folder, name));
    const loadedBy = (entry: string) =>
      ended.filter(([script]) => script.endsWith(entry)).flatMap(([, loaded]) => loaded);
    return ["server/start.mjs", "/worker.mjs"].map(loadedBy);
  };
  const isSdk = (path: string) => /@opentelemetry\/(?!api\/)/.test(path);
  try {
    const without = await play({});
    for (const loaded of without) {
      expect(loaded.some((path) => path.includes("/pg/"))).toBe(true);
      expect(loaded.filter(isSdk)).toEqual([]);
    }
    const withAddress = await play({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    for (const loaded of withAddress) expect(loaded.some(isSdk)).toBe(true);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
