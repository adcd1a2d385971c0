// Releases the keys of executions that a database outage ended, so that a retry at any process can continue at once.
import { setTimeout as sleep } from "node:timers/promises";
import { endLeasesAcrossMerchants, type LeasedKey } from "@/server/db/idempotency";
import type { MerchantFence } from "@/server/db/merchant-fences";
import { allCells, inOtherCell, perCell } from "@/server/platform/cell";
import { log } from "@/server/platform/log";
import { listFences } from "../cells/moved";

const EVERY_MS = 500;
/**
 * A claim may be committed after its execution has ended. Once the database answers, it ends running statements within
 * 3.5 s, so no claim arrives later than this.
 */
const CLAIMS_ARRIVE_WITHIN_MS = 5_000;
/** Beyond this, the oldest keys wait until their leases end. */
const MAXIMUM = 10_000;

interface AbandonedLease {
  readonly key: LeasedKey;
  /** `performance.now()` when the database first answered since then; null before. */
  answeredAt: number | null;
}

/** Those of one cell. */
interface Abandoned {
  readonly leases: Map<string, AbandonedLease>;
  running: Promise<void> | null;
}

const abandonedOfCell = perCell((): Abandoned => ({ leases: new Map(), running: null }));

/**
 * Ends the lease of the key as soon as the database answers, or in another cell once its merchant is open there. The
 * execution of its holder must have ended. Its commit may still arrive without a double effect: a creation inserts claim
 * and intent together, the intent's revision guards a later change, and a key accepts one answer. A retry that took over the key resumes the intent it finds; otherwise
 * one of the two writes nothing.
 */
export function releaseOnceReachable(key: LeasedKey): void {
  const abandoned = abandonedOfCell();
  const { leases } = abandoned;
  const [oldest] = leases.keys();
  if (oldest !== undefined && leases.size >= MAXIMUM) leases.delete(oldest);
  leases.set(key.holder, { key, answeredAt: null });
  abandoned.running ??= releaseAll(leases).finally(() => {
    abandoned.running = null;
  });
}

async function releaseAll(leases: Map<string, AbandonedLease>): Promise<void> {
  while (leases.size > 0) {
    await sleep(EVERY_MS, null, { ref: false });
    const fences = await listFences().catch(() => null);
    if (!fences) continue;
    passOnLeft(leases, fences);
    const waiting = openOf(leases, fences);
    if (waiting.length === 0) continue;
    const released = await endLeasesAcrossMerchants(waiting.map(([, { key }]) => key)).catch(() => null);
    if (released) for (const holder of endedOf(waiting, new Set(released))) leases.delete(holder);
  }
}

/** Takes out those of merchants that have left, and passes them to their cells. */
function passOnLeft(leases: Map<string, AbandonedLease>, fences: readonly MerchantFence[]): void {
  const left = new Map(fences.filter(({ state }) => state === "left").map((fence) => [fence.merchantId, fence]));
  for (const [holder, { key }] of leases) {
    const fence = left.get(key.merchantId);
    if (!fence) continue;
    leases.delete(holder);
    const cell = allCells().find(({ name }) => name === fence.otherCell);
    if (cell) inOtherCell(cell, () => releaseOnceReachable(key));
  }
}

/** Those of merchants that are open in this cell. The others wait for the end of the move, as in an outage. */
function openOf(
  leases: ReadonlyMap<string, AbandonedLease>,
  fences: readonly MerchantFence[],
): (readonly [string, AbandonedLease])[] {
  const fenced = new Set(fences.map(({ merchantId }) => merchantId));
  return [...leases].filter(([, { key }]) => !fenced.has(key.merchantId));
}

/** The holders whose leases have ended, or whose claims never arrived. */
function endedOf(waiting: readonly (readonly [string, AbandonedLease])[], released: ReadonlySet<string>): string[] {
  const answeredAt = performance.now();
  if (released.size > 0)
    log().info({ keys: released.size }, "released the idempotency keys of requests that an outage interrupted");
  return waiting.flatMap(([holder, entry]) => {
    entry.answeredAt ??= answeredAt;
    return released.has(holder) || answeredAt - entry.answeredAt > CLAIMS_ARRIVE_WITHIN_MS ? [holder] : [];
  });
}
