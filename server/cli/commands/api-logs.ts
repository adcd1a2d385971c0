import { ENVIRONMENTS } from "@/server/domain/scope";
import { presentApiLog, presentApiLogWithBodies } from "@/server/http/present/api-log";
import { requireKeyOfScope } from "@/server/services/api-keys/by-public-key";
import { getApiCall, listApiCalls } from "@/server/services/api-logs/list";
import { type Command, defineCommand, oneOf, required } from "../command";
import { PAGE_OPTIONS, presentNext, readPage } from "../page-options";

const LIST = "cli api-logs list";

const list = defineCommand({
  name: "api-logs list",
  summary: "List the API requests of a merchant's keys, newest first; requests are deleted after API_LOG_DAYS",
  cells: "merchant",
  options: PAGE_OPTIONS,
  run: async ({ key, object, ...page }) => {
    const { scope, dates, after, limit } = readPage(LIST, page);
    const apiKeyId = key === null ? undefined : await requireKeyOfScope(scope, key);
    const filter = { ...dates, apiKeyId, objectId: object ?? undefined };
    const { entries, next } = await listApiCalls(scope, filter, after, limit);
    const data = entries.map((call) => ({ ...presentApiLog(scope.environment, call), object_id: call.objectId }));
    return { data, ...presentNext(LIST, scope, next) };
  },
});

const show = defineCommand({
  name: "api-logs show",
  summary: "Show an API request and its bodies, with secret and personal values hidden",
  cells: "merchant",
  options: {
    merchant: required("ID", "the merchant"),
    environment: oneOf(ENVIRONMENTS, "of the key that made the request"),
    id: required("ID", "the Request-Id, such as the request_id of an audit entry"),
  },
  run: async ({ merchant, environment, id }) => {
    const call = await getApiCall({ merchantId: merchant, environment }, id);
    return { ...presentApiLogWithBodies(environment, call), object_id: call.objectId };
  },
});

export const apiLogs: readonly Command[] = [list, show];
