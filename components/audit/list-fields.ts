// The filters of the audit log, by their names in addresses and in calls.
import type { inferRouterInputs } from "@trpc/server";
import type { AppRouter } from "@/server/trpc/router";
import type { Filters } from "../lists/filters";

export const AUDIT_FIELDS = [
  { name: "object_id" },
  { name: "group" },
  { name: "actor_type" },
  { name: "actor_id" },
  { name: "created_after" },
  { name: "created_before" },
];

type AuditInput = inferRouterInputs<AppRouter>["audit"]["list"];

/** The filters as input of the list; the server rejects values that it does not know. */
export function auditInput(filters: Filters): Omit<AuditInput, "environment"> {
  return filters as Omit<AuditInput, "environment">;
}
