// Which stored values need which of the operator's secrets, so that an old secret can be removed.
import { listMerchantFencesAcrossMerchants } from "@/server/db/merchant-fences";
import { listMovesAcrossMerchants } from "@/server/db/moves/record";
import { countKeysAcrossMerchants, type KeyCount } from "@/server/db/secrets/count-keys";
import { KEYED_COLUMNS } from "@/server/db/secrets/keyed-columns";
import { allCells, inOtherCell } from "@/server/platform/cell";
import type { KeyPurpose, KeyRing, SecretsVariable } from "@/server/platform/key-ring";
import { keyRing } from "@/server/platform/keys";

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

/** Open ones come first; one is enough to keep the old secrets. */
const MOVES = 100;
const CLOCKS_DIFFER_BY_MS = 60_000;

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
  // A move may begin or end while the tables are read.
  const before = await listMoving();
  const counts = await countKeysAcrossMerchants();
  const moving = [...new Set([...before, ...(await listMoving())])];
  const stored = counts.map((count) => ({ ...count, state: stateOf(ring, count) }));
  return { stored, old: oldKeys(ring, stored, moving.length === 0), moving };
}

/**
 * A merchant may also have come from a cell that is counted later to one that was counted before. Its fences do not show that
 * any more, and its record does.
 */
async function listMoving(): Promise<string[]> {
  const fences = await listMerchantFencesAcrossMerchants();
  const moves = allCells().length === 1 ? [] : await inOtherCell(allCells()[0], () => listMovesAcrossMerchants(MOVES));
  const since = Date.now() - process.uptime() * 1_000 - CLOCKS_DIFFER_BY_MS;
  return [
    ...fences.filter(({ state }) => state !== "left").map(({ merchantId }) => merchantId),
    ...moves.filter(({ endedAt }) => endedAt === null || endedAt.getTime() > since).map(({ merchantId }) => merchantId),
  ];
}
