// Logs requests for developers: queues them in memory, then masks and stores them in small batches.
import { type ApiLogEntry, insertApiLog, insertApiLogOf } from "@/server/db/api-logs";
import { objectOfRequest } from "@/server/domain/request-object";
import type { Scope } from "@/server/domain/scope";
import { currentCell, inCell, inEachCell, perCell } from "@/server/platform/cell";
import { now } from "@/server/platform/clock";
import { env } from "@/server/platform/env";
import { log } from "@/server/platform/log";
import { redactedJson } from "@/server/platform/redaction";
import { createUnderWay, type UnderWay } from "@/server/platform/under-way";
import { whereMerchantOpens } from "../cells/moved";

/** A request and its answer. */
export interface ApiCall {
  readonly scope: Scope;
  readonly apiKeyId: string;
  readonly requestId: string;
  readonly method: string;
  readonly route: string;
  /** With the query string. */
  readonly path: string;
  readonly status: number;
  readonly ms: number;
  readonly address: string;
  /** The parsed body; undefined without one. */
  readonly request: unknown;
  /** The answer's JSON text; null for an answer that is not recorded. */
  readonly answer: string | null;
}

/** Batch and pause bound the log to 500 requests a second. Excess requests are counted, not stored. */
const BATCH = 50;
const PAUSE_MS = 100;
const MAXIMUM_WAITING = 1_000;
const LONGEST_PATH = 1_024;
const LONGEST_BODY = 4_096;
/** Longer answers are long lists, which would take longest to parse. */
const LONGEST_READ = 16_384;
const TOLD_EVERY_MS = 60_000;

interface State {
  waiting: (readonly [call: ApiCall, at: Date])[];
  timer: NodeJS.Timeout | null;
  writing: Promise<void>;
  dropped: number;
  toldAt: number;
}

/** Next's bundles and the custom server are separate module graphs; they share state through globalThis. */
const shared = globalThis as typeof globalThis & {
  sluiceApiLog?: Map<string, State>;
  sluiceApiLogOfMoves?: UnderWay;
};

shared.sluiceApiLog ??= new Map();
shared.sluiceApiLogOfMoves ??= createUnderWay();

const newState = (): State => ({
  waiting: [],
  timer: null,
  writing: Promise.resolve(),
  dropped: 0,
  toldAt: Number.NEGATIVE_INFINITY,
});

const state = perCell(newState, shared.sluiceApiLog);

/** The storing of requests of merchants that move. */
const underWay = shared.sluiceApiLogOfMoves;

/** Returns the number of requests of the cell that this process dropped, because of too many at once or database errors. */
export function droppedApiCalls(): number {
  return state().dropped;
}

/** Queues a request for storing soon; cheap for the caller, and never throws. */
export function recordApiCall(call: ApiCall): void {
  if (env().apiLogDays === 0) return;
  const queue = state();
  if (queue.waiting.length >= MAXIMUM_WAITING) drop(1);
  else queue.waiting.push([call, now()]);
  queue.timer ??= roundSoon();
}

function roundSoon(): NodeJS.Timeout {
  const cell = currentCell();
  return setTimeout(() => void inCell(cell, round), PAUSE_MS).unref();
}

/** Stores all queued requests; for shutdown and tests. */
export async function flushApiLog(): Promise<void> {
  await inEachCell(async () => {
    while (state().waiting.length > 0) await writeBatch();
    await state().writing;
  });
  await underWay.idle();
}

async function round(): Promise<void> {
  const kept = state();
  kept.writing = writeBatch();
  await kept.writing;
  kept.timer = kept.waiting.length > 0 ? roundSoon() : null;
}

async function writeBatch(): Promise<void> {
  const batch = state().waiting.splice(0, BATCH);
  if (batch.length === 0) return;
  try {
    const left = await insertApiLog(batch.map(([call, at]) => toEntry(call, at)));
    for (const merchantId of new Set(left.map((entry) => entry.merchantId)))
      void underWay.track(
        storeAfterMove(
          merchantId,
          left.filter((entry) => entry.merchantId === merchantId),
        ),
      );
  } catch (error) {
    drop(batch.length);
    log().warn({ err: error }, "requests were not stored in the API log");
  }
}

/** Stores requests of one merchant, which is moving to another cell, where it opens. */
async function storeAfterMove(merchantId: string, entries: readonly ApiLogEntry[]): Promise<void> {
  try {
    await whereMerchantOpens(merchantId, () => insertApiLogOf(merchantId, entries));
  } catch (error) {
    drop(entries.length);
    log().warn({ err: error, merchant: merchantId }, "requests from before a move were not stored in the API log");
  }
}

function drop(count: number): void {
  const kept = state();
  kept.dropped += count;
  if (performance.now() - kept.toldAt < TOLD_EVERY_MS) return;
  kept.toldAt = performance.now();
  log().warn(
    { dropped: kept.dropped },
    "requests arrived faster than the API log could store them; some were not stored",
  );
}

function toEntry({ scope, apiKeyId, requestId, ...call }: ApiCall, createdAt: Date): ApiLogEntry {
  const { method, route, path, status, ms, address, request } = call;
  const text = call.answer;
  const answer: unknown = text === null || text.length > LONGEST_READ ? undefined : JSON.parse(text);
  return {
    merchantId: scope.merchantId,
    environment: scope.environment,
    id: requestId,
    apiKeyId,
    method,
    route,
    path: path.slice(0, LONGEST_PATH),
    status,
    durationUs: Math.round(ms * 1_000),
    address,
    requestBody: request === undefined ? null : redactedJson(request, LONGEST_BODY),
    responseBody: answer === undefined ? null : redactedJson(answer, LONGEST_BODY),
    objectId: objectOfRequest({ route, path, status, answer }),
    createdAt,
  };
}
