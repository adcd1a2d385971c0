// Remembers which keys this process has answered lately: a hint to read the record first, never an answer.
import { LRUCache } from "lru-cache";
import type { Scope } from "@/server/domain/scope";

interface KeyReference {
  readonly scope: Scope;
  readonly apiKeyId: string;
  readonly key: string;
}

const answered = new LRUCache<string, true>({ max: 10_000 });

function nameOf({ scope, apiKeyId, key }: KeyReference): string {
  return `${scope.merchantId} ${apiKeyId} ${key}`;
}

/** Notes that the key has an answer. */
export function noteAnswered(request: KeyReference): void {
  answered.set(nameOf(request), true);
}

/** Returns true if a retry is likely, so that its record is read before a commit that would fail. */
export function wasAnsweredHere(request: KeyReference): boolean {
  return answered.has(nameOf(request));
}
