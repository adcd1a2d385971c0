import { z } from "zod";
import { listApiLogsQuery } from "@/server/contract/api-logs";
import { formatInstant } from "@/server/contract/instants";
import { ALL_BUT_GET } from "@/server/domain/api-method";
import { encodeCursor } from "@/server/http/cursor";
import { readListQuery } from "@/server/http/list";
import { getApiCall, listApiCalls } from "@/server/services/api-logs/list";
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

export const apiLogsRouter = router({
  list: memberProcedure("read_api_logs")
    .input(listApiLogsQuery)
    .query(async ({ ctx: { call }, input }) => {
      const { filter: dates, after, limit } = readListQuery(call.scope, ROUTE, input);
      const { createdAfter, createdBefore } = dates;
      const statusClass = input.status_class === undefined ? undefined : Number(input.status_class);
      const method = input.method === ALL_BUT_GET ? { isNot: "GET" } : input.method;
      const { api_key: apiKeyId, request_id: id, object_id: objectId } = input;
      const filter = { createdAfter, createdBefore, statusClass, method, apiKeyId, id, objectId };
      const { entries, next } = await listApiCalls(call.scope, filter, after, limit);
      return { data: entries.map(presentCall), next_cursor: next && encodeCursor(call.scope, ROUTE, next) };
    }),

  get: memberProcedure("read_api_logs")
    .input(z.object({ id: z.string().max(64) }))
    .query(async ({ ctx: { call }, input }) => {
      const entry = await getApiCall(call.scope, input.id);
      return { ...presentCall(entry), request_body: entry.requestBody, response_body: entry.responseBody };
    }),
});
