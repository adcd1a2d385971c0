// The REST operations on the API log, both extensions: what keys of the merchant have called in their environment.
import { apiLogResource, apiLogsQuery, apiLogWithBodies } from "@/server/contract/api-logs";
import { pageOf } from "@/server/contract/lists";
import { getApiCall, listApiCalls } from "@/server/services/api-logs/list";
import { encodeCursor } from "../cursor";
import { readListQuery } from "../list";
import { type Operation, read } from "../operation";
import { presentApiLog, presentApiLogWithBodies } from "../present/api-log";

const PATH = "/api_logs";
const SHARED = { keyScope: "api_logs:read", tag: "API log", extension: true, answerIsLogged: false } as const;

export const apiLogOperations: readonly Operation[] = [
  read({
    ...SHARED,
    id: "listApiLogs",
    path: PATH,
    summary: "List calls of the API, newest first",
    description:
      "Calls by all keys of the merchant in this environment, rejected ones included. A call appears within a second or " +
      "two, and is stored for as long as the operator has set. A page may have fewer calls than `limit`, even none, while " +
      "`has_more` is true: the filters are applied to at most 10,000 calls at a time.",
    query: apiLogsQuery,
    answers: { 200: { schema: pageOf(apiLogResource, "ApiLogPage"), meaning: "One page." } },
    errors: [],
    run: async ({ context: { scope }, query }) => {
      const { filter: dates, after, limit } = readListQuery(scope, PATH, query);
      const { createdAfter, createdBefore } = dates;
      const statusClass = query.status_class === undefined ? undefined : Number(query.status_class);
      const filter = { createdAfter, createdBefore, statusClass, method: query.method };
      const { entries, next } = await listApiCalls(scope, filter, after, limit);
      return {
        data: entries.map((entry) => presentApiLog(scope.environment, entry)),
        has_more: next !== null,
        next_cursor: next && encodeCursor(scope, PATH, next),
      };
    },
  }),
  read({
    ...SHARED,
    id: "getApiLog",
    path: `${PATH}/:id`,
    summary: "Read a call, with its bodies",
    query: null,
    answers: { 200: { schema: apiLogWithBodies, meaning: "The call." } },
    errors: ["not_found"],
    run: async ({ context: { scope }, params }) =>
      presentApiLogWithBodies(scope.environment, await getApiCall(scope, params.id ?? "")),
  }),
];
