// The command that lists providers' callbacks.
import { CALLBACK_STATES } from "@/server/domain/callback";
import { validationError } from "@/server/domain/errors";
import { listCallbacks } from "@/server/services/callbacks/find";
import { defineCommand, optional } from "../command";
import { presentCallback } from "../present-callback";

export const callbacksList = defineCommand({
  name: "callbacks list",
  summary: "List providers' callbacks, the newest first",
  options: {
    provider: optional("NAME", "the provider; every one where left out"),
    state: optional(CALLBACK_STATES.join("|"), "only callbacks in this state"),
  },
  run: async ({ provider, state }) => {
    const known = CALLBACK_STATES.find((one) => one === state) ?? null;
    if (state !== known) throw validationError("state", `must be one of ${CALLBACK_STATES.join(", ")}`);
    const { callbacks, hasMore } = await listCallbacks({ provider, state: known });
    return { data: callbacks.map(presentCallback), has_more: hasMore };
  },
});
