import { findMerchant, hasMerchantsAcrossAll } from "@/server/db/merchants";
import { log } from "@/server/platform/log";
import { createDemoMerchant } from "./demo-merchant";
import { demoFiles } from "./env-file";
import { SCENARIOS, type ScenarioName } from "./scenarios";

export interface DemoPlace {
  /** Folder of the credentials file, `<scenario>.env`. */
  readonly dataDir: string;
  /** Origin of the service. */
  readonly baseUrl: string;
}

/**
 * Creates the demo if the database has no merchant, or if an earlier start stopped while creating it; the unfinished
 * merchant of that start stays. Returns the credentials file, or null if there was nothing to do.
 */
export async function seedDemoOnFirstStart(place: DemoPlace): Promise<{ envFile: string } | null> {
  const files = demoFiles(place.dataDir, "demo");
  if (!files.isBegun() && (await hasMerchantsAcrossAll())) return null;
  files.begin();
  return createScenario("demo", place);
}

/**
 * Creates the scenario's merchant, unless the scenario's credentials file already names a merchant of this database.
 */
export async function seedOnDemand(
  scenario: ScenarioName,
  place: DemoPlace,
): Promise<{ envFile: string; created: boolean }> {
  const { envFile, namedMerchant } = demoFiles(place.dataDir, scenario);
  const known = namedMerchant();
  if (known !== null && (await findMerchant(known))) return { envFile, created: false };
  return { ...(await createScenario(scenario, place)), created: true };
}

/** Writes the credentials last: without the file there is no finished merchant. */
async function createScenario(scenario: ScenarioName, { dataDir, baseUrl }: DemoPlace): Promise<{ envFile: string }> {
  const startedAt = performance.now();
  const files = demoFiles(dataDir, scenario);
  const merchant = await createDemoMerchant(SCENARIOS[scenario]);
  files.finish(baseUrl, merchant);
  const ms = Math.round(performance.now() - startedAt);
  log().info({ merchantId: merchant.merchantId, scenario, ms }, "the demo merchant was created");
  return { envFile: files.envFile };
}
