// Waits for the replicas of both cells. After a failover to one that lacks the departure, the merchant would be in two cells; after
// one to a replica that lacks the copy, in none.
import { setTimeout as sleep } from "node:timers/promises";
import type { Owner } from "@/server/db/moves/owner";
import { listStandbysBehind, readLogPosition, type Standby } from "@/server/db/moves/standbys";
import { ServiceError } from "@/server/domain/errors";
import type { Move } from "./move";

/** While the merchant is open, so that what it waits for later is little. */
const NEAR_WITHIN_MS = 5_000;
/** While the merchant is closed. A replica that was near stores a few rows in milliseconds. */
const STORED_WITHIN_MS = 2_000;
/** Before the only other copy of the rows is deleted. */
const COPY_STORED_WITHIN_MS = 60_000;
const POLL_MS = 5;

/** Waits until the replicas have stored all that the cell has written so far. Returns those that have not within that time. */
async function waitForStandbys(owner: Owner, withinMs: number, passedOver: ReadonlySet<number>): Promise<Standby[]> {
  const position = await readLogPosition(owner);
  for (const end = performance.now() + withinMs; ; await sleep(POLL_MS)) {
    const all = await listStandbysBehind(owner, position);
    const behind = all.filter(({ pid }) => !passedOver.has(pid));
    if (behind.length === 0 || performance.now() > end) return behind;
  }
}

const named = (standbys: readonly Standby[]): string => standbys.map(({ name, pid }) => `${name} (${pid})`).join(", ");

/** Replicas by cell that are too far behind to be waited for while the merchant is closed. */
export type FarStandbys = ReadonlyMap<Owner, ReadonlySet<number>>;

/** Finds the replicas of both cells that are far behind, while the merchant is open, and names them to the operator. */
export async function findFarStandbys({ from, to, say }: Move): Promise<FarStandbys> {
  const far = new Map<Owner, ReadonlySet<number>>();
  const find = async (owner: Owner) => {
    const behind = await waitForStandbys(owner, NEAR_WITHIN_MS, new Set());
    far.set(owner, new Set(behind.map(({ pid }) => pid)));
    if (behind.length > 0)
      say(
        `replicas of ${owner.cell.name} are far behind and are not waited for: ${named(behind)}. Do not fail over to them before they have caught up`,
      );
  };
  await Promise.all([from, to].map(find));
  return far;
}

/** Returns a sentence, without its full stop, if a replica of the new cell does not store the copy soon; else null. */
export async function findUnstoredCopy({ to }: Move, far: FarStandbys): Promise<string | null> {
  const behind = await waitForStandbys(to, STORED_WITHIN_MS, far.get(to) ?? new Set());
  if (behind.length === 0) return null;
  return `Replicas of ${to.cell.name} did not store the copy within ${STORED_WITHIN_MS / 1_000} s: ${named(behind)}`;
}

/**
 * Waits until the replicas of the old cell have stored that the merchant has left. One that has not is named to the operator, and
 * the merchant opens nevertheless: it cannot go back, and the worker closes the older copy after a failover.
 */
export async function awaitStoredDeparture({ from, say }: Move, far: FarStandbys): Promise<void> {
  const behind = await waitForStandbys(from, STORED_WITHIN_MS, far.get(from) ?? new Set());
  if (behind.length > 0)
    say(
      `replicas of ${from.cell.name} have not stored that the merchant has left: ${named(behind)}. Do not fail over to them before they have caught up`,
    );
}

/** Waits until all replicas of the new cell have stored the merchant's rows. Throws service_unavailable if one does not. */
export async function requireStoredCopy({ from, to }: Pick<Move, "from" | "to">): Promise<void> {
  const behind = await waitForStandbys(to, COPY_STORED_WITHIN_MS, new Set());
  if (behind.length > 0)
    throw new ServiceError(
      "service_unavailable",
      `The merchant is open in ${to.cell.name}, and its rows stay in ${from.cell.name} as well: replicas of ${to.cell.name} have not stored the copy: ${named(behind)}. Run the command again once they have, or are disconnected.`,
    );
}
