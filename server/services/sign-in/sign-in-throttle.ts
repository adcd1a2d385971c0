// How often signing in may fail, per account and per address, counted for all processes before any password is hashed.
import pLimit from "p-limit";
import { createAttemptLimit } from "@/server/db/sign-in-counts";
import { keyedDigest } from "@/server/platform/crypto";
import { keyRing } from "@/server/platform/keys";

interface ThrottleLimits {
  readonly failuresPerAccount: number;
  /** Larger than the account's, since an office may share one address. */
  readonly failuresPerAddress: number;
  /** How long failures count, and a full count rejects, in ms. */
  readonly windowMs: number;
}

const LIMITS: ThrottleLimits = {
  failuresPerAccount: 10,
  failuresPerAddress: 50,
  windowMs: 30 * 60_000,
};

/** Connections that counting may use at once: a flood of attempts waits for these, and payments have the others. */
const CONNECTIONS = 2;

export interface SignInThrottle {
  /**
   * Counts the attempt as a failure in advance, so that concurrent attempts cannot outrun the limit. False when the
   * account or the address has none left. An attempt on an account that has none left counts for its address.
   */
  begin(account: string, address: string): Promise<boolean>;
  /** Takes a successful attempt back: the account starts again from none, the address gets its one attempt back. */
  succeed(account: string, address: string): Promise<void>;
}

/** The throttle of attempts at passwords or at one-time codes; each has its own counts, the same in every process. */
export function createSignInThrottle(
  what: "password" | "code",
  { failuresPerAccount, failuresPerAddress, windowMs }: ThrottleLimits = LIMITS,
): SignInThrottle {
  const accounts = createAttemptLimit({ counts: `${what}:account`, attempts: failuresPerAccount, windowMs });
  const addresses = createAttemptLimit({ counts: `${what}:address`, attempts: failuresPerAddress, windowMs });
  const inTurn = pLimit(CONNECTIONS);

  return {
    async begin(account, address) {
      const isWithinAddress = await inTurn(() => addresses.take(digestOf(address)));
      return isWithinAddress && inTurn(() => accounts.take(digestOf(account)));
    },
    async succeed(account, address) {
      await inTurn(() => accounts.clear(digestOf(account)));
      await inTurn(() => addresses.giveBack(digestOf(address)));
    },
  };
}

function digestOf(name: string): string {
  return keyedDigest(keyRing(), "sign-in-count", name);
}
