// The command that applies a callback again.
import { applyCallbackAgain } from "@/server/services/callbacks/apply-again";
import { defineCommand, required } from "../command";
import { presentCallback } from "../present-callback";

export const callbacksApply = defineCommand({
  name: "callbacks apply",
  summary: "Apply an unapplied callback again, with an audit entry; success resolves its exception, failure exits 1",
  options: { id: required("ID", "the callback, such as acme/cb_7f3a") },
  run: async ({ id }) => {
    const { callback, why } = await applyCallbackAgain(id);
    return { ...presentCallback(callback), why };
  },
  succeeded: (document) => "why" in document && document.why === null,
});
