// A scenario for the operator's commands that change something.
import { COMMANDS, wordsOf } from "./commands";
import { type Scenario, scenario } from "./scenario";
import type { Lane } from "./stage";
import { changesFromNow, unkeyedTrial } from "./unkeyed-trial";

/** The scenarios of a lane, by the name of their command. */
export function commandScenarios(lane: Lane): Readonly<Record<string, Scenario>> {
  const scenarios = Object.entries(COMMANDS).map(([name, prepare]) => {
    const one = scenario(name, "operator", async (victim) => {
      // Opens the victim's connections, so that every trial has the same messages.
      await victim.run("dispatch", "show");
      const prepared = await prepare(lane);
      const words = wordsOf(name, prepared);
      const changes = await changesFromNow(lane, lane.merchant.id);
      const { state, isRepeatable = false } = prepared;
      return unkeyedTrial({
        perform: (by) => by.run(...words),
        repeat: () => lane.bridge.world.cli(...words),
        effects: async () => ({ changes: await changes(), state: await state?.() }),
        isRepeatable,
      });
    });
    return [name, one] as const;
  });
  return Object.fromEntries(scenarios);
}
