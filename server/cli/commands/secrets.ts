import { rewrapSecrets } from "@/server/services/secrets/rewrap";
import { type OldKey, secretsStatus } from "@/server/services/secrets/status";
import { type Command, defineCommand } from "../command";

function presentOld({ variable, id, neededBy }: OldKey) {
  return { variable, key_id: id, removable: neededBy.length === 0, needed_by: neededBy };
}

const status = defineCommand({
  name: "secrets status",
  summary: "Count the stored values per column and key, and list what still needs an old secret",
  cells: "every",
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
      old_keys: old.map(presentOld),
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
    const { old } = await secretsStatus();
    return { data: rewrapped, old_keys: old.map(presentOld) };
  },
});

export const secrets: readonly Command[] = [status, rewrap];
