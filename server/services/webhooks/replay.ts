// Replaying to an endpoint everything since a time that has not reached it.
import { type ReplayCount, replayDeliveries } from "@/server/db/webhooks/replay";
import { validationError } from "@/server/domain/errors";
import type { CallContext } from "@/server/domain/scope";
import type { WebhookEndpoint } from "@/server/domain/webhook-endpoint";
import { now } from "@/server/platform/clock";
import { type Completed, completionFor, type Idempotency } from "../idempotency/completion";
import { orKeyConflict } from "../idempotency/once";
import { getWebhookEndpoint } from "./endpoints";

/** Deliveries of one call. */
const LIMIT = 5_000;
const LONGEST_DAYS = 90;
const DAY_MS = 86_400_000;

export interface ReplayResult extends ReplayCount {
  readonly endpoint: WebhookEndpoint;
  readonly since: Date;
}

/**
 * Makes due now what failed or was skipped since then, and what the endpoint's present filter asks for but was never to
 * be sent to it. Takes the oldest 5,000; `hasMore` says that another call goes on. Throws not_found, and
 * validation_failed for a time more than 90 days ago.
 */
export async function replayToEndpoint(
  context: CallContext,
  { id, since }: { readonly id: string; readonly since: Date },
  idempotency: Idempotency<ReplayResult>,
): Promise<Completed<ReplayResult>> {
  const { scope, actor, requestId, address } = context;
  const at = now();
  if (since.getTime() < at.getTime() - LONGEST_DAYS * DAY_MS) {
    throw validationError("since", `must be within the last ${LONGEST_DAYS} days`);
  }
  const endpoint = await getWebhookEndpoint(scope, id);
  const { lease } = idempotency;
  await lease.take();
  const resultOf = (replayed: ReplayCount): ReplayResult => ({ ...replayed, endpoint, since });
  const act = { actor, requestId, address, at };
  const replayed = await orKeyConflict(
    replayDeliveries(endpoint, { since, limit: LIMIT }, act, (done) =>
      completionFor(idempotency, resultOf(done), "accepted"),
    ),
  );
  lease.completed = true;
  return { intent: resultOf(replayed), completion: "accepted" };
}
