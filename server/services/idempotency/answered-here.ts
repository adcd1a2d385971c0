// Owns remembering which keys this process has answered lately: only a hint where to look first, never an answer.
import type { Scope } from "@/server/domain/scope";
import { RecentSet } from "@/server/platform/recent-set";

interface Named {
  readonly scope: Scope;
  readonly apiKeyId: string;
  readonly key: string;
}

const answered = new RecentSet(10_000);

function nameOf({ scope, apiKeyId, key }: Named): string {
  return `${scope.merchantId} ${apiKeyId} ${key}`;
}

/** Notes that the key has an answer. */
export function noteAnswered(request: Named): void {
  answered.add(nameOf(request));
}

/** True where a retry is likely, so that its record is read before a commit is tried that would lose. */
export function wasAnsweredHere(request: Named): boolean {
  return answered.has(nameOf(request));
}
