// Owns finding the days on which a balance was at its highest and lowest.

export interface Level {
  readonly day: string;
  /** Minor-unit text. */
  readonly closing: string;
}

/** The latest day of each, since that is what a reader can still explain; null of no days. */
export function extremesOf(levels: readonly Level[]): { readonly lowest: Level; readonly highest: Level } | null {
  const [first, ...rest] = levels;
  if (!first) return null;
  let [lowest, highest] = [first, first];
  for (const level of rest) {
    if (BigInt(level.closing) <= BigInt(lowest.closing)) lowest = level;
    if (BigInt(level.closing) >= BigInt(highest.closing)) highest = level;
  }
  return { lowest, highest };
}
