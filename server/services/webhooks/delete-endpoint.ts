import { changeEndpoint } from "@/server/db/webhooks/endpoint-changes";
import { notFoundError } from "@/server/domain/errors";
import type { CallContext } from "@/server/domain/scope";
import { now } from "@/server/platform/clock";
import type { Completed, Idempotency } from "../idempotency/completion";
import { completeChange, type EndpointResult } from "./completion";
import { getWebhookEndpoint } from "./get-endpoint";

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
