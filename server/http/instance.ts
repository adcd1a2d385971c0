// The public state of this instance, shown on the front page.

import { API_VERSION } from "@/server/domain/api-version";
import { env } from "@/server/platform/env";
import { demoKeysFile } from "@/server/services/demo/env-file";
import { isReady } from "@/server/services/outage";

export interface InstanceOverview {
  /** True if the database answers, so that requests can be served. */
  readonly isReady: boolean;
  readonly baseUrl: string;
  readonly apiVersion: string;
  /** The file with the demo merchant's keys, as the start printed it; null without a demo. */
  readonly demoKeysFile: string | null;
}

/** Returns the state of the instance, without secrets. */
export async function instanceOverview(): Promise<InstanceOverview> {
  const { baseUrl, dataDir } = env();
  return { isReady: await isReady(), baseUrl, apiVersion: API_VERSION, demoKeysFile: demoKeysFile(dataDir) };
}

/** Returns the public origin of this instance. */
export function publicOrigin(): string {
  return env().baseUrl;
}
