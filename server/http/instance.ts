// Owns what the front page says about this instance to anybody who opens it.

import { API_VERSION } from "@/server/domain/api-version";
import { env } from "@/server/platform/env";
import { isReady } from "@/server/services/outage";

export interface InstanceOverview {
  /** True when the database answers, so that requests can be served. */
  readonly isReady: boolean;
  readonly baseUrl: string;
  readonly apiVersion: string;
}

/** The state of the instance; holds nothing secret. */
export async function instanceOverview(): Promise<InstanceOverview> {
  return { isReady: await isReady(), baseUrl: env().baseUrl, apiVersion: API_VERSION };
}

/** The origin under which this instance is reached. */
export function publicOrigin(): string {
  return env().baseUrl;
}
