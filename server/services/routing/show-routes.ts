// Showing the operator how work is shared among providers.
import type { Route } from "@/server/domain/routing";
import { routes } from "@/server/psp/routes";

/** The configured routes, the operator's order kept. Throws ConfigurationError. */
export function showRoutes(): readonly Route[] {
  return routes();
}
