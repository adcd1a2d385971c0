import type { CallContext } from "@/server/domain/scope";
import type { IntentCore } from "@/server/domain/transition";

/** The call context of the worker's changes to an intent. */
export function workerContext({ merchantId, environment }: IntentCore<string>): CallContext {
  const actor = { type: "worker", id: "worker" } as const;
  return { scope: { merchantId, environment }, actor, requestId: null, address: null };
}
