import { formatInstant } from "@/server/contract/instants";
import { CALLBACK_STATES, callbackName, callbackState } from "@/server/domain/callback";
import { applyCallbackAgain } from "@/server/services/callbacks/apply-again";
import { listCallbacks, readableBody, requireCallback, type StoredCallback } from "@/server/services/callbacks/find";
import { CELL_OPTION } from "../cell-option";
import { readChoice } from "../choice-option";
import { type Command, defineCommand, flag, optional, required } from "../command";

/** In wire names, without the body. */
function presentCallback(callback: StoredCallback) {
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

const list = defineCommand({
  name: "callbacks list",
  summary: "List providers' callbacks, newest first",
  cells: "every",
  options: {
    provider: optional("NAME", "the provider; all providers if omitted"),
    state: optional(CALLBACK_STATES.join("|"), "only callbacks in this state"),
  },
  run: async ({ provider, state }) => {
    const known = state === null ? null : readChoice("state", CALLBACK_STATES, state);
    const { callbacks, hasMore } = await listCallbacks({ provider, state: known });
    return { data: callbacks.map(presentCallback), has_more: hasMore };
  },
});

const show = defineCommand({
  name: "callbacks show",
  summary: "Show a provider's callback and its body, with personal data hidden",
  cells: "cell",
  options: { id: required("ID", "the callback, such as acme/cb_7f3a"), cell: CELL_OPTION },
  run: async ({ id }) => {
    const callback = await requireCallback(id);
    return { ...presentCallback(callback), body: readableBody(callback) };
  },
});

const apply = defineCommand({
  name: "callbacks apply",
  summary: "Apply an unapplied callback again, with an audit entry; success resolves its exception, failure exits 1",
  cells: "cell",
  options: {
    id: required("ID", "the callback, such as acme/cb_7f3a"),
    cell: CELL_OPTION,
    unverified: flag("also apply a callback that has no digest; confirm it with its provider first"),
  },
  run: async ({ id, unverified }) => {
    const { callback, why } = await applyCallbackAgain(id, { acceptsUnverified: unverified });
    return { ...presentCallback(callback), why };
  },
  succeeded: (document) => "why" in document && document.why === null,
});

export const callbacks: readonly Command[] = [list, show, apply];
