// Plays sequences against a service of their own with several clients, and judges each answer and the database.
import { Pool } from "undici";
import { paymentBody, payoutBody, topupBody, unused } from "../../rest/bodies";
import { openWorld } from "../../rest/world";
import { createAnswerValidator, type OpenApiDocument } from "../../support/openapi";
import { startReceiver } from "../../support/receiver";
import { startService } from "../../support/service";
import { createMerchants } from "./merchants";
import { errorCodesOf, operationsOf } from "./operations";
import { oddValues } from "./random";
import { type FuzzRequest, type Material, playSequence, type Send } from "./sequence";
import { judgeRows, untouchedCounts } from "./traces";

const CLIENTS = 16;
/** Of so many requests, at least one must be answered with each error code. */
const REQUESTS_PER_CODE = 10_000;
/** A flood brings the first, and only faults bring the others. */
const UNSEEN_CODES = ["rate_limited", "internal_error", "service_unavailable"];
/** A run with more violations than this ends. */
const MOST_VIOLATIONS = 50;

export interface FuzzOptions {
  readonly seed: number;
  readonly requests: number;
  readonly minutes: number;
  /** Plays only this sequence. */
  readonly sequence: number | null;
}

export interface Fuzzed {
  readonly requests: number;
  readonly sequences: number;
  readonly seconds: number;
  /** Operation and status → answers. */
  readonly counts: ReadonlyMap<string, number>;
  /** Error code → answers. */
  readonly codes: ReadonlyMap<string, number>;
  /** Operations without an answer 2xx, and error codes that were seen too rarely. */
  readonly missing: readonly string[];
  readonly violations: readonly string[];
}

/** Starts a service and plays on it until the requests or the minutes are used up. */
export async function playFuzz({ seed, requests, minutes, sequence }: FuzzOptions): Promise<Fuzzed> {
  const world = await openWorld(await startService({ env: { LOG_LEVEL: "warn" } }));
  const receiver = await startReceiver();
  const { baseUrl } = world.service;
  const pool = new Pool(baseUrl, { connections: CLIENTS });
  try {
    const document = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as OpenApiDocument;
    const validate = createAnswerValidator(document);
    const merchants = await createMerchants(world);
    const foreign = world.apiFor((await world.newMerchant()).keys.test);
    const foreignAnswers = [
      await foreign.post("/payment_intents", paymentBody()),
      await foreign.post("/payout_intents", payoutBody()),
      await foreign.post("/topup_intents", topupBody(), { headers: { "idempotency-key": unused("key") } }),
    ];
    const operations = operationsOf(document);
    const material: Material = {
      seed,
      operations: new Map(operations.map((one) => [one.id, one])),
      merchants,
      foreignIds: foreignAnswers.map(({ body }) => (body as { id: string }).id),
      receiverUrl: receiver.url,
      odd: oddValues(seed),
    };
    const untouched = await untouchedCounts(world.database);

    const counts = new Map<string, number>();
    const codes = new Map<string, number>();
    const acknowledged = new Set<string>();
    const violations: string[] = [];
    let sent = 0;
    const sendIn =
      (number: number): Send =>
      async (request) => {
        sent += 1;
        try {
          const {
            statusCode: status,
            headers,
            body,
          } = await pool.request({
            method: request.method as "GET",
            path: `/v1${request.path}`,
            headers: request.headers,
            body: request.body,
          });
          const text = await body.text();
          const name = `${request.operation.id} ${status}`;
          counts.set(name, (counts.get(name) ?? 0) + 1);
          if (status >= 500) throw new Error(`${status}: ${text.slice(0, 300)}`);
          const received = new Headers(headers as Record<string, string>);
          validate({ method: request.method, path: request.path, status, headers: received, text });
          const answer: unknown = text === "" ? null : JSON.parse(text);
          if (status === 201) acknowledged.add((answer as { id: string }).id);
          if (status < 300) return answer;
          const { code } = (answer as { error: { code: string } }).error;
          codes.set(code, (codes.get(code) ?? 0) + 1);
          return null;
        } catch (error) {
          violations.push(`--seed ${seed} --sequence ${number}: ${describe(request)}: ${(error as Error).message}`);
          return null;
        }
      };

    const startedAt = performance.now();
    const endsAt = startedAt + minutes * 60_000;
    let next = sequence ?? 0;
    const isOver = () =>
      sent >= requests ||
      performance.now() > endsAt ||
      violations.length > MOST_VIOLATIONS ||
      (sequence !== null && next > sequence);
    const client = async () => {
      while (!isOver()) {
        const number = next;
        next += 1;
        await playSequence(material, number, sendIn(number));
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    const seconds = (performance.now() - startedAt) / 1_000;

    const merchantIds = merchants.map(({ id }) => id);
    violations.push(...(await judgeRows(world.database, merchantIds, acknowledged)));
    if ((await untouchedCounts(world.database)) !== untouched)
      violations.push("a table that no operation writes changed");
    const missing = [
      ...operations
        .filter(({ id }) => ![...counts.keys()].some((name) => name.startsWith(`${id} 2`)))
        .map(({ id }) => `${id} never had an answer 2xx`),
      ...errorCodesOf(document)
        .filter((code) => !UNSEEN_CODES.includes(code) && (codes.get(code) ?? 0) < Math.floor(sent / REQUESTS_PER_CODE))
        .map((code) => `${code} was answered only ${codes.get(code) ?? 0} times`),
    ];
    return { requests: sent, sequences: next - (sequence ?? 0), seconds, counts, codes, missing, violations };
  } finally {
    await pool.close();
    await receiver.stop();
    await world.close();
  }
}

function describe({ method, path, headers, body }: FuzzRequest): string {
  const { authorization: _, ...shown } = headers;
  return `${method} ${path} ${JSON.stringify(shown)} ${body?.slice(0, 500) ?? ""}`;
}
