import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "@/server/trpc/router";

export type Member = inferRouterOutputs<AppRouter>["members"]["list"]["members"][number];
export type RoleGrant = inferRouterOutputs<AppRouter>["members"]["list"]["grants"][number];
export type PermissionRow = inferRouterOutputs<AppRouter>["members"]["list"]["permissions"][number];

/** Whether somebody with those roles can change the member; the server checks again. */
export function mayChange(roles: readonly string[], member: Member): boolean {
  return roles.includes("owner") || !member.roles.some((role) => role === "owner" || role === "admin");
}
