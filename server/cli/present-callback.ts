// How the command line shows a provider's callback.
import { formatInstant } from "@/server/contract/instants";
import { callbackName, callbackState } from "@/server/domain/callback";
import type { StoredCallback } from "@/server/services/callbacks/find";

/** In wire names, without the body. */
export function presentCallback(callback: StoredCallback) {
  const { provider, result, attempts, receivedAt, finishedAt, dueAt } = callback;
  return {
    id: callbackName(callback),
    provider,
    state: callbackState(result),
    result,
    attempts,
    received_at: formatInstant(receivedAt),
    finished_at: finishedAt && formatInstant(finishedAt),
    next_try_at: dueAt && formatInstant(dueAt),
  };
}
