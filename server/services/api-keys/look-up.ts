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

/** What a look-up came to. */
export interface Look {
  /** Null if nobody has the public key. */
  readonly key: ApiKey | null;
  /** True if this very call read it from the database, by the way of keys in use. */
  readonly isRead: boolean;
}

export interface KeyLookUp {
  /**
   * Looks for the key with this public key. Calls `charge` before a look-up for a stranger; what it throws rejects the
   * request without a look-up. Throws service_unavailable if too many strangers wait.
   */
  get(publicKey: string, charge: () => void): Promise<Look>;
  /**
   * To be called after `get` for every request that is refused: does for any key what an unknown key costs, so that a
   * stranger cannot tell by the time, or by another answer during a flood, whether somebody has it. That is one look-up for
   * a stranger, unless one was made within a second. Charges and throws as `get` does.
   */
  refuse(publicKey: string, look: Look, charge: () => void): Promise<void>;
  forget(publicKey: string): void;
}

/** Returns the look-up of this process; `find` reads a key of any merchant from the database. */
export function createKeyLookUp(find: (publicKey: string) => Promise<ApiKey | null>): KeyLookUp {
  const keys = createShortCache<ApiKey | null>("api-keys");
  const strangers = createShortCache<ApiKey | null>("api-keys-of-strangers");
  const foundBefore = new LRUCache<string, true>({ max: REMEMBERED_KEYS });
  const place = pLimit(STRANGERS_AT_ONCE);
  /** How often `forget` was called. */
  let forgotten = 0;

  /** What a stranger's look-up has found is new for the key's owner too. Otherwise its second use would read it again. */
  async function findForStranger(publicKey: string): Promise<ApiKey | null> {
    const [startedAt, before] = [performance.now(), forgotten];
    const key = await find(publicKey);
    if (!key) return null;
    foundBefore.set(publicKey, true);
    if (forgotten === before) keys.put(publicKey, key, startedAt);
    return key;
  }

  function lookAsStranger(publicKey: string, charge: () => void, look: () => Promise<ApiKey | null>) {
    return strangers.get(publicKey, () => {
      charge();
      if (place.pendingCount >= STRANGERS_WAITING)
        throw new ServiceError("service_unavailable", "Too many unknown API keys are being checked; retry.", 1);
      return place(look);
    });
  }

  return {
    async get(publicKey, charge) {
      if (!foundBefore.get(publicKey)) {
        const key = await lookAsStranger(publicKey, charge, () => findForStranger(publicKey));
        return { key, isRead: false };
      }
      let isRead = false;
      const key = await keys.get(publicKey, () => {
        isRead = true;
        return find(publicKey);
      });
      return { key, isRead };
    },
    async refuse(publicKey, { key, isRead }, charge) {
      // One look-up is enough: the stranger's next one is due when the key's is.
      if (isRead) strangers.forget(publicKey);
      await lookAsStranger(publicKey, charge, async () => (isRead ? key : findForStranger(publicKey)));
    },
    forget(publicKey) {
      forgotten += 1;
      keys.forget(publicKey);
      strangers.forget(publicKey);
    },
  };
}
