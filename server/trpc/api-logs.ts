import { z } from "zod";
import { listApiLogsQuery } from "@/server/contract/api-logs";
import { formatInstant } from "@/server/contract/instants";
import { ALL_BUT_GET } from "@/server/domain/api-method";
import type { Scope } from "@/server/domain/scope";
import { encodeCursor } from "@/server/http/cursor";
import { readListQuery } from "@/server/http/list";
import { countApiCalls, getApiCall, listApiCalls } from "@/server/services/api-logs/list";
import { memberProcedure, router } from "./procedures";

const ROUTE = "/api_logs";

type Call = Awaited<ReturnType<typeof listApiCalls>>["entries"][number];

function presentCall(call: Call) {
  const { id, method, route, path, status, durationUs, address, apiKeyId, keyName, objectId, createdAt } = call;
  return {
    id,
    method,
    route,
    path,
    status,
    ms: durationUs / 1_000,
    address,
    key: { id: apiKeyId, name: keyName },
    object_id: objectId,
    created_at: formatInstant(createdAt),
  };
}

function readLogQuery(scope: Scope, input: z.output<typeof listApiLogsQuery>) {
  const { filter: dates, after, limit } = readListQuery(scope, ROUTE, input);
  const { createdAfter, createdBefore } = dates;
  const statusClass = input.status_class === undefined ? undefined : Number(input.status_class);
  const method = input.method === ALL_BUT_GET ? { isNot: "GET" } : input.method;
  const { api_key: apiKeyId, request_id: id, object_id: objectId } = input;
  return { filter: { createdAfter, createdBefore, statusClass, method, apiKeyId, id, objectId }, after, limit };
}

export const apiLogsRouter = router({
  list: memberProcedure("read_api_logs")
    .input(listApiLogsQuery)
    .query(async ({ ctx: { call }, input }) => {
      const { filter, after, limit } = readLogQuery(call.scope, input);
      const { entries, next } = await listApiCalls(call.scope, filter, after, limit);
      return { data: entries.map(presentCall), next_cursor: next && encodeCursor(call.scope, ROUTE, next) };
    }),

  /** By the first digit of the status; of the newest ones only, if `is_complete` is false. */
  count: memberProcedure("read_api_logs")
    .input(listApiLogsQuery.omit({ cursor: true, limit: true, status_class: true }))
    .query(async ({ ctx: { call }, input }) => {
      const { byClass, isComplete } = await countApiCalls(call.scope, readLogQuery(call.scope, input).filter);
      return { by_class: Object.fromEntries(byClass), is_complete: isComplete };
    }),

  get: memberProcedure("read_api_logs")
    .input(z.object({ id: z.string().max(64) }))
    .query(async ({ ctx: { call }, input }) => {
      const entry = await getApiCall(call.scope, input.id);
      return { ...presentCall(entry), request_body: entry.requestBody, response_body: entry.responseBody };
    }),
});
