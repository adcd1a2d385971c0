import { env } from "@/server/platform/env";
import { log } from "@/server/platform/log";
import { acrossMerchants } from "@/server/platform/reach";
import { demoKeysFile } from "@/server/services/demo/env-file";
import { seedDemoOnFirstStart } from "@/server/services/demo/seed";

/**
 * Creates the demo merchant at the first start of the embedded database. A failure is logged and does not stop the
 * service.
 */
export async function seedDemo(): Promise<void> {
  await acrossMerchants(() => seedDemoOnFirstStart(env())).catch((error: unknown) =>
    log().error({ err: error }, "the demo merchant was not created"),
  );
}

/** The end of the "ready" line: where the demo's keys are, or an empty text without a demo. */
export function demoHint(): string {
  const file = demoKeysFile(env().dataDir);
  return file === null ? "" : `, demo keys in ${file}`;
}
