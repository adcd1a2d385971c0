// Limits failed sign-ins per account and per IP address, across processes, before any password is hashed.
import pLimit from "p-limit";
import { createAttemptLimit } from "@/server/db/sign-in-counts";
import { limitedNetwork } from "@/server/platform/client-address";
import { keyedDigest } from "@/server/platform/crypto";
import { keyRing } from "@/server/platform/keys";

interface ThrottleLimits {
  readonly failuresPerAccount: number;
  /** Larger than the account's, since an office may share one address. */
  readonly failuresPerAddress: number;
  /** How long failures count, and how long a full count rejects attempts, in ms. */
  readonly windowMs: number;
}

const LIMITS: ThrottleLimits = {
  failuresPerAccount: 10,
  failuresPerAddress: 50,
  windowMs: 30 * 60_000,
};

/** Maximum concurrent database connections for counting: a flood of attempts must not take them from payments. */
const CONNECTIONS = 2;

export interface SignInThrottle {
  /**
   * Counts the attempt as a failure in advance, so that concurrent attempts cannot exceed the limit. Returns false if
   * the account or the address has no attempts left. An attempt on an exhausted account still counts for the address.
   */
  begin(account: string, address: string): Promise<boolean>;
  /** Undoes the count of a successful attempt: resets the account, and returns one attempt to the address. */
  succeed(account: string, address: string): Promise<void>;
}

/** Creates the throttle for passwords or for one-time codes. Each has its own counts, shared by all processes. */
export function createSignInThrottle(
  what: "password" | "code",
  { failuresPerAccount, failuresPerAddress, windowMs }: ThrottleLimits = LIMITS,
): SignInThrottle {
  const accounts = createAttemptLimit({ counts: `${what}:account`, attempts: failuresPerAccount, windowMs });
  const addresses = createAttemptLimit({ counts: `${what}:address`, attempts: failuresPerAddress, windowMs });
  const inTurn = pLimit(CONNECTIONS);

  return {
    async begin(account, address) {
      const isWithinAddress = await inTurn(() => addresses.take(digestOf(limitedNetwork(address))));
      return isWithinAddress && inTurn(() => accounts.take(digestOf(account)));
    },
    async succeed(account, address) {
      await inTurn(() => accounts.clear(digestOf(account)));
      await inTurn(() => addresses.giveBack(digestOf(limitedNetwork(address))));
    },
  };
}

function digestOf(name: string): string {
  return keyedDigest(keyRing(), "sign-in-count", name);
}
