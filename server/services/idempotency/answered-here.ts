// Owns remembering which keys this process has answered lately: only a hint where to look first, never an answer.
import type { Scope } from "@/server/domain/scope";

interface Named {
  readonly scope: Scope;
  readonly apiKeyId: string;
  readonly key: string;
}

/** Of two generations of this size the older one is forgotten, so that memory stays bounded. */
const GENERATION = 10_000;

let recent = new Set<string>();
let older = new Set<string>();

function nameOf({ scope, apiKeyId, key }: Named): string {
  return `${scope.merchantId} ${apiKeyId} ${key}`;
}

/** Notes that the key has an answer. */
export function noteAnswered(request: Named): void {
  if (recent.size >= GENERATION) {
    older = recent;
    recent = new Set();
  }
  recent.add(nameOf(request));
}

/** True where a retry is likely, so that its record is read before a commit is tried that would lose. */
export function wasAnsweredHere(request: Named): boolean {
  const name = nameOf(request);
  return recent.has(name) || older.has(name);
}
