// Audit entries for events that anybody can repeat at will: at most one per object, kind and minute.
import { LRUCache } from "lru-cache";
import { actOf, recordUnlessRecent } from "@/server/db/audit/record";
import type { CallContext, Environment } from "@/server/domain/scope";
import { canonicalJson } from "@/server/platform/canonical-json";
import { now } from "@/server/platform/clock";
import { log } from "@/server/platform/log";

export interface RepeatableEvent {
  readonly merchantId: string;
  readonly environment: Environment | null;
  readonly action: string;
  readonly objectId: string;
  /** What distinguishes kinds of one action. Each kind has its own minute, so there must be few. */
  readonly kind: Readonly<Record<string, string>>;
}

/** The time between two entries, in ms. */
const INTERVAL_MS = 60_000;
/** How many kinds of events one process counts. The database limits the entries for those that were evicted. */
const COUNTED = 10_000;

interface Count {
  /** Events of this process since its last entry. */
  times: number;
  /** When the next entry may be written, in ms since 1970. */
  nextAt: number;
}

const counts = new LRUCache<string, Count>({ max: COUNTED });

/** Counts an event. Returns how many are due to be recorded together: 0 unless the last entry is a minute old. */
export function countSampled({ kind, ...place }: RepeatableEvent): number {
  const key = canonicalJson({ ...place, kind });
  const at = now().getTime();
  const count = counts.get(key) ?? { times: 0, nextAt: 0 };
  count.times += 1;
  counts.set(key, count);
  if (at < count.nextAt) return 0;
  const { times } = count;
  Object.assign(count, { times: 0, nextAt: at + INTERVAL_MS });
  return times;
}

/** Writes the entry of counted events, unless another process has within the minute. Never rejects: a failed entry is logged. */
export async function recordCounted(
  { kind, ...place }: RepeatableEvent,
  times: number,
  call: Omit<CallContext, "scope">,
): Promise<void> {
  const entry = { ...place, before: null, after: { ...kind, times } };
  await recordUnlessRecent(entry, kind, actOf(call), INTERVAL_MS).catch((error: unknown) =>
    log().warn({ err: error, action: place.action, objectId: place.objectId }, "an audit entry was not written"),
  );
}

/**
 * Writes an audit entry with the number of such events since this process's last one, at most once a minute across all
 * processes. Never rejects: a failed entry is logged.
 */
export async function recordSampled(event: RepeatableEvent, call: Omit<CallContext, "scope">): Promise<void> {
  const times = countSampled(event);
  if (times > 0) await recordCounted(event, times, call);
}
