// Finds the API keys that requests name. A public key that this process has not found before is a stranger's: such
// look-ups wait for one of a few places and are cached apart, so that a flood delays and evicts no key in use.
import { LRUCache } from "lru-cache";
import pLimit from "p-limit";
import type { ApiKey } from "@/server/db/api-keys";
import { ServiceError } from "@/server/domain/errors";
import { createShortCache } from "@/server/platform/short-cache";

/** Concurrent look-ups for strangers. */
const STRANGERS_AT_ONCE = 2;
/** Further strangers that may wait; beyond them a look-up is rejected. */
const STRANGERS_WAITING = 200;
const REMEMBERED_KEYS = 10_000;

export interface KeyLookUp {
  /**
   * Returns the key with this public key, or null. Calls `charge` before a look-up for a stranger; what it throws rejects
   * the request without a look-up. Throws service_unavailable if too many strangers wait.
   */
  get(publicKey: string, charge: () => void): Promise<ApiKey | null>;
  forget(publicKey: string): void;
}

/** Returns the look-up of this process; `find` reads a key of any merchant from the database. */
export function createKeyLookUp(find: (publicKey: string) => Promise<ApiKey | null>): KeyLookUp {
  const keys = createShortCache<ApiKey | null>("api-keys");
  const strangers = createShortCache<ApiKey | null>("api-keys-of-strangers");
  const foundBefore = new LRUCache<string, true>({ max: REMEMBERED_KEYS });
  const place = pLimit(STRANGERS_AT_ONCE);

  async function findForStranger(publicKey: string): Promise<ApiKey | null> {
    const key = await place(find, publicKey);
    if (key) foundBefore.set(publicKey, true);
    return key;
  }

  return {
    async get(publicKey, charge) {
      if (foundBefore.get(publicKey)) return keys.get(publicKey, () => find(publicKey));
      return strangers.get(publicKey, () => {
        charge();
        if (place.pendingCount >= STRANGERS_WAITING)
          throw new ServiceError("service_unavailable", "Too many unknown API keys are being checked; retry.", 1);
        return findForStranger(publicKey);
      });
    },
    forget(publicKey) {
      keys.forget(publicKey);
      strangers.forget(publicKey);
    },
  };
}
