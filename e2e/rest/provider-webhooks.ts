// Webhooks of built-in adapters' providers, as specs deliver them to the service.
import type { World } from "./world";

interface Webhook {
  readonly headers: Headers;
  readonly body: string;
}

/** Delivers webhooks one after the other and returns the statuses of the answers. */
export async function deliverTo(world: World, provider: string, webhooks: readonly Webhook[]): Promise<number[]> {
  const url = `${world.service.baseUrl}/providers/${provider}/callbacks`;
  const statuses: number[] = [];
  for (const { headers, body } of webhooks) {
    statuses.push((await fetch(url, { method: "POST", headers, body })).status);
  }
  return statuses;
}
