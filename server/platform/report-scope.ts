// Which reads may come from the database of reports: a replica, which may miss the last changes. All other work reads and
// writes the service's own database.
import { AsyncLocalStorage } from "node:async_hooks";

/** Next's bundles and the custom server are separate module graphs; they share what hangs on globalThis. */
const shared = globalThis as typeof globalThis & { sluiceReportScope?: AsyncLocalStorage<boolean> };
shared.sluiceReportScope ??= new AsyncLocalStorage<boolean>();
const storage = shared.sluiceReportScope;

/** True within `asReport`. */
export function isReport(): boolean {
  return storage.getStore() === true;
}

/** Runs reads that may miss the last changes. */
export function asReport<Result>(work: () => Result): Result {
  return storage.run(true, work);
}

/** Runs work whose result others use too, such as a cache's, on the service's own database. */
export function notAsReport<Result>(work: () => Result): Result {
  return isReport() ? storage.run(false, work) : work();
}
