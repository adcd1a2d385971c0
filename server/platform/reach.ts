// Which merchants' rows the running work may reach. Postgres enforces it (server/db/reach-client.ts), as a second wall behind
// the conditions of each statement. The scope follows the work itself, from the point where its caller was identified, so a
// statement that names the wrong merchant finds nothing.
import { AsyncLocalStorage } from "node:async_hooks";

/** Ids of merchants, separated by commas; or EVERY_MERCHANT. */
export type Reach = string;

/**
 * The reach of these merchants. The empty id stands for nobody, whose rows are the operator's: unapplied callbacks, lines of
 * settlement files about unknown intents. Its list is a comma, since Postgres shows nothing to the empty text.
 */
function reachOf(merchantIds: readonly string[]): Reach {
  return merchantIds.length === 1 && merchantIds[0] === "" ? "," : merchantIds.join(",");
}

/** For work that belongs to no single merchant: finding a key's merchant, claiming due work, the operator's acts. */
export const EVERY_MERCHANT: Reach = "*";

/** Next's bundles and the custom server are separate module graphs; they share what hangs on globalThis. */
const shared = globalThis as typeof globalThis & {
  sluiceReach?: AsyncLocalStorage<Reach>;
  sluiceProcessReach?: Reach;
};
shared.sluiceReach ??= new AsyncLocalStorage<Reach>();
const storage = shared.sluiceReach;

/** A statement ran in work that no merchant was named for, or for another merchant than the work's. */
export class OutOfReach extends Error {
  override readonly name = "OutOfReach";
}

/** The reach of the running work. Throws OutOfReach if none was given. */
export function currentReach(): Reach {
  const reach = storage.getStore() ?? shared.sluiceProcessReach;
  if (reach === undefined) throw new OutOfReach("a statement needs withinMerchant or acrossMerchants around it");
  return reach;
}

/** Throws OutOfReach if the running work may not reach this merchant's rows. */
export function requireReach(merchantId: string): void {
  const reach = currentReach();
  if (reach !== EVERY_MERCHANT && !reach.split(",").includes(merchantId))
    throw new OutOfReach("the work of one merchant named another");
}

/**
 * Runs work for one merchant. Work that has a merchant already can only go on with the same one: throws OutOfReach for
 * another.
 */
export function withinMerchant<Result>(merchantId: string, work: () => Result): Result {
  const present = storage.getStore();
  const reach = reachOf([merchantId]);
  if (present === reach) return work();
  if (present !== undefined) requireReach(merchantId);
  return storage.run(reach, work);
}

/** The same, or for every merchant if none is given. Those that move to another cell are passed over then. */
export function withinMerchantOrAll<Result>(merchantId: string | null, work: () => Result): Result {
  return merchantId === null ? acrossMerchants(work) : withinMerchant(merchantId, work);
}

/** Runs a merchant's work that must also see rows which are nobody's and may concern the merchant. */
export function withNobodysRows<Result>(work: () => Result): Result {
  const present = currentReach();
  return present === EVERY_MERCHANT ? work() : storage.run(`${present},`, work);
}

/** Runs one batch for the merchants of its items. Each item passed `requireReach` in its own work before it was added. */
export function withinMerchants<Result>(merchantIds: Iterable<string>, work: () => Result): Result {
  return storage.run(reachOf([...new Set(merchantIds)]), work);
}

/** Runs work that may reach every merchant's rows. */
export function acrossMerchants<Result>(work: () => Result): Result {
  return storage.run(EVERY_MERCHANT, work);
}

/** Gives all work of this process that names no merchant the reach of every merchant: for the operator's commands. */
export function reachEveryMerchant(): void {
  shared.sluiceProcessReach = EVERY_MERCHANT;
}
