// Owns rate limits: a token bucket per caller in memory, so that limiting costs no round trip to the database.
import { ServiceError } from "@/server/domain/errors";
import { env } from "@/server/platform/env";

interface Bucket {
  tokens: number;
  /** Milliseconds on the monotonic clock. */
  filledAt: number;
}

const MAXIMUM_BUCKETS = 50_000;
const shared = globalThis as typeof globalThis & { sluiceBuckets?: Map<string, Bucket> };

function buckets(): Map<string, Bucket> {
  shared.sluiceBuckets ??= new Map();
  return shared.sluiceBuckets;
}

/** Raised when a bucket is empty; carries what the RateLimit header fields say. */
export class RateLimited extends ServiceError {
  readonly policy: string;

  constructor(perSecond: number, burst: number, retryAfterSeconds: number) {
    super("rate_limited", "Too many requests; slow down.", retryAfterSeconds);
    this.policy = `"default";q=${burst};w=${Math.ceil(burst / perSecond)}`;
  }

  /** The RateLimit field: nothing remains, and when something will. */
  get state(): string {
    return `"default";r=0;t=${this.retryAfterSeconds}`;
  }
}

/** Takes one token of the caller's bucket, which refills steadily up to the burst. Throws RateLimited when empty. */
export function takeToken(caller: string, nowMs: number = performance.now()): void {
  const { rateLimitPerSecond, rateLimitBurst } = env();
  const all = buckets();
  const bucket = all.get(caller) ?? { tokens: rateLimitBurst, filledAt: nowMs };
  all.delete(caller);
  if (all.size >= MAXIMUM_BUCKETS) forgetQuietest(all);
  all.set(caller, bucket);
  const refill = ((nowMs - bucket.filledAt) / 1000) * rateLimitPerSecond;
  bucket.tokens = Math.min(rateLimitBurst, bucket.tokens + refill);
  bucket.filledAt = nowMs;
  if (bucket.tokens < 1) {
    const wait = Math.max(1, Math.ceil((1 - bucket.tokens) / rateLimitPerSecond));
    throw new RateLimited(rateLimitPerSecond, rateLimitBurst, wait);
  }
  bucket.tokens -= 1;
}

/** Every call puts its caller at the end, so the first is the one that was quiet longest and whose bucket is fullest. */
function forgetQuietest(all: Map<string, Bucket>): void {
  const [quietest] = all.keys();
  if (quietest !== undefined) all.delete(quietest);
}
