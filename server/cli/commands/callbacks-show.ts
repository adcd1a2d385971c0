// The command that shows one callback of a provider with its body.
import { readableBody, requireCallback } from "@/server/services/callbacks/find";
import { defineCommand, required } from "../command";
import { presentCallback } from "../present-callback";

export const callbacksShow = defineCommand({
  name: "callbacks show",
  summary: "Show a provider's callback and its body, with personal values hidden",
  options: { id: required("ID", "the callback, such as acme/cb_7f3a") },
  run: async ({ id }) => {
    const callback = await requireCallback(id);
    return { ...presentCallback(callback), body: readableBody(callback) };
  },
});
