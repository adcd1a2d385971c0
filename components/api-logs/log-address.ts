// The state in the address of the log of API requests, parsed the same way by server and browser.
import type { inferRouterInputs } from "@trpc/server";
import type { AppRouter } from "@/server/trpc/router";
import type { Filters, ListField } from "../lists/filters";

export const LOG_FIELDS: readonly ListField[] = [
  { name: "status_class" },
  { name: "method" },
  { name: "api_key" },
  { name: "request_id" },
  { name: "object_id" },
  { name: "created_after" },
  { name: "created_before" },
];

/** Input of the procedure that lists requests. It rejects filters that it does not know. */
export function logInput(environment: "test" | "live", filters: Filters, cursor: string | undefined) {
  return { ...filters, environment, ...(cursor === undefined ? {} : { cursor }) } as Input;
}

type Input = inferRouterInputs<AppRouter>["apiLogs"]["list"];
