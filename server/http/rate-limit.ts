// Rate limits: a token bucket per caller in memory, so that limiting costs no round trip to the database.
import { setTimeout as sleep } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { ServiceError } from "@/server/domain/errors";
import { env } from "@/server/platform/env";

interface Bucket {
  tokens: number;
  /** Milliseconds of the monotonic clock. */
  filledAt: number;
}

/** Beyond this, the least recently seen caller is evicted: its bucket is the fullest. */
const MAXIMUM_BUCKETS = 50_000;
const shared = globalThis as typeof globalThis & { sluiceBuckets?: LRUCache<string, Bucket> };

function bucketOf(caller: string, nowMs: number): Bucket {
  shared.sluiceBuckets ??= new LRUCache({ max: MAXIMUM_BUCKETS });
  const known = shared.sluiceBuckets.get(caller);
  if (known) return known;
  const full = { tokens: env().rateLimitBurst, filledAt: nowMs };
  shared.sluiceBuckets.set(caller, full);
  return full;
}

/** Thrown when a bucket is empty; carries the values of the RateLimit header fields. */
export class RateLimited extends ServiceError {
  readonly policy: string;

  constructor(perSecond: number, burst: number, retryAfterSeconds: number) {
    super("rate_limited", "Too many requests; slow down.", retryAfterSeconds);
    this.policy = `"default";q=${burst};w=${Math.ceil(burst / perSecond)}`;
  }

  /** The RateLimit field: nothing remains, and the time until something does. */
  get state(): string {
    return `"default";r=0;t=${this.retryAfterSeconds}`;
  }
}

/**
 * Takes one token of the caller's bucket, which refills steadily up to the burst. Throws RateLimited if it is empty.
 */
export function takeToken(caller: string, nowMs: number = performance.now()): void {
  takeTokens(caller, 1, nowMs);
}

/**
 * Takes as many tokens as a request costs that does the work of several; at most the burst, so that it is never impossible.
 * Throws RateLimited, and takes none, if there are fewer.
 */
export function takeTokens(caller: string, cost: number, nowMs: number = performance.now()): void {
  const { rateLimitPerSecond, rateLimitBurst } = env();
  const tokens = Math.min(cost, rateLimitBurst);
  const bucket = bucketOf(caller, nowMs);
  const refill = ((nowMs - bucket.filledAt) / 1000) * rateLimitPerSecond;
  bucket.tokens = Math.min(rateLimitBurst, bucket.tokens + refill);
  bucket.filledAt = nowMs;
  if (bucket.tokens < tokens) {
    const wait = Math.max(1, Math.ceil((tokens - bucket.tokens) / rateLimitPerSecond));
    throw new RateLimited(rateLimitPerSecond, rateLimitBurst, wait);
  }
  bucket.tokens -= tokens;
}

/** How long a stranger beyond the limit waits for the answer, in ms. */
const STRANGER_WAITS_MS = 250;
/** So many wait at most; the answers of further ones are sent at once. */
const MAXIMUM_WAITING = 1_000;
let waiting = 0;

/**
 * Delays the rejection of a stranger, who would otherwise send the next request at once: each connection of a flood then
 * takes four answers a second, and the work that is left goes to others.
 */
export async function slowDown(): Promise<void> {
  if (waiting >= MAXIMUM_WAITING) return;
  waiting += 1;
  await sleep(STRANGER_WAITS_MS);
  waiting -= 1;
}

/** Returns a token that the caller turned out not to owe. */
export function returnToken(caller: string): void {
  const bucket = shared.sluiceBuckets?.get(caller);
  if (bucket) bucket.tokens = Math.min(env().rateLimitBurst, bucket.tokens + 1);
}
