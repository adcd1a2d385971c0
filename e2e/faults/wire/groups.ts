// The groups of scenarios, each with a stage of its own.
import { commandScenarios } from "./command-scenarios";
import { dashboardScenarios } from "./dashboard-scenarios";
import { restScenarios } from "./rest-scenarios";
import type { Scenario } from "./scenario";
import type { Lane } from "./stage";
import { workerScenarios } from "./worker-scenarios";

interface Group {
  readonly name: string;
  /** False where the victims are the only workers. */
  readonly hasWorker: boolean;
  /** True where the next process repeats the work without a look, so that it can be cut too. */
  readonly isRepeatable: boolean;
  scenariosOf(lane: Lane): Readonly<Record<string, Scenario>>;
}

export const GROUPS: readonly Group[] = [
  { name: "rest", hasWorker: true, isRepeatable: true, scenariosOf: restScenarios },
  { name: "dashboard", hasWorker: true, isRepeatable: false, scenariosOf: dashboardScenarios },
  { name: "commands", hasWorker: true, isRepeatable: false, scenariosOf: commandScenarios },
  { name: "worker", hasWorker: false, isRepeatable: true, scenariosOf: workerScenarios },
];
