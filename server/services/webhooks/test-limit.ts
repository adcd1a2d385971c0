// Limits tests of endpoints: each holds a connection to a receiver of the merchant's choice for up to ten seconds.
import { LRUCache } from "lru-cache";
import { ServiceError } from "@/server/domain/errors";

/** One of each event type. */
const TESTS_PER_MINUTE = 6;
const MINUTE_MS = 60_000;

interface Window {
  tests: number;
}

const shared = globalThis as typeof globalThis & { sluiceEndpointTests?: LRUCache<string, Window> };

/** The windows of the process, shared by both module graphs (the host's and Next's). */
function windows(): LRUCache<string, Window> {
  // By default lru-cache uses the clock found at import; a test replaces the clock later.
  shared.sluiceEndpointTests ??= new LRUCache({
    max: 10_000,
    ttl: MINUTE_MS,
    ttlResolution: 0,
    perf: { now: () => performance.now() },
  });
  return shared.sluiceEndpointTests;
}

/** Counts a test of the endpoint in this process. Throws rate_limited beyond six in a minute. */
export function countTest(endpointId: string): void {
  const window = windows().get(endpointId);
  if (!window) {
    windows().set(endpointId, { tests: 1 });
    return;
  }
  if (window.tests >= TESTS_PER_MINUTE) {
    const wait = Math.max(1, Math.ceil(windows().getRemainingTTL(endpointId) / 1000));
    throw new ServiceError("rate_limited", `An endpoint can be tested ${TESTS_PER_MINUTE} times a minute.`, wait);
  }
  window.tests += 1;
}
