// A sequence: 3 to 12 requests, each made from the answers to those before it.
import { basicAuthorization } from "../../support/api";
import type { Merchant } from "../../support/merchant";
import { type Hints, type Operation, validValue } from "./operations";
import { type OddValues, type Random, randomOf } from "./random";

export interface FuzzRequest {
  readonly operation: Operation;
  readonly method: string;
  /** Below `/v1`, with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** What sequences are made of. */
export interface Material {
  readonly seed: number;
  readonly operations: ReadonlyMap<string, Operation>;
  readonly merchants: readonly Merchant[];
  /** Ids of another merchant, which no request may reach. */
  readonly foreignIds: readonly string[];
  readonly receiverUrl: string;
  readonly odd: OddValues;
}

export type Send = (request: FuzzRequest, merchant: Merchant, environment: "test" | "live") => Promise<unknown>;

/** Courses of merchants; `*` stands for any operation. */
const COURSES: readonly (readonly string[])[] = [
  [
    "createPaymentIntent",
    "getPaymentIntent",
    "listPaymentIntents",
    "simulate",
    "listPaymentIntents",
    "listEvents",
    "getEvent",
    "*",
  ],
  [
    "listWallets",
    "createPayoutIntent",
    "getPayoutIntent",
    "listPayoutIntents",
    "cancelPayoutIntent",
    "simulate",
    "listPayoutIntents",
  ],
  ["createTopupIntent", "getTopupIntent", "listTopupIntents", "simulate", "listTopupIntents", "listWallets"],
  [
    "createWebhookEndpoint",
    "getWebhookEndpoint",
    "createPaymentIntent",
    "simulate",
    "listEvents",
    "listEventDeliveries",
    "resendDelivery",
    "listEventDeliveries",
    "deleteWebhookEndpoint",
  ],
  [
    "createWebhookEndpoint",
    "updateWebhookEndpoint",
    "testWebhookEndpoint",
    "rotateWebhookSecret",
    "replayToWebhookEndpoint",
    "listWebhookEndpoints",
    "deleteWebhookEndpoint",
  ],
  ["listPaymentIntents", "listApiLogs", "getApiLog", "listApiLogs", "getApiLog"],
  ["getSandboxClock", "createPaymentIntent", "advanceSandboxClock", "getPaymentIntent", "getSandboxClock"],
  ["listPaymentMethods", "listWebhookEvents", "*", "*", "*", "*", "*", "*"],
];

const OUTCOMES = ["succeeded", "declined", "expired", "pending", "cancelled", "returned", "funds_seen", "underpaid"];

/** The beginning of the ids that an operation's path takes. */
const ID_PREFIXES: readonly (readonly [string, RegExp])[] = [
  ["/payment_intents/", /^dord/],
  ["/payout_intents/", /^word/],
  ["/topup_intents/", /^tuin/],
  ["/events/", /^(evt|event)/],
  ["/deliveries/", /^d(el|lv)/],
  ["/webhook_endpoints/", /^w(e|h)/],
  ["/api_logs/", /^req/],
];

interface Memory {
  /** Ids of the answers by the path of their kind, newest last. */
  readonly ids: Map<string, string[]>;
  readonly cursors: string[];
}

/** `/events/{id}/deliveries` answers deliveries; every other path answers its own kind. */
function kindOf(path: string): string {
  return path.endsWith("/deliveries") ? "deliveries" : (path.split("/")[1] ?? "");
}

function remember(memory: Memory, operation: Operation, answer: unknown): void {
  if (typeof answer !== "object" || answer === null) return;
  const { id, data, next_cursor: cursor } = answer as { id?: unknown; data?: unknown; next_cursor?: unknown };
  const found = Array.isArray(data)
    ? data
        .slice(0, 5)
        .reverse()
        .map((one: { id?: unknown }) => one.id)
    : [id];
  const kind = kindOf(operation.path);
  const ids = memory.ids.get(kind) ?? [];
  memory.ids.set(kind, ids);
  for (const one of found) if (typeof one === "string" && !ids.includes(one)) ids.push(one);
  if (typeof cursor === "string") memory.cursors.push(cursor);
}

const MEDIA_TYPES = [
  "text/plain",
  "application/json; charset=latin1",
  "application/JSON",
  "application/json;;",
  "multipart/form-data",
];
const LARGE_BYTES = 70_000;
/** The last digit of an amount. */
const AMOUNT = /(?<="amount":"\d*)\d(?=")/;

/** Plays one sequence. */
export async function playSequence(material: Material, number: number, send: Send): Promise<void> {
  const random = randomOf(material.seed, number);
  const merchant = random.pick(material.merchants);
  const environment = random.chance(0.85) ? "test" : "live";
  const memory: Memory = { ids: new Map(), cursors: [] };
  const course = random.pick(COURSES).slice(0, 12);
  let made = 0;
  for (const name of course) {
    const any = [...material.operations.keys()];
    const operation = material.operations.get(name === "*" ? random.pick(any) : name);
    if (!operation) throw new Error(`the document has no operation ${name}`);
    made += 1;
    const request = makeRequest(
      material,
      { random, merchant, environment, memory, unique: `${number}-${made}` },
      operation,
    );
    const repeats = random.chance(0.1) ? 2 : 1;
    for (let n = 0; n < repeats; n += 1) remember(memory, operation, await send(request, merchant, environment));
    if (request.body !== null && random.chance(0.05)) {
      // Under its key a conflict, and without one a reference of an intent with another amount.
      const changed = { ...request, body: request.body.replace(random.pick([/\d(?=\D*$)/, AMOUNT]), "7") };
      remember(memory, operation, await send(changed, merchant, environment));
    }
  }
}

interface Position {
  readonly random: Random;
  readonly merchant: Merchant;
  readonly environment: "test" | "live";
  readonly memory: Memory;
  /** Unique within the run's seed. */
  readonly unique: string;
}

function makeRequest(material: Material, position: Position, operation: Operation): FuzzRequest {
  const { random, merchant, environment, memory, unique } = position;
  const { odd } = material;
  const oddString = () => random.pick(odd.strings);
  const idsOf = (kind: string) => memory.ids.get(kind) ?? [];
  const intents = ["payment_intents", "payout_intents", "topup_intents"].flatMap(idsOf);
  const knownId = (kind: string) => idsOf(kind).at(-1) ?? random.pick(material.foreignIds);
  const hints: Hints = {
    id: () => intents.at(-1) ?? random.pick(material.foreignIds),
    intent_id: () => intents.at(-1) ?? random.pick(material.foreignIds),
    outcome: () => (random.chance(0.6) ? "succeeded" : random.pick(OUTCOMES)),
    amount: () => random.pick(["1050", "100", "2500", "1051", "1099", "999999999999999999999999999999"]),
    currency: () => random.pick(["BRL", "BRL", "BRL", "MXN", "USDT"]),
    provider: () => "sandbox",
    network: () => "tron",
    country: () => "BR",
    payment_method: () => "BR_PIX",
    merchant_reference: () => `fuzz-${material.seed}-${unique}`,
    account_number: () => "0001234567890",
    bank_code: () => "001",
    url: () => (random.chance(0.8) ? material.receiverUrl : "https://shop.example/hooks"),
    since: () => new Date(Date.now() - 3_600_000).toISOString(),
    created_after: () => "2026-01-01T00:00:00Z",
    created_before: () => "2036-01-01T00:00:00Z",
    cursor: () => memory.cursors.at(-1),
    limit: () => 1 + random.below(5),
    advance_seconds: () => 1 + random.below(60),
    // Endpoints that stay paused would leave nothing to test.
    state: () => "enabled",
    source: () => ({ type: "provider_gateway", currency: "USDT", network: "tron" }),
  };
  const isOdd = random.chance(0.45);
  /** Which parts of an odd request are odd. */
  const hits = (share: number) => isOdd && random.chance(share);

  const ownKind = operation.path.split("/")[1] ?? "";
  const oddId = () => {
    const [prefix] = random.pick(ID_PREFIXES);
    return random.pick([
      oddString(),
      random.pick(material.foreignIds),
      knownId(prefix.slice(1, -1)),
      `${knownId(ownKind)}x`,
    ]);
  };
  const id = hits(0.3) ? oddId() : knownId(ownKind);
  let path = operation.path.replace("{id}", () => encodeURIComponent(wellFormed(id)) || "%20");
  const pairs = operation.query
    .filter(() => random.chance(0.2))
    .map(({ name, schema }) => [name, validValue(schema, random, hints, name)] as [string, unknown])
    .filter(([, value]) => value !== undefined);
  if (hits(0.4) && operation.query.length > 0) {
    const { name } = random.pick(operation.query);
    pairs.push([name, random.pick([oddString(), "-1", "9".repeat(40), flipped(memory.cursors.at(-1) ?? "x", random)])]);
    if (random.chance(0.3)) pairs.push([name, oddString()]);
  }
  if (hits(0.1)) pairs.push([oddString(), oddString()]);
  const query = pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join("&");
  if (query !== "") path += `?${query}`;

  const headers: Record<string, string> = { authorization: basicAuthorization(merchant.keys[environment]) };
  if (hits(0.08))
    headers.authorization = random.pick(["", "Basic", "Basic eDp5", "Bearer x", `Basic ${"A".repeat(3_000)}`]);
  if (operation.takesKey && (operation.id === "createTopupIntent" || random.chance(0.4))) {
    headers["idempotency-key"] = `fuzz-${material.seed}-${unique}`;
  }
  if (hits(0.1))
    headers["idempotency-key"] = random.pick(["", " ", "x".repeat(256), "é", "\t", "x".repeat(255), '"a"']);
  if (hits(0.1))
    headers[random.pick(["accept", "x-forwarded-for", "if-none-match", "accept-language", "origin", "expires"])] =
      "*/*, \x7e";
  const method = hits(0.02) ? "PUT" : operation.method;
  if (operation.body === null) return { operation, method, path, headers, body: null };

  headers["content-type"] = hits(0.08) ? random.pick(MEDIA_TYPES) : "application/json";
  let value = validValue(operation.body, random, hints);
  if (hits(0.7)) value = mutated(value, random, odd);
  let body = JSON.stringify(value);
  if (hits(0.1))
    body = random.pick([
      "",
      "null",
      "[]",
      "{",
      body.slice(0, -1),
      `${body}${body}`,
      body.replace("{", '{"amount":1,'),
      "[".repeat(2_000),
    ]);
  if (hits(0.01)) body = JSON.stringify({ padding: "x".repeat(LARGE_BYTES) });
  return { operation, method, path, headers, body };
}

/** Lone surrogates have no UTF-8. */
const wellFormed = (text: string) => Buffer.from(text).toString("utf8");
const encode = (value: unknown) => encodeURIComponent(wellFormed(String(value)));

function flipped(cursor: string, random: Random): string {
  const at = random.below(cursor.length);
  return `${cursor.slice(0, at)}${random.pick(["A", "z", "0", "-"])}${cursor.slice(at + 1)}`;
}

/** The value with one member, at any depth, missing, added or of another kind. */
function mutated(value: unknown, random: Random, odd: OddValues): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return random.pick(odd.values);
  const names = Object.keys(value);
  if (names.length === 0 || random.chance(0.1))
    return { ...value, [random.pick(odd.strings)]: random.pick(odd.values) };
  const name = random.pick(names);
  const { [name]: member, ...rest } = value as Record<string, unknown>;
  if (random.chance(0.2)) return rest;
  if (typeof member === "object" && random.chance(0.7)) return { ...rest, [name]: mutated(member, random, odd) };
  return { ...rest, [name]: random.pick(odd.values) };
}
