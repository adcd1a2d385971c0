// A scenario for the mutations of the dashboard.
import { openDesk } from "./desk";
import { MUTATIONS } from "./mutations";
import { type Scenario, scenario } from "./scenario";
import type { Lane } from "./stage";

/** The scenarios of a lane, by the path of their procedure. */
export function dashboardScenarios(lane: Lane): Readonly<Record<string, Scenario>> {
  const desk = openDesk(lane);
  const scenarios = Object.entries(MUTATIONS).map(([path, prepare]) => {
    const one = scenario(path, "web", async (victim) => {
      // Opens the victim's connections, so that every trial has the same messages.
      await victim.api(lane.merchant.keys.test).get("/wallets");
      const opened = await desk;
      await opened.staySignedIn();
      return opened.trial(path, await prepare(opened));
    });
    return [path, one] as const;
  });
  return Object.fromEntries(scenarios);
}
