// Tests access control of the REST API: every operation of the route table × every kind of caller.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { insertApiLog } from "@/server/db/api-logs";
import { disconnect, query } from "@/server/db/client";
import { clearCaches, failStatement } from "@/server/db/testing/failing-statements";
import { NO_LIMITS } from "@/server/domain/api-key";
import { KEY_SCOPES, type KeyScope } from "@/server/domain/key-scopes";
import { now } from "@/server/platform/clock";
import { newId } from "@/server/platform/ids";
import { createApiKey } from "@/server/services/api-keys/create";
import { revokeApiKey } from "@/server/services/api-keys/revoke";
import { withoutIdempotency } from "@/server/services/idempotency/completion";
import { createPaymentIntent } from "@/server/services/payments/create";
import { createPayoutIntent } from "@/server/services/payouts/create";
import { resumeMerchant, suspendMerchant } from "@/server/services/suspension/suspend";
import { createTopupIntent } from "@/server/services/topups/create";
import { listDeliveries } from "@/server/services/webhooks/deliveries";
import { makeEndpoint, makeEvent } from "@/server/services/webhooks/testing/deliveries";
import { makeMerchant, payment, payout, type TestMerchant, topup } from "@/server/testing/merchant";
import { handleApiRequest } from "./handler";
import { OPERATIONS } from "./routes";

type Objects = Readonly<Record<"payment" | "payout" | "topup" | "event" | "endpoint" | "delivery" | "call", string>>;

interface Row {
  readonly body?: (objects: Objects) => object;
  readonly query?: string;
  /** What another merchant, or the other environment, gets for the object in the path or body. */
  readonly onForeign: "not_found" | "nothing_of_theirs";
  /** Refused while the operator has suspended the merchant. */
  readonly isCreation?: true;
  /** The status of an allowed call. */
  readonly reached?: number;
  /** The status in live, if it differs: no provider offers anything there, and an endpoint must be reachable. */
  readonly inLive?: number;
}

const CLOSED = "http://127.0.0.1:9/hooks";
process.env.WEBHOOK_ALLOW_LOOPBACK = "true";
process.env.RATE_LIMIT_BURST = "100000";

const LIST: Row = { onForeign: "nothing_of_theirs" };
const OBJECT: Row = { onForeign: "not_found" };

/** One row per operation. An operation without a row fails the test below. */
const MATRIX: Readonly<Record<string, Row>> = {
  createPaymentIntent: {
    onForeign: "nothing_of_theirs",
    isCreation: true,
    reached: 201,
    inLive: 400,
    body: () => ({
      amount: "1050",
      currency: "BRL",
      country: "BR",
      payment_method: "BR_PIX",
      merchant_reference: newId("request"),
    }),
  },
  listPaymentIntents: LIST,
  getPaymentIntent: OBJECT,
  createPayoutIntent: {
    onForeign: "nothing_of_theirs",
    isCreation: true,
    reached: 201,
    inLive: 400,
    body: () => ({
      amount: "25000",
      currency: "BRL",
      country: "BR",
      merchant_reference: newId("request"),
      recipient: { type: "bank_account", account_number: "0001-123456", bank_code: "001", holder_name: "Ana Souza" },
    }),
  },
  listPayoutIntents: LIST,
  getPayoutIntent: OBJECT,
  cancelPayoutIntent: { onForeign: "not_found", reached: 202, body: () => ({}) },
  createTopupIntent: {
    onForeign: "nothing_of_theirs",
    isCreation: true,
    reached: 201,
    inLive: 400,
    body: () => ({
      destination: { amount: "100000", currency: "BRL" },
      source: { type: "provider_gateway", currency: "USDT", network: "tron" },
      country: "BR",
      merchant_reference: newId("request"),
    }),
  },
  listTopupIntents: LIST,
  getTopupIntent: OBJECT,
  listWallets: LIST,
  listPaymentMethods: LIST,
  listEvents: LIST,
  getEvent: OBJECT,
  listEventDeliveries: OBJECT,
  resendDelivery: { onForeign: "not_found", reached: 202 },
  listWebhookEndpoints: LIST,
  getWebhookEndpoint: OBJECT,
  createWebhookEndpoint: {
    onForeign: "nothing_of_theirs",
    isCreation: true,
    reached: 201,
    inLive: 400,
    body: () => ({ url: CLOSED }),
  },
  updateWebhookEndpoint: { onForeign: "not_found", body: () => ({ description: "shop" }) },
  rotateWebhookSecret: OBJECT,
  testWebhookEndpoint: OBJECT,
  replayToWebhookEndpoint: { onForeign: "not_found", reached: 202, body: () => ({ since: now().toISOString() }) },
  deleteWebhookEndpoint: OBJECT,
  // Without the calls to foreign objects that this key has made itself, which were answered 404.
  listApiLogs: { ...LIST, query: "?status_class=2" },
  getApiLog: OBJECT,
  simulate: {
    onForeign: "not_found",
    body: ({ payment: id }) => ({ id, outcome: "failed" }),
  },
  getSandboxClock: { onForeign: "nothing_of_theirs", inLive: 404 },
  advanceSandboxClock: { onForeign: "nothing_of_theirs", inLive: 404, body: () => ({ advance_seconds: 1 }) },
};

/** Answered to anybody: it describes the API and contains nothing of a merchant. */
const PUBLIC = ["listWebhookEvents"];

/** The object that a path names. */
const NAMED: readonly (readonly [path: RegExp, kind: keyof Objects])[] = [
  [/^\/payment_intents\/:id/, "payment"],
  [/^\/payout_intents\/:id/, "payout"],
  [/^\/topup_intents\/:id/, "topup"],
  [/^\/events\/:id/, "event"],
  [/^\/webhook_endpoints\/:id/, "endpoint"],
  [/^\/deliveries\/:id/, "delivery"],
  [/^\/api_logs\/:id/, "call"],
];

interface Pair {
  readonly publicKey: string;
  readonly secretKey: string;
}

const OPERATION = new Map(OPERATIONS.map((operation) => [operation.id, operation]));
let [own, other]: TestMerchant[] = [];
let others: Objects | undefined;
const keys: Record<"full" | "live" | "otherFull" | "revoked" | "elsewhere", Pair> = {} as never;

beforeAll(async () => {
  [own, other] = [await makeMerchant(["BRL", "USDT"]), await makeMerchant(["BRL", "USDT"])];
  const { context, merchantId } = own;
  keys.full = await createApiKey(context, "full");
  keys.live = await createApiKey({ ...context, scope: { merchantId, environment: "live" } }, "live");
  keys.otherFull = await createApiKey(other.context, "other");
  const revoked = await createApiKey(context, "revoked");
  await revokeApiKey(context, revoked.id);
  keys.revoked = revoked;
  keys.elsewhere = await createApiKey(context, "elsewhere", { ...NO_LIMITS, networks: ["203.0.113.0/24"] });
  others = await makeObjects(other);
});
afterAll(disconnect);

/** New objects in the test environment, in place of the former ones' endpoint; the live environment has none. */
async function makeObjects(merchant: TestMerchant): Promise<Objects> {
  const { context, merchantId } = merchant;
  await query(
    "UPDATE webhook_endpoint SET deleted_at = now() WHERE merchant_id = $1 AND deleted_at IS NULL",
    merchantId,
  );
  const { endpoint } = await makeEndpoint(merchant, CLOSED);
  const event = await makeEvent(merchant);
  const { rows } = await listDeliveries(merchant.scope, { endpointId: endpoint.id }, null, 1);
  return {
    payment: (await createPaymentIntent(context, payment(), withoutIdempotency())).intent.id,
    payout: (await createPayoutIntent(context, payout(), withoutIdempotency())).intent.id,
    topup: (await createTopupIntent(context, topup(), withoutIdempotency())).intent.id,
    event,
    endpoint: endpoint.id,
    delivery: rows[0]?.id ?? "",
    call: await logCall(merchant),
  };
}

/** A call of the merchant in the API log. */
async function logCall({ scope }: TestMerchant): Promise<string> {
  const id = newId("request");
  const call = { method: "GET", route: "/wallets", path: "/v1/wallets", status: 200, durationUs: 1, address: "" };
  const bodies = { requestBody: null, responseBody: null, objectId: null };
  await insertApiLog([{ ...scope, id, apiKeyId: newId("apiKey"), ...call, ...bodies, createdAt: now() }]);
  return id;
}

interface Given {
  readonly pair?: Pair | null;
  readonly headers?: Readonly<Record<string, string>>;
}

function send(id: string, objects: Objects, { pair = null, headers = {} }: Given) {
  const operation = OPERATION.get(id);
  if (!operation) throw new Error(`no operation ${id}`);
  const kind = NAMED.find(([path]) => path.test(operation.path))?.[1];
  const body = MATRIX[id]?.body?.(objects);
  const search = MATRIX[id]?.query ?? "";
  const basic = pair && `Basic ${Buffer.from(`${pair.publicKey}:${pair.secretKey}`).toString("base64")}`;
  return handleApiRequest({
    method: operation.method,
    target: `/v1${operation.path.replace(":id", kind ? objects[kind] : "")}${search}`,
    headers: new Headers({
      ...(basic && { authorization: basic }),
      ...(body && { "content-type": "application/json" }),
      "idempotency-key": newId("request"),
      ...headers,
    }),
    peer: { address: "192.0.2.1", duplicateHeaders: [] },
    readBody: async () => new TextEncoder().encode(body ? JSON.stringify(body) : ""),
  });
}

function world() {
  if (!own || !other || !others) throw new Error("there are no merchants");
  return { mine: own, theirs: others };
}

async function keyWith(...scopes: KeyScope[]): Promise<Pair> {
  return createApiKey(world().mine.context, scopes.join(), { ...NO_LIMITS, scopes });
}

it("every operation of the route table has a row", () => {
  expect([...Object.keys(MATRIX), ...PUBLIC].sort()).toEqual([...OPERATION.keys()].sort());
});

describe.each(Object.entries(MATRIX))("%s", (id, { onForeign, reached = 200, inLive, isCreation }) => {
  const operation = OPERATION.get(id);
  const needed = operation && "keyScope" in operation ? operation.keyScope : "wallets:read";
  let mine: Objects;
  beforeEach(async () => {
    mine = await makeObjects(world().mine);
  });

  it("is refused without a valid key, always with the same answer", async () => {
    const unknown = { publicKey: `pk_test_${"0".repeat(24)}`, secretKey: `sk_test_${"0".repeat(43)}` };
    const callers: readonly Given[] = [
      {},
      { pair: unknown },
      { pair: { ...keys.full, secretKey: keys.otherFull.secretKey } },
      { pair: { ...keys.full, secretKey: keys.live.secretKey } },
      { pair: keys.revoked },
      { pair: keys.elsewhere },
      { headers: { cookie: "sluice.session=x", origin: "http://localhost" } },
      { headers: { authorization: `Bearer ${keys.full.secretKey}` } },
    ];
    const answers = await Promise.all(callers.map((given) => send(id, mine, given)));
    expect(answers.map(({ status }) => status)).toEqual(callers.map(() => 401));
    const texts = answers.map(({ body }) => body?.replace(/req_\w+/, ""));
    expect(new Set(texts).size).toBe(1);
  });

  it("needs its scope, and no other", async () => {
    const rest = KEY_SCOPES.filter((scope) => scope !== needed);
    expect(await send(id, mine, { pair: await keyWith(...rest) })).toMatchObject({ status: 403 });
    expect(await send(id, mine, { pair: await keyWith(needed) })).toMatchObject({ status: reached });
  });

  it("is answered to a key of the merchant, also for a page of another origin", async () => {
    const answer = await send(id, mine, { pair: keys.full, headers: { origin: "https://evil.example" } });
    expect(answer.status).toBe(reached);
    // No browser hands the answer to that page, or sends credentials from it.
    expect(Object.keys(answer.headers).filter((name) => name.toLowerCase().startsWith("access-control"))).toEqual([]);
  });

  it("is refused for a suspended merchant if it creates something", async () => {
    const { merchantId } = world().mine;
    await suspendMerchant(merchantId, "A test.");
    const answer = await send(id, mine, { pair: keys.full });
    await resumeMerchant(merchantId, "A test.");
    expect(answer.status).toBe(isCreation ? 403 : reached);
    expect(answer.body?.includes("merchant_suspended")).toBe(isCreation === true);
  });

  it("is answered with 503 or its usual status if any one of its statements fails, never with 500", async () => {
    const wrong: unknown[] = [];
    let unavailable = 0;
    for (let n = 0, isOver = false; !isOver; n += 1) {
      if (operation?.method !== "GET") mine = await makeObjects(world().mine);
      clearCaches();
      const failing = failStatement(n);
      const { status, headers } = await send(id, mine, { pair: keys.full });
      failing.restore();
      isOver = !failing.wasSent();
      const isUnavailable = status === 503 && headers["retry-after"] === "1";
      if (isUnavailable) unavailable += 1;
      else if (status !== reached) wrong.push({ n, code: failing.code, status });
    }
    expect(wrong).toEqual([]);
    expect(unavailable).toBeGreaterThan(0);
  });

  it("reveals and changes nothing of another merchant or of the other environment", async () => {
    const { theirs } = world();
    for (const [pair, objects, hasSandbox] of [
      [keys.full, theirs, true],
      [keys.live, theirs, false],
      [keys.live, mine, false],
    ] as const) {
      const answer = await send(id, objects, { pair });
      expect(Object.values(objects).filter((one) => answer.body?.includes(one))).toEqual([]);
      const there = onForeign === "not_found" ? 404 : reached;
      expect([id, answer.status]).toEqual([id, hasSandbox ? there : (inLive ?? there)]);
    }
  });
});
