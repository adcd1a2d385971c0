import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "@/server/trpc/router";

/** What the lines of an uploaded file come to. */
export type Preview = inferRouterOutputs<AppRouter>["reconciliation"]["preview"];
