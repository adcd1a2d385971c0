import { withMoving } from "@/server/services/cells/moving";
import { reindexAccounts } from "@/server/services/payouts/reindex-accounts";
import { defineCommand } from "../command";

export const accounts = defineCommand({
  name: "accounts reindex",
  summary: "Make account numbers of earlier payouts comparable regardless of separators and case",
  cells: "every",
  options: {},
  async run() {
    const { result, moving } = await withMoving(reindexAccounts);
    return { ...result, moving };
  },
  succeeded: (document) => "moving" in document && Array.isArray(document.moving) && document.moving.length === 0,
});
