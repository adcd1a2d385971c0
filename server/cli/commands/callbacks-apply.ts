// The command that applies a callback again.
import { applyCallbackAgain } from "@/server/services/callbacks/apply-again";
import { defineCommand, flag, required } from "../command";
import { presentCallback } from "../present-callback";

export const callbacksApply = defineCommand({
  name: "callbacks apply",
  summary: "Apply an unapplied callback again, with an audit entry; success resolves its exception, failure exits 1",
  options: {
    id: required("ID", "the callback, such as acme/cb_7f3a"),
    unverified: flag("apply a callback without a digest too; ask its provider first"),
  },
  run: async ({ id, unverified }) => {
    const { callback, why } = await applyCallbackAgain(id, { acceptsUnverified: unverified });
    return { ...presentCallback(callback), why };
  },
  succeeded: (document) => "why" in document && document.why === null,
});
