import {
  type ApiLogCounts,
  type ApiLogDetail,
  type ApiLogFilter,
  type ApiLogPage,
  countApiLog,
  findApiLog,
  listApiLog,
} from "@/server/db/api-logs";
import { notFoundError } from "@/server/domain/errors";
import type { Scope } from "@/server/domain/scope";
import { isId } from "@/server/platform/ids";
import type { PagePosition } from "../page";

/** Returns one page of at most `limit` requests of the scope, newest first; `next` is null on the last page. */
export function listApiCalls(
  scope: Scope,
  filter: ApiLogFilter,
  after: PagePosition | null,
  limit: number,
): Promise<ApiLogPage> {
  return listApiLog(scope, filter, after, limit);
}

/** Counts the requests that pass the filter by the first digit of their status, among the newest 10,000 of its period. */
export function countApiCalls(scope: Scope, filter: ApiLogFilter): Promise<ApiLogCounts> {
  return countApiLog(scope, filter);
}

/** Returns one request with its bodies. Throws not_found. */
export async function getApiCall(scope: Scope, id: string): Promise<ApiLogDetail> {
  const entry = isId("request", id) ? await findApiLog(scope, id) : null;
  if (!entry) throw notFoundError();
  return entry;
}
