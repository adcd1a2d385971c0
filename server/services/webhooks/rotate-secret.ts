import { changeEndpoint } from "@/server/db/webhooks/endpoint-changes";
import { SECRET_OVERLAP_MS } from "@/server/domain/delivery";
import { notFoundError } from "@/server/domain/errors";
import type { CallContext } from "@/server/domain/scope";
import { now } from "@/server/platform/clock";
import { newWebhookSecret } from "@/server/receivers/signature";
import type { Completed, Idempotency } from "../idempotency/completion";
import { completeChange, type EndpointResult } from "./completion";
import { getWebhookEndpoint } from "./get-endpoint";
import { sealSecret } from "./secrets";

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
