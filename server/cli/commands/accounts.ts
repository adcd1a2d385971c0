import { reindexAccounts } from "@/server/services/payouts/reindex-accounts";
import { defineCommand } from "../command";

export const accounts = defineCommand({
  name: "accounts reindex",
  summary: "Make account numbers of earlier payouts comparable regardless of separators and case",
  cells: "every",
  options: {},
  run: reindexAccounts,
});
