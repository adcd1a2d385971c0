// Owns when a demo merchant is made: at the first start of the embedded default, or on demand, and never twice.
import { findMerchant, hasMerchantsAcrossAll } from "@/server/db/merchants";
import { log } from "@/server/platform/log";
import { createDemoMerchant } from "./demo-merchant";
import { demoFiles } from "./env-file";

export interface DemoPlace {
  /** Where the credentials are written, as `demo.env`. */
  readonly dataDir: string;
  /** Origin under which the service is reached. */
  readonly baseUrl: string;
}

/**
 * Makes the demo if the database holds no merchant at all, or an earlier start broke off while making it; what that one
 * left is kept, under its own merchant. Gives the credentials' file, or null when there was nothing to do.
 */
export async function seedDemoOnFirstStart(place: DemoPlace): Promise<{ envFile: string } | null> {
  const files = demoFiles(place.dataDir);
  if (!files.isBegun() && (await hasMerchantsAcrossAll())) return null;
  files.begin();
  return makeDemo(place);
}

/** Makes the demo in whatever database is configured, unless the credentials' file names a merchant of it already. */
export async function seedDemoOnDemand(place: DemoPlace): Promise<{ envFile: string; created: boolean }> {
  const { envFile, namedMerchant } = demoFiles(place.dataDir);
  const known = namedMerchant();
  if (known !== null && (await findMerchant(known))) return { envFile, created: false };
  return { ...(await makeDemo(place)), created: true };
}

/** The credentials are written last: no file, no demo. */
async function makeDemo({ dataDir, baseUrl }: DemoPlace): Promise<{ envFile: string }> {
  const startedAt = performance.now();
  const files = demoFiles(dataDir);
  const demo = await createDemoMerchant();
  files.finish(baseUrl, demo);
  log().info(
    { merchantId: demo.merchantId, ms: Math.round(performance.now() - startedAt) },
    "the demo merchant was made",
  );
  return { envFile: files.envFile };
}
