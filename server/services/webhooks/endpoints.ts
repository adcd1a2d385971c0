import { changeEndpoint } from "@/server/db/webhooks/endpoint-changes";
import { findEndpoint, listEndpoints } from "@/server/db/webhooks/endpoints";
import { SECRET_OVERLAP_MS } from "@/server/domain/delivery";
import { notFoundError } from "@/server/domain/errors";
import type { CallContext, Scope } from "@/server/domain/scope";
import type { WebhookEndpoint } from "@/server/domain/webhook-endpoint";
import { now } from "@/server/platform/clock";
import { isId } from "@/server/platform/ids";
import { newWebhookSecret } from "@/server/receivers/signature";
import type { Completed, Idempotency } from "../idempotency/completion";
import { type Page, type PagePosition, pageOfRows } from "../page";
import { completeChange, type EndpointResult } from "./endpoint-change";
import { sealSecret } from "./secrets";

/** The endpoint, or not_found: foreign, absent, deleted and malformed ids are one and the same. */
export async function getWebhookEndpoint(scope: Scope, id: string): Promise<WebhookEndpoint> {
  const endpoint = isId("webhookEndpoint", id) ? await findEndpoint(scope, id) : null;
  if (!endpoint) throw notFoundError();
  return endpoint;
}

/** One page of at most `limit` endpoints, newest first. */
export async function listWebhookEndpoints(
  scope: Scope,
  after: PagePosition | null,
  limit: number,
): Promise<Page<WebhookEndpoint>> {
  return pageOfRows(await listEndpoints(scope, after, limit + 1), limit);
}

/** Deletes an endpoint for good, with its secrets; what waits for it is skipped. Throws not_found. */
export async function deleteWebhookEndpoint(
  context: CallContext,
  id: string,
  idempotency: Idempotency<EndpointResult>,
): Promise<Completed<EndpointResult>> {
  await getWebhookEndpoint(context.scope, id);
  const assignments = {
    deleted_at: now(),
    secret_sealed: "",
    previous_secret_sealed: null,
    previous_secret_until: null,
  };
  const done = await completeChange(context, { secret: null, completion: "changed" }, idempotency, (effects) =>
    changeEndpoint(context.scope, id, () => ({ verb: "delete", assignments, skipsWaiting: true }), effects),
  );
  if (!done) throw notFoundError();
  return done;
}

/**
 * Gives the endpoint a new secret, shown this once. For 24 hours every delivery is signed with both; a
 * secret that was still signing beside the present one ends at once. Throws not_found.
 */
export async function rotateWebhookSecret(
  context: CallContext,
  id: string,
  idempotency: Idempotency<EndpointResult>,
): Promise<Completed<EndpointResult>> {
  const { scope } = context;
  await getWebhookEndpoint(scope, id);
  const secret = newWebhookSecret();
  const until = new Date(now().getTime() + SECRET_OVERLAP_MS);
  const done = await completeChange(context, { secret, completion: "changed" }, idempotency, (effects) =>
    changeEndpoint(
      scope,
      id,
      (_endpoint, present) => ({
        verb: "rotate_secret",
        assignments: {
          secret_sealed: sealSecret(scope.merchantId, id, secret),
          previous_secret_sealed: present,
          previous_secret_until: until,
        },
      }),
      effects,
    ),
  );
  if (!done) throw notFoundError();
  return done;
}
