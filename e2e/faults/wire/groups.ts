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
  scenariosOf(lane: Lane): Readonly<Record<string, Scenario>>;
}

export const GROUPS: readonly Group[] = [
  { name: "rest", hasWorker: true, scenariosOf: restScenarios },
  { name: "dashboard", hasWorker: true, scenariosOf: dashboardScenarios },
  { name: "commands", hasWorker: true, scenariosOf: commandScenarios },
  { name: "worker", hasWorker: false, scenariosOf: workerScenarios },
];
