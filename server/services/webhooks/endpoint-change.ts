// How a change of an endpoint completes an idempotent request: the answer is stored in the change's own transaction.
import { actOf } from "@/server/db/audit/record";
import type { ChangeEffects } from "@/server/db/webhooks/endpoint-changes";
import type { CallContext } from "@/server/domain/scope";
import type { MissedDeliveries, WebhookEndpoint } from "@/server/domain/webhook-endpoint";
import { type Completed, type Completion, completionFor, type Idempotency } from "../idempotency/completion";
import { orKeyConflict } from "../idempotency/once";

/** An endpoint as a change leaves it. The secret is given out by creation and rotation only. */
export interface EndpointResult {
  readonly endpoint: WebhookEndpoint;
  readonly secret: string | null;
  /** What has not reached an endpoint that was disabled, and could be asked for now. */
  readonly missed: MissedDeliveries | null;
}

/** Makes a change under the key of its request; null when the change found nothing to do it to. */
export async function completeChange(
  context: CallContext,
  { secret, completion }: { readonly secret: string | null; readonly completion: Completion },
  idempotency: Idempotency<EndpointResult>,
  change: (effects: ChangeEffects) => Promise<Omit<EndpointResult, "secret"> | null>,
): Promise<Completed<EndpointResult> | null> {
  const { lease } = idempotency;
  await lease.take();
  const changed = await orKeyConflict(
    change({
      act: actOf(context),
      seal: (endpoint, missed) => completionFor(idempotency, { endpoint, secret, missed }, completion),
    }),
  );
  if (!changed) return null;
  lease.completed = true;
  return { intent: { ...changed, secret }, completion };
}
