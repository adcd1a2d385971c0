import { secretsStatus } from "@/server/services/secrets/status";
import { type Command, defineCommand } from "../command";

const status = defineCommand({
  name: "secrets status",
  summary: "Count the stored values per column and key, and list what still needs an old secret",
  options: {},
  run: async () => {
    const { stored, old } = await secretsStatus();
    return {
      data: stored.map(({ table, column, purpose, id, state, rows, ends }) => ({
        column: `${table}.${column}`,
        purpose,
        key_id: id,
        state,
        rows,
        ends_by: ends,
      })),
      old_keys: old.map(({ id, neededBy }) => ({ key_id: id, removable: neededBy.length === 0, needed_by: neededBy })),
    };
  },
});

export const secrets: readonly Command[] = [status];
