// A worker that plays one round of a named loop at a time, so that every message on its connections belongs to that round.
import { serveRequests } from "@/e2e/support/resident";
import { env } from "@/server/platform/env";
import { configureGateways } from "@/server/psp/registry";
import { configureRoutes } from "@/server/psp/routes";
import { LOOPS } from "@/server/worker/run";

/** Plays a round of the loop, and finishes what it began; returns the number of items found. */
async function playRound([name]: readonly string[]): Promise<number> {
  const loop = LOOPS.find((one) => one.name === name);
  if (!loop) throw new Error(`there is no loop ${name}`);
  const found = await loop.round();
  await loop.finish?.();
  return found;
}

configureGateways(env().providers);
configureRoutes(env().routes);
process.once("disconnect", () => process.exit(0));
serveRequests(
  playRound,
  LOOPS.map(({ name }) => name),
);
