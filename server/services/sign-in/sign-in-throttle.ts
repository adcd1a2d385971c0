// Owns how often signing in may fail, per account and per address, counted in memory before any password is hashed.

export interface ThrottleLimits {
  readonly failuresPerAccount: number;
  /** Larger than the account's, since an office may share one address. */
  readonly failuresPerAddress: number;
  /** How long failures count, and a full count refuses, in ms. */
  readonly windowMs: number;
}

export const SIGN_IN_LIMITS: ThrottleLimits = {
  failuresPerAccount: 10,
  failuresPerAddress: 50,
  windowMs: 30 * 60_000,
};

interface Count {
  failures: number;
  endsAt: number;
}

const MAXIMUM_COUNTS = 50_000;

export interface SignInThrottle {
  /**
   * Counts the attempt as a failure in advance, so that attempts at the same moment cannot outrun the limit. False when
   * the account or the address has none left. Times are ms of any steady clock.
   */
  begin(account: string, address: string, nowMs: number): boolean;
  /** Takes the attempt back: the account starts anew, the address gets its one attempt back. */
  succeed(account: string, address: string): void;
}

/** A throttle with its own counts; forgets the oldest ones rather than grow without end. */
export function createSignInThrottle(limits: ThrottleLimits): SignInThrottle {
  const counts = new Map<string, Count>();

  function countOf(name: string, nowMs: number): Count {
    const known = counts.get(name);
    if (known && known.endsAt > nowMs) return known;
    counts.delete(name);
    if (counts.size >= MAXIMUM_COUNTS) counts.delete(counts.keys().next().value ?? "");
    const fresh = { failures: 0, endsAt: nowMs + limits.windowMs };
    counts.set(name, fresh);
    return fresh;
  }

  /** The last failure allowed begins the pause, which is a whole window long. */
  function add(count: Count, limit: number, nowMs: number): void {
    count.failures += 1;
    if (count.failures >= limit) count.endsAt = nowMs + limits.windowMs;
  }

  return {
    begin(account, address, nowMs) {
      const ofAccount = countOf(`account:${account}`, nowMs);
      const ofAddress = countOf(`address:${address}`, nowMs);
      if (ofAccount.failures >= limits.failuresPerAccount) return false;
      if (ofAddress.failures >= limits.failuresPerAddress) return false;
      add(ofAccount, limits.failuresPerAccount, nowMs);
      add(ofAddress, limits.failuresPerAddress, nowMs);
      return true;
    },
    succeed(account, address) {
      counts.delete(`account:${account}`);
      const ofAddress = counts.get(`address:${address}`);
      if (ofAddress && ofAddress.failures > 0) ofAddress.failures -= 1;
    },
  };
}
