// The public state of this instance, shown on the front page.

import { API_VERSION } from "@/server/domain/api-version";
import { env } from "@/server/platform/env";
import { isReady } from "@/server/services/outage";

export interface InstanceOverview {
  /** True if the database answers, so that requests can be served. */
  readonly isReady: boolean;
  readonly baseUrl: string;
  readonly apiVersion: string;
}

/** Returns the state of the instance, without secrets. */
export async function instanceOverview(): Promise<InstanceOverview> {
  return { isReady: await isReady(), baseUrl: env().baseUrl, apiVersion: API_VERSION };
}

/** Returns the public origin of this instance. */
export function publicOrigin(): string {
  return env().baseUrl;
}
