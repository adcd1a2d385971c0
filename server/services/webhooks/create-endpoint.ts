import { insertEndpoint } from "@/server/db/webhooks/endpoint-changes";
import { MAXIMUM_ENDPOINTS } from "@/server/domain/delivery";
import { validationError } from "@/server/domain/errors";
import type { EventType } from "@/server/domain/events";
import type { CallContext } from "@/server/domain/scope";
import { newId } from "@/server/platform/ids";
import { newWebhookSecret } from "@/server/receivers/signature";
import type { Completed, Idempotency } from "../idempotency/completion";
import { requireActiveMerchant } from "../suspension/suspend";
import { completeChange, type EndpointResult } from "./endpoint-change";
import { requireReceiverUrl } from "./receiver-policy";
import { sealSecret } from "./secrets";

export interface CreateEndpoint {
  readonly url: string;
  readonly description: string;
  /** Null for all. */
  readonly eventTypes: readonly EventType[] | null;
}

/**
 * Creates an endpoint for the events of the scope from now on; `created` with its secret, shown this once. Throws
 * validation_failed for a URL that may not be called, and when there are ten endpoints already (interface §6), and
 * merchant_suspended.
 */
export async function createWebhookEndpoint(
  context: CallContext,
  command: CreateEndpoint,
  idempotency: Idempotency<EndpointResult>,
): Promise<Completed<EndpointResult>> {
  const { merchantId, environment } = context.scope;
  await requireActiveMerchant(merchantId);
  await requireReceiverUrl(environment, command.url);
  const id = newId("webhookEndpoint");
  const secret = newWebhookSecret();
  const secretSealed = sealSecret(merchantId, id, secret);
  const done = await completeChange(context, { secret, completion: "created" }, idempotency, async (effects) => {
    const endpoint = await insertEndpoint(context.scope, { ...command, id, secretSealed }, effects);
    return endpoint && { endpoint, missed: null };
  });
  if (done) return done;
  throw validationError(
    "url",
    `cannot be added: the environment already has ${MAXIMUM_ENDPOINTS} endpoints; delete one first`,
  );
}
