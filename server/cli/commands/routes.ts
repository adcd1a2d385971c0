import { showRoutes } from "@/server/services/routing/show-routes";
import { defineCommand } from "../command";

export const routes = defineCommand({
  name: "routes show",
  summary: "Show the configured routes, as Sluice reads them",
  cells: "none",
  options: {},
  run: async () => ({
    data: showRoutes().map(({ name, kind, instrument, providers, ...conditions }) => ({
      name,
      kind,
      ...(kind === "payment" && { method: instrument }),
      ...(kind === "topup" && { network: instrument }),
      ...conditions,
      providers: providers.map(({ provider, weight }) => ({ name: provider, weight })),
    })),
  }),
});
