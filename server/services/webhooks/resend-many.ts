// Sending several deliveries once more, each with a verdict of its own.
import pLimit from "p-limit";
import { ServiceError } from "@/server/domain/errors";
import type { CallContext } from "@/server/domain/scope";
import { withoutIdempotency } from "../idempotency/completion";
import { getDelivery } from "./deliveries";
import { getWebhookEndpoint } from "./endpoints";
import { resendDelivery } from "./resend";

/**
 * due: it is sent next. waits: its endpoint is paused, so it is sent once the endpoint is enabled. sending: an attempt is
 * under way, and nothing changed. disabled: its endpoint is sent nothing, and nothing changed. gone: it is not there, or its
 * endpoint has been deleted.
 */
type ResendVerdict = "due" | "waits" | "sending" | "disabled" | "gone";

export interface ResendResult {
  readonly id: string;
  /** True if it is due. */
  readonly done: boolean;
  readonly verdict: ResendVerdict;
}

/** Each takes a connection for a moment; the other work of the process needs some too. */
const AT_ONCE = 4;

/** Resends each, at its own audit entry. Returns one result for each different id, in their order. */
export function resendDeliveries(context: CallContext, ids: readonly string[]): Promise<ResendResult[]> {
  const limit = pLimit(AT_ONCE);
  const resend = async (id: string): Promise<ResendResult> => {
    const verdict = await resendOne(context, id);
    return { id, done: verdict === "due" || verdict === "waits", verdict };
  };
  return Promise.all([...new Set(ids)].map((id) => limit(() => resend(id))));
}

async function resendOne(context: CallContext, id: string): Promise<ResendVerdict> {
  try {
    const { endpointId } = await getDelivery(context.scope, id);
    const { state } = await getWebhookEndpoint(context.scope, endpointId);
    // It would wait, and be skipped when the endpoint is enabled.
    if (state === "disabled") return "disabled";
    const { intent: after } = await resendDelivery(context, id, withoutIdempotency());
    if (after.state !== "pending") return "gone";
    if (after.nextAttemptAt === null) return "sending";
    return state === "paused" ? "waits" : "due";
  } catch (error) {
    if (error instanceof ServiceError && error.code === "not_found") return "gone";
    throw error;
  }
}
