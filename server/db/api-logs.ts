// The log of requests: inserted many at once, read newest first within a bounded stretch.
import type { Environment, Scope } from "@/server/domain/scope";
import { idBoundAt } from "@/server/platform/ids";
import { withinMerchant } from "@/server/platform/reach";
import { query } from "./client";
import type { PagePosition } from "./list-start";
import { LOOKED_AT, lookedPage, lookedSql } from "./looked-at";
import { runForMerchants } from "./merchant-fences";

export interface ApiLogEntry {
  readonly merchantId: string;
  readonly environment: Environment;
  /** The Request-Id. */
  readonly id: string;
  readonly apiKeyId: string;
  readonly method: string;
  /** As the route table has it; empty for a path that there is not. */
  readonly route: string;
  readonly path: string;
  readonly status: number;
  readonly durationUs: number;
  /** Empty when unknown. */
  readonly address: string;
  readonly requestBody: string | null;
  readonly responseBody: string | null;
  /** What it is about; null if nothing. */
  readonly objectId: string | null;
  readonly createdAt: Date;
}

/** Stores the requests, in one statement. Returns those of merchants that move to another cell, which it does not store. */
export function insertApiLog(all: readonly ApiLogEntry[]): Promise<readonly ApiLogEntry[]> {
  return runForMerchants(all, insert);
}

/** Stores requests of one merchant. Throws if it moves. */
export async function insertApiLogOf(merchantId: string, entries: readonly ApiLogEntry[]): Promise<void> {
  await withinMerchant(merchantId, () => insert(entries));
}

function insert(entries: readonly ApiLogEntry[]): Promise<unknown> {
  const column = <Value>(of: (entry: ApiLogEntry) => Value) => entries.map(of);
  return query(
    `INSERT INTO api_log (merchant_id, environment, id, api_key_id, method, route, path, status, duration_us, address,
                          request_body, response_body, object_id, created_at)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::int[],
                          $9::int[], $10::text[], $11::text[], $12::text[], $13::text[], $14::timestamptz[])`,
    column(({ merchantId }) => merchantId),
    column(({ environment }) => environment),
    column(({ id }) => id),
    column(({ apiKeyId }) => apiKeyId),
    column(({ method }) => method),
    column(({ route }) => route),
    column(({ path }) => path),
    column(({ status }) => status),
    column(({ durationUs }) => durationUs),
    column(({ address }) => address),
    column(({ requestBody }) => requestBody),
    column(({ responseBody }) => responseBody),
    column(({ objectId }) => objectId),
    column(({ createdAt }) => createdAt.toISOString()),
  );
}

export interface ApiLogFilter {
  /** 2 for 200 to 299, and so on. */
  readonly statusClass?: number | undefined;
  readonly method?: string | { readonly isNot: string } | undefined;
  readonly apiKeyId?: string | undefined;
  readonly id?: string | undefined;
  readonly objectId?: string | undefined;
  readonly createdAfter?: Date | undefined;
  readonly createdBefore?: Date | undefined;
}

/** A request without its bodies, and the name of the key that made it where that is known. */
type ListedApiLog = Omit<ApiLogEntry, "merchantId" | "environment" | "requestBody" | "responseBody"> & {
  readonly keyName: string | null;
};

export interface ApiLogPage {
  readonly entries: readonly ListedApiLog[];
  /** Where the next page begins; null after the last. A page may hold fewer requests than asked for, even none. */
  readonly next: PagePosition | null;
}

/** Ids carry the time of the machine that made them, rows the database's: no further apart than this. */
const CLOCKS_APART_MS = 300_000;

function around(at: Date, side: 1 | -1): Date {
  return new Date(Math.max(0, at.getTime() + side * CLOCKS_APART_MS));
}

const LISTED = `l.id, l.api_key_id AS "apiKeyId", l.method, l.route, l.path, l.status, l.duration_us AS "durationUs",
                l.address, l.object_id AS "objectId", l.created_at AS "createdAt", k.name AS "keyName"`;
const KEY = "LEFT JOIN api_key k ON k.merchant_id = l.merchant_id AND k.id = l.api_key_id";

type Parameter = (value: unknown) => string;

/** The requests that bounds with an index leave, and whether each of them passes the rest of the filter. */
function partsOf(
  columns: string,
  { statusClass, method, apiKeyId, id, objectId, createdAfter, createdBefore }: ApiLogFilter,
  after: PagePosition | null,
  parameter: Parameter,
): { readonly within: string; readonly isShown: string } {
  const within = [
    id !== undefined && `id = ${parameter(id)}`,
    objectId !== undefined && `object_id = ${parameter(objectId)}`,
    after && `id < ${parameter(after.id)}`,
    createdAfter && `id >= ${parameter(idBoundAt("request", around(createdAfter, -1)))}`,
    createdBefore && `id < ${parameter(idBoundAt("request", around(createdBefore, 1)))}`,
  ];
  const passes = [
    "true",
    statusClass !== undefined && `status / 100 = ${parameter(statusClass)}::int`,
    typeof method === "string" && `method = ${parameter(method)}`,
    typeof method === "object" && `method <> ${parameter(method.isNot)}`,
    apiKeyId !== undefined && `api_key_id = ${parameter(apiKeyId)}`,
    createdAfter && `created_at >= ${parameter(createdAfter)}::timestamptz`,
    createdBefore && `created_at < ${parameter(createdBefore)}::timestamptz`,
  ];
  const conditions = ["merchant_id = $1 AND environment = $2", ...within].filter(Boolean).join(" AND ");
  return {
    within: `SELECT ${columns} FROM api_log WHERE ${conditions}`,
    isShown: passes.filter(Boolean).join(" AND "),
  };
}

const LOOKED_COLUMNS =
  "merchant_id, id, api_key_id, method, route, path, status, duration_us, address, object_id, created_at";

/** The statement behind `listApiLog`, with its values. */
export function listStatement(
  { merchantId, environment }: Scope,
  filter: ApiLogFilter,
  after: PagePosition | null,
  count: number,
  lookedAt = LOOKED_AT,
): { readonly sql: string; readonly values: readonly unknown[] } {
  const values: unknown[] = [merchantId, environment];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const looked = lookedSql({
    ...partsOf(LOOKED_COLUMNS, filter, after, parameter),
    lookedAt: parameter(lookedAt),
    limit: parameter(count + 1),
  });
  const sql = `SELECT ${LISTED}, l.is_shown AS "isShown", l.is_last AS "isLast" FROM (${looked}) l ${KEY} ORDER BY l.id DESC`;
  return { sql, values };
}

/** At most `count` requests of the scope after the position, newest first. */
export async function listApiLog(
  scope: Scope,
  filter: ApiLogFilter,
  after: PagePosition | null,
  count: number,
  lookedAt = LOOKED_AT,
): Promise<ApiLogPage> {
  type Row = ListedApiLog & { readonly isShown: boolean; readonly isLast: boolean };
  const { sql, values } = listStatement(scope, filter, after, count, lookedAt);
  return lookedPage(await query<Row>(sql, ...values), count);
}

export interface ApiLogCounts {
  /** Requests that pass the filter, by the first digit of their status. */
  readonly byClass: ReadonlyMap<number, number>;
  /** False if only the newest requests were counted. */
  readonly isComplete: boolean;
}

/** The statement behind `countApiLog`, with its values. */
export function countStatement({ merchantId, environment }: Scope, filter: ApiLogFilter, lookedAt = LOOKED_AT) {
  const values: unknown[] = [merchantId, environment];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const { within, isShown } = partsOf("*", { ...filter, statusClass: undefined }, null, parameter);
  const newest = `${within} ORDER BY id DESC LIMIT ${parameter(lookedAt)}`;
  const sql = `SELECT status / 100 AS class, count(*) FILTER (WHERE ${isShown})::int AS shown, count(*)::int AS looked
     FROM (${newest}) l GROUP BY 1`;
  return { sql, values };
}

/** Counts the scope's requests that pass the filter, whatever class it names, among as many as one page reads. */
export async function countApiLog(scope: Scope, filter: ApiLogFilter, lookedAt = LOOKED_AT): Promise<ApiLogCounts> {
  const { sql, values } = countStatement(scope, filter, lookedAt);
  const rows = await query<{ class: number; shown: number; looked: number }>(sql, ...values);
  return {
    byClass: new Map(rows.map((row) => [row.class, row.shown])),
    isComplete: rows.reduce((sum, { looked }) => sum + looked, 0) < lookedAt,
  };
}

export type ApiLogDetail = ListedApiLog & Pick<ApiLogEntry, "requestBody" | "responseBody">;

/** One request of the scope, or null. */
export async function findApiLog({ merchantId, environment }: Scope, id: string): Promise<ApiLogDetail | null> {
  const [row] = await query<ApiLogDetail>(
    `SELECT ${LISTED}, l.request_body AS "requestBody", l.response_body AS "responseBody"
     FROM api_log l ${KEY} WHERE l.merchant_id = $1 AND l.environment = $2 AND l.id = $3`,
    merchantId,
    environment,
    id,
  );
  return row ?? null;
}
