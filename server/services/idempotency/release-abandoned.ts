// Releases the keys of executions that an outage of the database ended, so that a retry at any process may go on at once.
import { setTimeout as sleep } from "node:timers/promises";
import { endLeasesAcrossMerchants, type HeldKey } from "@/server/db/idempotency";
import { log } from "@/server/platform/log";

const EVERY_MS = 500;
/**
 * A claim may be committed after its execution has ended. Once the database answers, the server ends what still runs
 * within 3.5 s, so no claim arrives later than this.
 */
const CLAIMS_ARRIVE_WITHIN_MS = 5_000;
/** The oldest are left to the ends of their leases. */
const MAXIMUM = 10_000;

interface Abandoned {
  readonly key: HeldKey;
  /** When the database first answered since, by `performance.now()`; null until then. */
  answeredAt: number | null;
}

const abandoned = new Map<string, Abandoned>();
let running: Promise<void> | null = null;

/**
 * Ends the lease of the key as soon as the database answers. The execution of its holder must have ended. A commit of the
 * execution may still arrive without doubling anything: a creation inserts claim and intent together, a later change is
 * guarded by the intent's revision, and a key takes one answer. A retry that has taken the key over resumes what it finds,
 * or one of the two writes nothing.
 */
export function releaseOnceReachable(key: HeldKey): void {
  const [oldest] = abandoned.keys();
  if (oldest !== undefined && abandoned.size >= MAXIMUM) abandoned.delete(oldest);
  abandoned.set(key.holder, { key, answeredAt: null });
  running ??= releaseAll().finally(() => {
    running = null;
  });
}

async function releaseAll(): Promise<void> {
  while (abandoned.size > 0) {
    await sleep(EVERY_MS, null, { ref: false });
    const waiting = [...abandoned];
    const released = await endLeasesAcrossMerchants(waiting.map(([, { key }]) => key)).catch(() => null);
    if (released) forget(waiting, new Set(released));
  }
}

function forget(waiting: readonly (readonly [string, Abandoned])[], released: ReadonlySet<string>): void {
  const answeredAt = performance.now();
  for (const [holder, entry] of waiting) {
    entry.answeredAt ??= answeredAt;
    if (released.has(holder) || answeredAt - entry.answeredAt > CLAIMS_ARRIVE_WITHIN_MS) abandoned.delete(holder);
  }
  if (released.size > 0) log().info({ keys: released.size }, "released the keys of requests that an outage ended");
}
