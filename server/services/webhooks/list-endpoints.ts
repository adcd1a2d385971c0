import { listEndpoints } from "@/server/db/webhooks/endpoints";
import type { Scope } from "@/server/domain/scope";
import type { WebhookEndpoint } from "@/server/domain/webhook-endpoint";
import { type Page, type PagePosition, pageOfRows } from "../page";

/** One page of at most `limit` endpoints, newest first. */
export async function listWebhookEndpoints(
  scope: Scope,
  after: PagePosition | null,
  limit: number,
): Promise<Page<WebhookEndpoint>> {
  return pageOfRows(await listEndpoints(scope, after, limit + 1), limit);
}
