// `npm run seed`: creates a merchant with intents in the configured database.
import { parseArgs } from "node:util";
import { allCells, inCell } from "@/server/platform/cell";
import { ConfigurationError, env } from "@/server/platform/env";
import { openCommandSession } from "@/server/services/command-session";
import { isScenarioName, SCENARIOS, type ScenarioName } from "@/server/services/demo/scenarios";
import { seedOnDemand } from "@/server/services/demo/seed";

const HELP = `npm run seed -- --scenario <name>

Creates a merchant in the test environment, once per data folder, and writes its credentials to <name>.env there.

${Object.entries(SCENARIOS)
  .map(([name, { summary }]) => `  ${name.padEnd(18)}${summary}${name === "demo" ? " (default)" : ""}`)
  .join("\n")}
`;

/** Prints a fault of the command line and how to call it, and exits with 2. */
function exitWithUsage(fault: string): never {
  process.stderr.write(`${fault}\n\n${HELP}`);
  process.exit(2);
}

function readArguments(): { readonly scenario: string; readonly help: boolean } {
  try {
    const { values } = parseArgs({
      options: { scenario: { type: "string", default: "demo" }, help: { type: "boolean", default: false } },
    });
    return values;
  } catch (error) {
    return exitWithUsage((error as Error).message);
  }
}

async function seed(scenario: ScenarioName): Promise<void> {
  const session = await openCommandSession({ migrates: true });
  try {
    const { dataDir, baseUrl } = env();
    const { envFile, created } = await inCell(allCells()[0], () => seedOnDemand(scenario, { dataDir, baseUrl }));
    const outcome = created ? "created" : "exists already";
    process.stdout.write(`the merchant of scenario ${scenario} ${outcome}, its keys are in ${envFile}\n`);
  } finally {
    await session.close();
  }
}

const { scenario, help } = readArguments();
if (help) {
  process.stdout.write(HELP);
  process.exit(0);
}
if (!isScenarioName(scenario)) exitWithUsage(`There is no scenario ${scenario}.`);
try {
  await seed(scenario);
  process.exit(0);
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
