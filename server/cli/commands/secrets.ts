import { rewrapSecrets } from "@/server/services/secrets/rewrap";
import { type OldKey, type SecretsStatus, secretsStatus } from "@/server/services/secrets/status";
import { type Command, defineCommand } from "../command";

const presentOld = ({ variable, id, neededBy, isRemovable }: OldKey) => ({
  variable,
  key_id: id,
  removable: isRemovable,
  needed_by: neededBy,
});

const presentNeed = ({ old, moving }: SecretsStatus) => ({ old_keys: old.map(presentOld), merchants_moving: moving });

const status = defineCommand({
  name: "secrets status",
  summary: "Count the stored values per column and key, and list what still needs an old secret",
  cells: "every",
  options: {},
  run: async () => {
    const found = await secretsStatus();
    return {
      data: found.stored.map(({ table, column, purpose, id, state, rows, ends }) => ({
        column: `${table}.${column}`,
        purpose,
        key_id: id,
        state,
        rows,
        ends_by: ends,
      })),
      ...presentNeed(found),
    };
  },
});

const rewrap = defineCommand({
  name: "secrets rewrap",
  summary: "Move stored values from old secrets to the newest, beside traffic; can be interrupted and repeated",
  cells: "every",
  options: {},
  run: async () => {
    const rewrapped = await rewrapSecrets();
    return { data: rewrapped, ...presentNeed(await secretsStatus()) };
  },
});

export const secrets: readonly Command[] = [status, rewrap];
