// Which stored values need which of the operator's secrets, so that an old secret can be removed.
import { countKeysAcrossMerchants, type KeyCount } from "@/server/db/secrets/count-keys";
import { KEYED_COLUMNS } from "@/server/db/secrets/keyed-columns";
import type { KeyPurpose, KeyRing, SecretsVariable } from "@/server/platform/key-ring";
import { keyRing } from "@/server/platform/keys";
import { withMoving } from "../cells/moving";

/** missing: the operator has removed the secret, and the value cannot be read or checked. */
type KeyState = "current" | "old" | "missing";

interface StoredKey extends Pick<KeyCount, "table" | "column" | "purpose" | "id" | "rows" | "ends"> {
  readonly state: KeyState;
}

export interface OldKey {
  /** The setting that contains its secret. */
  readonly variable: SecretsVariable;
  readonly id: string;
  /** The columns with values that need it. */
  readonly neededBy: readonly string[];
  /** No counted value needs it, and all values were counted: its secret can be removed. */
  readonly isRemovable: boolean;
}

export interface SecretsStatus {
  readonly stored: readonly StoredKey[];
  readonly old: readonly OldKey[];
  /** Merchants that move, or have since this command began, by their ids. What they have may not be counted, nor moved to new keys. */
  readonly moving: readonly string[];
}

function stateOf(ring: KeyRing, { purpose, id }: Pick<KeyCount, "purpose" | "id">): KeyState {
  if (ring.current(purpose).id === id) return "current";
  return ring.byId(purpose, id) ? "old" : "missing";
}

/** Returns the keys that no longer write, per setting. */
function oldKeys(ring: KeyRing, stored: readonly StoredKey[], isAllCounted: boolean): OldKey[] {
  const purposes = Object.keys(KEYED_COLUMNS) as KeyPurpose[];
  const variables = [...new Set(purposes.map((purpose) => ring.variableOf(purpose)))];
  return variables.flatMap((variable) => {
    const own = purposes.filter((purpose) => ring.variableOf(purpose) === variable);
    const ids = new Set(own.flatMap((purpose) => ring.all(purpose).slice(1)).map(({ id }) => id));
    return [...ids].map((id) => {
      const needing = stored.filter((one) => one.id === id && one.state === "old" && own.includes(one.purpose));
      const neededBy = needing.map(({ table, column }) => `${table}.${column}`);
      return { variable, id, neededBy, isRemovable: isAllCounted && neededBy.length === 0 };
    });
  });
}

/** Counts stored values per column and key. Reads whole tables, on one snapshot. */
export async function secretsStatus(): Promise<SecretsStatus> {
  const ring = keyRing();
  const { result: counts, moving } = await withMoving(countKeysAcrossMerchants);
  const stored = counts.map((count) => ({ ...count, state: stateOf(ring, count) }));
  return { stored, old: oldKeys(ring, stored, moving.length === 0), moving };
}
