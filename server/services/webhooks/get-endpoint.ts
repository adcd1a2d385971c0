import { findEndpoint } from "@/server/db/webhooks/endpoints";
import { notFoundError } from "@/server/domain/errors";
import type { Scope } from "@/server/domain/scope";
import type { WebhookEndpoint } from "@/server/domain/webhook-endpoint";
import { isId } from "@/server/platform/ids";

/** The endpoint, or not_found: foreign, absent, deleted and malformed ids are one and the same. */
export async function getWebhookEndpoint(scope: Scope, id: string): Promise<WebhookEndpoint> {
  const endpoint = isId("webhookEndpoint", id) ? await findEndpoint(scope, id) : null;
  if (!endpoint) throw notFoundError();
  return endpoint;
}
